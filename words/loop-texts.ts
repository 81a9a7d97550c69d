import { duration, percent, plural } from './formats/figures.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';
import type { Analysis } from '../engine/analysis.ts';
import type { Operation } from '../engine/cut/operations/operation.ts';
import { type Isolate, isWaitedFor, type SampleStream } from '../engine/read/samples/sample-stream.ts';
import { programName, type ProgramLoops, programLoops } from '../engine/cut/event-loop/program-loops.ts';
import { isWorker, threadName } from './thread-names.ts';

type Found = Pick<Analysis, 'streams' | 'operations' | 'thresholdUs'>;

interface LeftOutThread {
  /** As in `threadName`. */
  readonly label: string;
  readonly isolate: Isolate;
  readonly longest: LongestOperation;
}

interface LongestOperation {
  readonly us: Microseconds;
  /** `≈312 ms`, `312 ms`. */
  readonly text: string;
}

/** The longest operation of each stream; 0 where it has none. */
export function longestOperations({ streams, operations }: Omit<Found, 'thresholdUs'>): readonly LongestOperation[] {
  const longest = new Map<number, Operation>();
  for (const operation of operations)
    if (operation.held > (longest.get(operation.stream)?.held ?? 0)) longest.set(operation.stream, operation);
  return streams.map(({ turns }, index) => {
    const { held, measured, doubt } = longest.get(index) ?? {
      held: microseconds(0),
      measured: turns !== null,
      doubt: null,
    };
    return { us: held, text: `${measured && doubt === null ? '' : '≈'}${duration(held)}` };
  });
}

/**
 * The threads that held their loops over the threshold, but are in no figure because nothing waits for them; the longest
 * first.
 */
export function leftOutThreads(found: Found): readonly LeftOutThread[] {
  const { streams, thresholdUs } = found;
  const all = longestOperations(found);
  return streams
    .flatMap((stream, index) => {
      const [{ isolate }, longest] = [stream, all[index]];
      if (longest === undefined || longest.us <= thresholdUs) return [];
      return isWaitedFor(stream) ? [] : [{ label: threadName(streams, index), isolate, longest }];
    })
    .toSorted((a, b) => b.longest.us - a.longest.us);
}

/** A sentence about those threads, with up to three names of child processes; null if there are none. */
export function leftOutText(found: Found): string | null {
  const threads = leftOutThreads(found);
  const [first] = threads;
  if (first === undefined) return null;
  const parents = threads.filter(({ isolate }) => isolate.isTestParent);
  const workers = threads.filter(({ isolate }) => isWorker(isolate));
  const children = threads.filter(({ isolate }) => !isolate.isTestParent && !isWorker(isolate));
  const names = [...new Set(children.map(({ isolate }) => programName(isolate)).filter((name) => name !== null))];
  const parts = [
    ...(parents.length > 0 ? ["the test runner's own process"] : []),
    ...(workers.length > 0 ? [plural(workers.length, 'worker thread')] : []),
    ...(children.length > 0
      ? [`${children.length} child process${children.length === 1 ? '' : 'es'}${listed(names)}`]
      : []),
  ];
  return `Left out, as nothing waits for their event loops: ${parts.join(', ')}; up to ${first.longest.text} in one go.`;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` (${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''})`;
}

/**
 * `Event loop busy 62 % of 12.3 s · delay p50 0 ms, p99 212 ms, at most 312 ms · GC 3 %`; one for each program that is
 * waited for: `Event loop of server.js busy …`.
 */
export function loopSummaries(streams: readonly SampleStream[]): readonly string[] {
  const programs = programLoops(streams);
  return programs.map((loops) => {
    const { busy, delay, collections } = loopTexts(loops);
    const name = programs.length > 1 ? ` of ${programText(loops)}` : '';
    return `Event loop${name} busy ${busy} · delay ${delay} · GC ${collections}`;
  });
}

/** `server.js`, `vitest (28 processes)`. */
export function programText({ program, processes }: ProgramLoops): string {
  return `${program ?? 'other processes'}${processes > 1 ? ` (${processes} processes)` : ''}`;
}

/** `62 % of 12.3 s`, `p50 0 ms, p99 212 ms, at most 312 ms`, `3 %`. */
export function loopTexts({ time, busy, collecting, delays }: ProgramLoops): LoopTexts {
  return {
    busy: `${percent(Math.min(busy, time), time)} of ${duration(time)}`,
    delay: `p50 ${duration(delays.p50)}, p99 ${duration(delays.p99)}, at most ${duration(delays.most)}`,
    collections: percent(Math.min(collecting, time), time),
  };
}

interface LoopTexts {
  readonly busy: string;
  readonly delay: string;
  readonly collections: string;
}
