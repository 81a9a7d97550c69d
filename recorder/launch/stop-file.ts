import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { stopFile } from '../../protocol/recording.ts';
import type { EventLog } from './event-log.ts';
import { liveProcesses, send } from './event-log.ts';
import { openSchedule } from './schedule.ts';

export interface StopFile {
  readonly dispose: () => void;
}

/** Between asking kindly (SIGINT), firmly (SIGTERM) and not at all (SIGKILL). In ms. */
const patience = 3000;

/** Ends the command and all recorded processes of its tree once somebody has made the recording's `stop` file. */
export function watchStopFile(child: ChildProcess, events: EventLog, directory: string): StopFile {
  const schedule = openSchedule();
  const state = { isStopped: false };
  const toAll = (signal: NodeJS.Signals): void => {
    for (const { pid } of liveProcesses(events.read())) if (pid !== child.pid) send(pid, signal);
    child.kill(signal);
  };
  const polling = setInterval(() => {
    if (state.isStopped || !existsSync(path.join(directory, stopFile))) return;
    state.isStopped = true;
    toAll('SIGINT');
    schedule.later(patience, () => toAll('SIGTERM'));
    schedule.later(2 * patience, () => toAll('SIGKILL'));
  }, 200);
  return {
    dispose: () => {
      clearInterval(polling);
      schedule.dispose();
    },
  };
}
