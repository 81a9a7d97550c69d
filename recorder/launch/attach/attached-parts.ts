import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { appending } from '../../../recordings/private-files.ts';
import { eventsFile, profileSuffix } from '../../../protocol/recording.ts';
import { redactArguments } from '../../command-lines/redact.ts';
import { microseconds } from '../../../protocol/units.ts';
import type { Profiler, Runtime } from 'node:inspector';
import { type Inspector, type Told, fieldsOf } from './inspector.ts';
import type { RecordingEvent } from '../../../protocol/recording-lines.ts';

/** What a running process tells of itself. */
export interface AttachedProcess {
  readonly pid: number;
  readonly version: string;
  readonly argv: readonly string[];
}

/** The profile of one of its threads, which is running: part by part, so that the process need not hold all of it. */
export interface AttachedParts {
  /** Writes what was sampled since the last time. The bytes; null where the thread has ended. */
  readonly write: (goesOn: boolean) => Promise<number | null>;
  /** Tells when it ended, so that nobody takes it for killed. */
  readonly end: () => Promise<void>;
}

export function attachedParts(
  send: Inspector['send'],
  threadId: number,
  process: AttachedProcess,
  directory: string,
): AttachedParts {
  const isolate = `${process.pid}-${threadId}-${Date.now().toString(36)}`;
  const state = { part: 0, end: 0 };
  const tell = async (event: RecordingEvent): Promise<void> =>
    appendFile(path.join(directory, eventsFile), `${JSON.stringify(event)}\n`, appending);
  return {
    write: async (goesOn) => {
      const answer = await send('Profiler.stop');
      const profile = answer instanceof Error ? undefined : answer.profile;
      if (profile === undefined) return null;
      if (goesOn) await send('Profiler.start');
      const taken: Told<Profiler.Profile> = fieldsOf(profile);
      if (state.part === 0) {
        const { pid, version: nodeVersion } = process;
        const argv = redactArguments(process.argv);
        const at = microseconds(Number(taken.startTime ?? 0));
        await tell({ type: 'start', isolate, pid, threadId, ppid: 0, argv, execArgv: [], nodeVersion, at });
      }
      state.end = Number(taken.endTime ?? 0);
      const text = JSON.stringify(goesOn ? endingIdle(taken) : taken);
      await writeFile(path.join(directory, `${isolate}.${state.part}${profileSuffix}`), text, {
        mode: 0o600,
        flag: 'wx',
      });
      state.part += 1;
      return text.length;
    },
    end: async () => {
      if (state.part > 0) await tell({ type: 'end', isolate, at: microseconds(state.end), reason: 'exit' });
    },
  };
}

/** Adds one sample of waiting: until V8's profiler runs again, 0.2 s on a large heap, the program does not block. */
function endingIdle(profile: Told<Profiler.Profile>): Told<Profiler.Profile> {
  const [nodes, samples, deltas] = [profile.nodes, profile.samples, profile.timeDeltas].map(listOf);
  const [start, end] = [Number(profile.startTime), Number(profile.endTime)];
  const idle = nodes?.map((node): Told<Profiler.ProfileNode> => fieldsOf(node)).find(isIdle)?.id;
  if (idle === undefined) return profile; // It was never idle: there the pause counts for what came before.
  const last = (deltas ?? []).reduce<number>((time, delta) => time + Number(delta), start);
  return { ...profile, samples: [...(samples ?? []), idle], timeDeltas: [...(deltas ?? []), Math.max(0, end - last)] };
}

function isIdle({ callFrame }: Told<Profiler.ProfileNode>): boolean {
  const frame: Told<Runtime.CallFrame> = fieldsOf(callFrame);
  return frame.functionName === '(idle)';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
