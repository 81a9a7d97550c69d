import { duration, plural } from '../../words/formats/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Analysis } from '../analysis.ts';
import type { Doubt, Operation } from '../operations/operation.ts';
import { isBackground } from '../samples/sample-stream.ts';
import { gapSentences } from './gaps.ts';

type Found = Pick<Analysis, 'operations' | 'streams' | 'bridged' | 'functions' | 'thresholdUs'>;

/** How busy the machine was, and each reason to doubt long operations that were measured: a sentence about all of them. */
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

/** Of the time that the program was ready to run, how much it could: where that is clearly not all of it. */
function shareSentences(streams: Analysis['streams']): readonly string[] {
  let [ran, waited, wall] = [0, 0, 0];
  for (const { turns } of streams.filter((stream) => !isBackground(stream))) {
    for (const [turn, wait] of turns?.wait.entries() ?? []) {
      if (wait < 0) continue;
      waited += wait;
      ran += Math.max(0, turns?.run[turn] ?? 0);
      wall += (turns?.ends[turn] ?? 0) - (turns?.starts[turn] ?? 0);
    }
  }
  // A program that sleeps all the time is woken late now and then.
  if (waited <= leastWait * wall) return [];
  const share = Math.round((100 * ran) / (ran + waited));
  return [
    `The machine was busy: the processor was yours ${share} % of the time. No figure holds what was waited for it.`,
  ];
}

const leastWait = 0.1;

/** Where nobody counts what threads wait: other systems than Linux, and recordings of the first version. */
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
