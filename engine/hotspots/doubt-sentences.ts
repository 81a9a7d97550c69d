import { duration, plural } from '../../words/formats/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { JudgedRun } from './judged-run.ts';
import type { Doubt, Operation } from '../operations/operation.ts';
import { isBackground, type SampleStream } from '../samples/sample-stream.ts';
import { metaNodes } from '../samples/call-tree.ts';
import { intervalAt } from '../samples/times.ts';
import { treeFacts } from '../streams/tree-facts.ts';
import { functionFlags } from '../functions/function-table.ts';

type Found = Pick<JudgedRun, 'operations' | 'streams' | 'bridged' | 'functions' | 'thresholdUs'>;

/** Sentences about how busy the machine was, and one for each reason to doubt long operations that were measured. */
export function doubtSentences(found: Found): readonly string[] {
  const { operations, streams, thresholdUs } = found;
  const long = operations.filter((one) => one.held > thresholdUs && !isBackground(streams[one.stream]));
  const doubted = (doubt: Doubt): readonly Operation[] => long.filter((one) => one.doubt === doubt);
  return [
    ...shareSentences(streams),
    ...noProcessorSentences(doubted('noProcessor'), long.length),
    ...recorderSentences(doubted('recorder'), long.length),
    ...gapSentences(found),
  ];
}

/**
 * A sentence about how much of the time the program could run, of that in which it was ready to; only where that is
 * clearly not all of it.
 */
function shareSentences(streams: JudgedRun['streams']): readonly string[] {
  let [ran, waited, wall] = [0, 0, 0];
  for (const { turns } of streams.filter((stream) => !isBackground(stream))) {
    for (const [turn, wait] of turns?.wait.entries() ?? []) {
      if (wait < 0) continue;
      waited += wait;
      ran += Math.max(0, turns?.run[turn] ?? 0);
      wall += (turns?.ends[turn] ?? 0) - (turns?.starts[turn] ?? 0);
    }
  }
  // A program that sleeps nearly always is woken late now and then.
  if (waited <= leastWait * wall) return [];
  const share = Math.round((100 * ran) / (ran + waited));
  return [
    `The machine was busy: the processor was yours ${share} % of the time. No figure holds what was waited for it.`,
  ];
}

const leastWait = 0.1;

/** A sentence for where nobody counts waits of threads: other systems than Linux, and recordings of version 1. */
function noProcessorSentences(waited: readonly Operation[], long: number): readonly string[] {
  const worst = waited.toSorted((a, b) => b.held - a.held)[0];
  if (worst === undefined) return [];
  const share = `${waited.length} of ${plural(long, 'long operation')}`;
  const example = `${duration(worst.thread.run ?? microseconds(0))} of CPU in ${duration(wallOf(worst))}`;
  return [
    `The machine was busy, or the program waited: ${share} had the processor for less than 70 % of the time (${example}). ${figuresOf(waited)} are estimates: record again when less is running.`,
  ];
}

function recorderSentences(own: readonly Operation[], long: number): readonly string[] {
  if (own.length === 0) return [];
  return [
    `${own.length} of ${plural(long, 'long operation')} made so many callbacks that recording them took over a tenth of the time: it was taken off, and ${figuresOf(own).toLowerCase()} are estimates.`,
  ];
}

function figuresOf(operations: readonly Operation[]): string {
  return operations.length === 1 ? 'Its figures' : 'Their figures';
}

function wallOf({ start, end }: Operation): Microseconds {
  return microseconds(end - start);
}

/**
 * A sentence for where profiles without measured turns are of a busy machine: then their samples come late. Such time
 * is never taken off, because a call that waits for a disk gives one sample, too.
 */
function gapSentences({
  streams,
  bridged,
  functions: { functions },
}: Pick<JudgedRun, 'streams' | 'bridged' | 'functions'>): readonly string[] {
  const shown = streams.map((stream, index) => ({ ...stream, nodes: bridged[index]?.nodes ?? stream.nodes }));
  const foreign = shown.filter(({ turns, tiered }) => turns === null && tiered === null);
  // In a recording, the sentence about its turns says it better.
  if (foreign.length < streams.length || foreign.length === 0) return [];
  const flags = functionFlags(functions);
  const sums = foreign.map((stream) => gapsOf(stream, treeFacts(stream.tree, flags).waiter));
  const working = sums.reduce((sum, one) => sum + one.working, 0);
  const late = sums.reduce((sum, one) => sum + one.late, 0);
  if (working < leastTime || late <= mostLate * working) return [];
  return [
    `The machine was busy while this was profiled, or samples were lost: ${Math.round((100 * late) / working)} % of the working time lies between samples that came late, so times are longer than on a quiet machine. "hotspan record" tells what others took.`,
  ];
}

/**
 * Time of samples that neither idle nor wait in a call, and how much of it lies between two samples that are far apart.
 * In µs.
 */
function gapsOf({ times, nodes, end }: SampleStream, waiter: Int32Array): { working: number; late: number } {
  const sum = { working: 0, late: 0 };
  // The interval is that of samples that come on time, which are few on a busy machine.
  const interval = intervalAt(times, 0.1);
  if (interval === 0) return sum;
  for (const [sample, node] of nodes.entries()) {
    if (node === metaNodes.idle || (waiter[node] ?? -1) !== -1) continue;
    const time = (times[sample + 1] ?? end) - (times[sample] ?? end);
    sum.working += time;
    if (time > 5 * interval) sum.late += time;
  }
  return sum;
}

/** Largest share of late time on a quiet machine: measured were 3 to 14 % there, and 38 to 88 % on a busy one. */
const mostLate = 0.25;
/** Least time in µs from which anything can be told. */
const leastTime = 200_000;
