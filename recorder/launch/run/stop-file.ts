import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { stopFile } from '../../../protocol/recording.ts';
import { liveProcesses, send, type EventLog } from '../../../recordings/run-processes.ts';
import { openSchedule } from './schedule.ts';

export interface StopFile {
  readonly dispose: () => void;
}

/** Between asking kindly (SIGINT), firmly (SIGTERM) and not at all (SIGKILL). In ms. */
const patience = 3000;
/** Time in ms in which only processes are asked that have started no other one. */
const headStart = 500;

/**
 * Ends the command and all recorded processes of its tree once somebody has made the recording's `stop` file. Those that
 * have started no other one are asked first: the rest ends with them as a rule, and tsx kills a program that does not
 * answer within 60 ms, whatever it has to save. So is a command that is not recorded: npm calls it an error when its
 * script is interrupted, and it is not.
 */
export function watchStopFile(child: ChildProcess, events: EventLog, directory: string): StopFile {
  const schedule = openSchedule();
  const state: { isStopped: boolean; asked: readonly number[] } = { isStopped: false, asked: [] };
  const toAll = (signal: NodeJS.Signals): void => {
    for (const { pid } of liveProcesses(events.read())) if (pid !== child.pid) send(pid, signal);
    child.kill(signal);
  };
  const ask = (pids: readonly number[]): void => {
    for (const pid of pids.filter((one) => !state.asked.includes(one))) send(pid, 'SIGINT');
    state.asked = [...state.asked, ...pids];
  };
  const askAll = (): void => ask(liveProcesses(events.read()).map(({ pid }) => pid));
  const polling = setInterval(() => {
    if (state.isStopped || !existsSync(path.join(directory, stopFile))) return;
    state.isStopped = true;
    const live = liveProcesses(events.read());
    ask(live.flatMap(({ pid }) => (live.some(({ ppid }) => ppid === pid) ? [] : [pid])));
    if (child.pid !== undefined && !live.some(({ pid }) => pid === child.pid)) ask([child.pid]);
    schedule.later(headStart, askAll);
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
