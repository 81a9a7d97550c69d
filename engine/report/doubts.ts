import { duration, plural } from '../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Analysis } from '../analysis.ts';
import type { Doubt, Operation } from '../operations/operation.ts';
import { isBackground } from '../samples/sample-stream.ts';

/** One sentence for each reason to doubt long operations that were measured, about all of them. */
export function doubtSentences({
  operations,
  streams,
  thresholdUs,
}: Pick<Analysis, 'operations' | 'streams' | 'thresholdUs'>): readonly string[] {
  const long = operations.filter((one) => lengthOf(one) > thresholdUs && !isBackground(streams[one.stream]));
  const doubted = (doubt: Doubt): readonly Operation[] => long.filter((one) => one.doubt === doubt);
  return [...waitedSentence(doubted('waited'), long.length), ...recorderSentence(doubted('recorder'), long.length)];
}

function waitedSentence(waited: readonly Operation[], long: number): readonly string[] {
  const worst = worstOf(waited);
  if (worst === undefined) return [];
  const share = `${waited.length} of ${plural(long, 'long operation')}`;
  const example = `${duration(worst.cpu ?? microseconds(0))} of CPU in ${duration(lengthOf(worst))}`;
  return [
    `The machine was busy, or the program waited: ${share} had the processor for less than 70 % of the time (${example}). ${figuresOf(waited)} are estimates: record again when less is running.`,
  ];
}

function recorderSentence(own: readonly Operation[], long: number): readonly string[] {
  if (own.length === 0) return [];
  return [
    `${own.length} of ${plural(long, 'long operation')} made so many callbacks that recording them took over a tenth of the time: it was taken off, and ${figuresOf(own).toLowerCase()} are estimates.`,
  ];
}

function figuresOf(operations: readonly Operation[]): string {
  return operations.length === 1 ? 'Its figures' : 'Their figures';
}

function worstOf(operations: readonly Operation[]): Operation | undefined {
  return operations.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}

function lengthOf({ start, end }: Operation): Microseconds {
  return microseconds(end - start);
}
