import { SampleTimes } from '../samples/sample-times.ts';
import type { CpuProfile, ProfileFrame } from '../samples/cpu-profile.ts';
import { defectWarnings } from './cpuprofile/profile-warning.ts';
import type { PlainReader } from './cpuprofile/plain-reader.ts';
import { readCpuProfile } from './cpuprofile/read-cpu-profile.ts';
import type { World } from '../files/world.ts';
import { DebuggerNotes, type DebuggerPlaces, isOfDebugger } from './js-debug/debugger-notes.ts';
import { isTrace, isV8Log, kindOfFile } from '../files/file-kinds.ts';
import { type LoadedThread, loadTrace } from './chrome-trace/load-trace.ts';
import type { IsolateSource } from '../recording-files/isolate-source.ts';
import { loadV8Log } from './v8-log/load-v8-log.ts';
import type { PathMap } from '../files/path-map.ts';
import { openFile } from '../files/opened-file.ts';
import { fileNameOf } from '../../../protocol/machine-path.ts';
import { milliseconds } from '../../../protocol/units.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

export type LoadedProfile =
  | {
      readonly type: 'profile';
      readonly profile: CpuProfile;
      readonly places: DebuggerPlaces;
      readonly warnings: readonly Warning[];
    }
  /** The file is a trace, in which several threads were sampled. */
  | { readonly type: 'trace'; readonly threads: readonly LoadedThread[]; readonly warnings: readonly Warning[] }
  | { readonly type: 'cancelled' }
  | { readonly type: 'missing' | 'silent' | 'unusable'; readonly warning: Warning };

/** What is needed to read file after file. */
export interface Reading {
  readonly world: World;
  readonly plain: PlainReader | null;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of bytes that were read of a file, piece by piece. */
  readonly onBytes: (count: number) => void;
  /** Where files that were recorded elsewhere are here. */
  readonly paths: PathMap;
  /** Urls for scripts of an isolate whose file was edited after they ran. */
  readonly olderUrls:
    | ((source: IsolateSource, frames: readonly ProfileFrame[]) => Promise<ReadonlyMap<string, string>>)
    | undefined;
}

/**
 * Reads one `.cpuprofile`, or a V8 log. `missing`: it cannot be read. `silent`: it has no samples. */
export async function loadProfile(path: string, { world, plain, signal, onBytes }: Reading): Promise<LoadedProfile> {
  const name = fileNameOf(path);
  const file = await openFile(path, world, onBytes);
  if (file === undefined) return { type: 'missing', warning: { type: 'fileUnreadable', file: name } };
  if (isTrace(file.start)) {
    const { threads, isWhole, isTooMuch } = await loadTrace(file, plain, signal);
    if (signal?.aborted === true) return { type: 'cancelled' };
    if (threads.length === 0 && isTooMuch)
      return { type: 'unusable', warning: { type: 'profileDamaged', file: name, damage: 'tooMany' } };
    if (threads.length === 0)
      return { type: 'unusable', warning: { type: 'traceDamaged', file: name, damage: isWhole ? 'empty' : 'cutOff' } };
    const warnings: readonly Warning[] = isWhole ? [] : [{ type: 'traceDamaged', file: name, damage: 'partly' }];
    return { type: 'trace', threads, warnings };
  }
  if (isV8Log(file.start)) {
    const log = await loadV8Log(file, name, world, signal);
    return log.type === 'profile' ? { ...log, places: new Map() } : log;
  }
  const kind = kindOfFile(name, file.start);
  if (kind !== null) {
    await file.close();
    return { type: 'unusable', warning: { type: 'otherKind', file: name, kind } };
  }
  const notes = isOfDebugger(file.start) ? new DebuggerNotes() : null;
  const decoded = await readCpuProfile(notes?.of(file.chunks) ?? file.chunks, signal, plain);
  if (decoded.type === 'cancelled') return decoded;
  if (decoded.type === 'damaged') {
    const { damage } = decoded;
    const warning: Warning = { type: 'profileDamaged', file: name, damage };
    return { type: damage === 'noSamples' ? 'silent' : 'unusable', warning };
  }
  return {
    type: 'profile',
    profile: asOfV8(decoded.profile),
    places: notes?.places() ?? new Map(),
    warnings: defectWarnings(name, decoded.profile.defects),
  };
}

/**
 * Turns a profile of Bun into what V8 would have written; any other profile stays as it is. Bun takes no sample while
 * its thread waits, where V8 takes samples at `(idle)`; without them, a callback would last until the next one. A whole
 * module is called `(module)` there. Bun's profiles are recognized by their clock, which is the time of day; V8's clock
 * runs from the start of the machine.
 */
function asOfV8(profile: CpuProfile): CpuProfile {
  const isOfBun = (profile.times.at(0) ?? 0) > firstTimeOfDay && !profile.frames.some(isIdle);
  if (!isOfBun) return profile;
  const frames = profile.frames.map((frame) =>
    frame.functionName === '(module)' ? { ...frame, functionName: '' } : frame,
  );
  const idleNode = profile.parent.length;
  const { start } = profile.ticks;
  return {
    ...profile,
    frames: [...frames, { functionName: '(idle)', url: '', line: -1, column: -1 }],
    parent: withLast(profile.parent, -1),
    frame: withLast(profile.frame, frames.length),
    ticks: { ...profile.ticks, start: withLast(start, start.at(-1) ?? 0) },
    ...withIdle(profile, idleNode),
  };
}

function withLast(numbers: Int32Array, last: number): Int32Array {
  const longer = new Int32Array(numbers.length + 1);
  longer.set(numbers);
  longer[numbers.length] = last;
  return longer;
}

/** A time in 2001, in µs since 1970. No machine has run for so long. */
const firstTimeOfDay = 1e15;

function isIdle({ functionName, url }: CpuProfile['frames'][number]): boolean {
  return functionName === '(idle)' && url === '';
}

/**
 * Adds idle samples: where no sample follows for long, a sample lasts as long as one does, and then the thread waits.
 */
function withIdle({ times, nodes, end }: CpuProfile, idleNode: number): Pick<CpuProfile, 'times' | 'nodes'> {
  const kept: number[] = [];
  const keptNodes: number[] = [];
  for (let sample = 0; sample < times.length; sample++) {
    const time = times.at(sample) ?? end;
    kept.push(time);
    keptNodes.push(nodes[sample] ?? -1);
    if ((times.at(sample + 1) ?? end) - time <= longestSample) continue;
    kept.push(time + usualSample);
    keptNodes.push(idleNode);
  }
  return { times: new SampleTimes(Float64Array.from(kept)), nodes: Int32Array.from(keptNodes) };
}

/**
 * Longest duration of a sample. Bun samples native code, too: measured were up to 9 ms between two samples of one call.
 */
const longestSample = milliseconds(20);
const usualSample = milliseconds(1);
