import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { stopFile, eventsFile, profileSuffix } from '../../../protocol/recording.ts';
import type { RecordingEvent } from '../../../protocol/recording-lines.ts';
import type { AttachedWorkers } from './attached-workers.ts';
import { evaluate, type Inspector, type Told, fieldsOf } from './inspector.ts';
import { appendFile, writeFile } from 'node:fs/promises';
import { appending, reasonOf } from '../../../recordings/private-files.ts';
import { redactArguments } from '../../command-lines/redact.ts';
import { microseconds } from '../../../protocol/units.ts';
import type { Profiler, Runtime } from 'node:inspector';
import path from 'node:path';

export interface PartsOptions {
  readonly directory: string;
  /** The most bytes that all parts may have together; null: no limit. */
  readonly mostBytes: number | null;
  readonly isStopped: AbortSignal;
  /** Length of a part in ms; the process holds a part in its memory. One minute where it is not given. */
  readonly partMs?: number;
}

/**
 * Writes the running profiles of a process and its workers, part by part, until somebody stops it, the process ends, the
 * limit is reached, or nothing more can be written. `notes` are sentences for the person about what is missing.
 */
export async function writeParts(
  inspector: Inspector,
  workers: AttachedWorkers,
  process: AttachedProcess,
  { directory, mostBytes, isStopped, partMs = 60_000 }: PartsOptions,
): Promise<{ readonly notes: readonly string[]; readonly isRecorded: boolean }> {
  const main = attachedParts(inspector.send, 0, process, directory);
  const others = new Map<string, AttachedParts>();
  const state = { bytes: 0 };
  const writeAll = async (goesOn: boolean): Promise<'written' | 'gone'> => {
    // A copy of the list: new workers would prolong the loop, for ever where they come and go.
    for (const [id, { send }] of [...workers.running]) {
      if (mostBytes !== null && state.bytes >= mostBytes) break;
      const parts = others.get(id) ?? attachedParts(send, await threadOf(send, id), process, directory);
      others.set(id, parts);
      state.bytes += (await parts.write(goesOn)) ?? 0;
    }
    const written = await main.write(goesOn);
    state.bytes += written ?? 0;
    return written === null ? 'gone' : 'written';
  };
  const notes: string[] = [];
  try {
    while (notes.length === 0) {
      const goesOn = !(await isOverIn(partMs, inspector.isOver, isStopped, directory));
      const end = await writeAll(goesOn);
      if (end === 'gone' && state.bytes > 0) notes.push(endedNote(process, partMs));
      else if (goesOn && mostBytes !== null && state.bytes >= mostBytes) notes.push(fullNote(mostBytes));
      if (end === 'gone' || !goesOn) break;
    }
    for (const parts of [main, ...others.values()]) await parts.end();
  } catch (error) {
    notes.push(unwrittenNote(directory, error));
  }
  if (workers.ended > 0) notes.push(endedWorkersNote(workers.ended, partMs));
  return { notes, isRecorded: state.bytes > 0 };
}

/** What a worker had not written is lost with it: V8 gives a thread's profile only while the thread runs. */
function endedWorkersNote(ended: number, partMs: number): string {
  const [threads, whose] = ended === 1 ? ['1 worker thread', 'its'] : [`${ended} worker threads`, 'their'];
  return `${threads} ended meanwhile: what ran in ${whose} last ${Math.ceil(partMs / 1000)} s is missing. Record the process from its start instead: then nothing is.`;
}

function unwrittenNote(directory: string, error: unknown): string {
  return `A part of the profile could not be written to ${directory} (${reasonOf(error)}), so the recording ends before it: make room there, or choose another folder with --out.`;
}

function endedNote({ pid }: AttachedProcess, partMs: number): string {
  return `Process ${pid} ended: what it did in its last ${Math.ceil(partMs / 1000)} s may be missing.`;
}

function fullNote(mostBytes: number): string {
  return `The recording reached its limit of ${mostBytes / 1e6} MB and was stopped, the process goes on: record a shorter time, or raise --max-size.`;
}

/** The id of a worker's thread; its number in the inspector where the worker does not answer. */
async function threadOf(send: Inspector['send'], id: string): Promise<number> {
  const known = await evaluate(send, 'require("node:worker_threads").threadId');
  return typeof known === 'number' ? known : Number(id);
}

/**
 * Waits `limit` ms and resolves with false. Resolves earlier with true where the process has ended, the person stops,
 * or the `stop` file appears.
 */
async function isOverIn(
  limit: number,
  isOver: AbortSignal,
  isStopped: AbortSignal,
  directory: string,
): Promise<boolean> {
  const since = performance.now();
  while (performance.now() - since < limit) {
    if (isOver.aborted || isStopped.aborted || existsSync(path.join(directory, stopFile))) return true;
    await delay(100);
  }
  return false;
}

/** What a running process says about itself. */
export interface AttachedProcess {
  readonly pid: number;
  readonly version: string;
  readonly argv: readonly string[];
}

/** The running profile of one thread. It is taken part by part, so that the process need not hold all of it. */
interface AttachedParts {
  /**
   * Writes what was sampled since the last call. Resolves with the number of bytes; null where the thread has ended.
   */
  readonly write: (goesOn: boolean) => Promise<number | null>;
  /** Notes the end of the thread, so that it is not taken for killed. */
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

/**
 * Adds one idle sample at the end: until V8's profiler runs again, which takes 0.2 s on a large heap, nothing is known
 * of the program, and it must not look blocked.
 */
function endingIdle(profile: Told<Profiler.Profile>): Told<Profiler.Profile> {
  const [nodes, samples, deltas] = [profile.nodes, profile.samples, profile.timeDeltas].map(listOf);
  const [start, end] = [Number(profile.startTime), Number(profile.endTime)];
  const idle = nodes?.map((node): Told<Profiler.ProfileNode> => fieldsOf(node)).find(isIdle)?.id;
  if (idle === undefined) return profile; // The program was never idle: then the pause counts for what ran before.
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
