import { turnClassBounds } from '../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { firstSampleFrom } from '../operations/sample-search.ts';
import type { MeasuredTurns } from '../samples/sample-stream.ts';
import type { LoopPeriod } from './loop-log.ts';

/** How long something that arrives at any moment (a request, a timer that is due) has to wait for the turn then going on. */
export interface Delays {
  readonly p50: Microseconds;
  readonly p90: Microseconds;
  readonly p99: Microseconds;
  readonly most: Microseconds;
}

/** Arrivals that wait between `least` and `most` µs, evenly spread over as many µs, `count` times. */
export interface Waits {
  readonly least: number;
  readonly most: number;
  readonly count: number;
}

/**
 * Who arrives in a turn waits for what is left of it; what waits already, and comes first, is not counted. The turns of
 * 1 ms and more are known one by one; shorter ones count as all of the mean length of their class.
 */
export function waitsIn(
  { start, end, classes }: LoopPeriod,
  { starts, ends }: Pick<MeasuredTurns, 'starts' | 'ends'>,
): readonly Waits[] {
  const waits: Waits[] = [];
  for (let turn = firstSampleFrom(ends, start); turn < starts.length; turn++) {
    const [begin, until] = [starts[turn] ?? end, ends[turn] ?? end];
    if (begin >= end) break;
    waits.push({ least: Math.max(0, until - end), most: until - Math.max(begin, start), count: 1 });
  }
  for (const { below, count, time } of classes) {
    if (below !== null && below <= leastTurn && count > 0) waits.push({ least: 0, most: time / count, count });
  }
  return waits;
}

/** Shorter turns are in the histogram alone: `protocol/recording.ts`. In µs. */
const leastTurn = turnClassBounds[3];

/** Over `time` µs, in which all these waits lie; who arrives while the loop waits does not. */
export function delaysOf(waits: readonly Waits[], time: number): Delays {
  const most = waits.reduce((longest, wait) => Math.max(longest, wait.most), 0);
  const quantile = (share: number): Microseconds =>
    microseconds(Math.round(waitOf(waits, Math.round(time * (1 - share)), most)));
  return { p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99), most: microseconds(Math.round(most)) };
}

/** The wait that only arrivals in `rest` µs exceed, to half a µs. */
function waitOf(waits: readonly Waits[], rest: number, longest: number): number {
  let [low, high] = [0, longest];
  if (timeAbove(waits, 0) <= rest) return 0;
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (timeAbove(waits, middle) > rest) low = middle;
    else high = middle;
  }
  return high;
}

/** In how many µs arrivals wait longer than `wait` µs. */
function timeAbove(waits: readonly Waits[], wait: number): number {
  return waits.reduce((sum, { least, most, count }) => sum + count * Math.max(0, most - Math.max(wait, least)), 0);
}
