import { duration, plural } from './formats/figures.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';
import type { Analysis } from '../engine/analysis.ts';
import { type Isolate, isBackground, type SampleStream } from '../engine/read/samples/sample-stream.ts';
import { programName, type ProgramLoops, programLoops } from '../engine/cut/event-loop/program-loops.ts';
import { isWorker, threadName } from './thread-names.ts';

/** A thread that is in no figure, because nobody waits for its event loop. */
export interface LeftOutThread {
  /** As `threadName` says it. */
  readonly label: string;
  readonly longestUs: Microseconds;
}

type Found = Pick<Analysis, 'streams' | 'operations' | 'thresholdUs'>;

/** Those threads that held their loops for longer than the threshold, the longest first. */
export function leftOutThreads({ streams, operations, thresholdUs }: Found): readonly LeftOutThread[] {
  return leftOut({ streams, operations, thresholdUs }).map(({ index, longestUs }) => ({
    label: threadName(streams, index),
    longestUs,
  }));
}

/**
 * A sentence about those threads: `Left out, as nobody waits on their loops: 2 worker threads, 1 child process
 * (esbuild), up to 320 ms in one go.` Null where there are none.
 */
export function leftOutText(found: Found): string | null {
  const threads = leftOut(found);
  const [longest] = threads;
  if (longest === undefined) return null;
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
  return `Left out, as nobody waits on their loops: ${parts.join(', ')}; up to ${duration(longest.longestUs)} in one go.`;
}

function leftOut({
  streams,
  operations,
  thresholdUs,
}: Found): readonly { readonly index: number; readonly isolate: Isolate; readonly longestUs: Microseconds }[] {
  const longest = streams.map(() => 0);
  for (const { stream, held } of operations) longest[stream] = Math.max(longest[stream] ?? 0, held);
  return streams
    .map((stream, index) => {
      const { isolate } = stream;
      return { stream, index, isolate, longestUs: microseconds(longest[index] ?? 0) };
    })
    .filter(({ stream, longestUs }) => longestUs > thresholdUs && (isBackground(stream) || stream.isolate.isTestParent))
    .toSorted((a, b) => b.longestUs - a.longestUs);
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` (${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''})`;
}

/**
 * Sentences about the loops that somebody waits for: `Event loop busy 62 % of 12.3 s · delay p50 0 ms, p99 212 ms, at
 * most 312 ms · GC 3 %`. Where there are several programs, each has its own, `Event loop of server.js busy …`.
 */
export function loopSummaries(streams: readonly SampleStream[]): readonly string[] {
  const programs = programLoops(streams);
  return programs.map((loops) => `Event loop${programs.length > 1 ? nameText(loops) : ''} busy ${figuresText(loops)}`);
}

/** The name in such a sentence: ` of server.js`, ` of vitest (28 processes)`. */
function nameText(loops: ProgramLoops): string {
  return ` of ${programText(loops)}`;
}

/** A program by name: `server.js`, `vitest (28 processes)`. */
export function programText({ program, processes }: ProgramLoops): string {
  return `${program ?? 'other processes'}${processes > 1 ? ` (${processes} processes)` : ''}`;
}

function figuresText(loops: ProgramLoops): string {
  const { busy, delay, collections } = loopTexts(loops);
  return `${busy} · delay ${delay} · GC ${collections}`;
}

/** The figures of a loop one by one: `62 % of 12.3 s`, `p50 0 ms, p99 212 ms, at most 312 ms`, `3 %`. */
export function loopTexts({ time, busy, collecting, delays }: ProgramLoops): LoopTexts {
  const percent = (part: number): string => `${Math.min(100, Math.round((100 * part) / time))} %`;
  return {
    busy: `${percent(busy)} of ${duration(time)}`,
    delay: `p50 ${duration(delays.p50)}, p99 ${duration(delays.p99)}, at most ${duration(delays.most)}`,
    collections: percent(collecting),
  };
}

interface LoopTexts {
  readonly busy: string;
  readonly delay: string;
  readonly collections: string;
}
