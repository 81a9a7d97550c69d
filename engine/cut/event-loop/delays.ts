import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { MeasuredTurns, LoopPeriod } from '../../read/samples/sample-stream.ts';
import { firstFrom } from '../../basics/lists.ts';
import { turnClassBounds } from '../../../protocol/recording-lines.ts';

/**
 * How long something that arrives at any moment (a request, a timer that is due) has to wait for the end of the turn
 * that is going on.
 */
export interface Delays {
  readonly p50: Microseconds;
  readonly p90: Microseconds;
  readonly p99: Microseconds;
  readonly most: Microseconds;
}

/**
 * Arrivals whose waits are spread evenly between `least` and `most` µs. `count` is the number of turns in which they come,
 * so there are `count` × (`most` − `least`) µs of arrivals.
 */
export interface Waits {
  readonly least: number;
  readonly most: number;
  readonly count: number;
}

/**
 * What arrives in a turn waits for the rest of the turn. What waits already, and is served first, is not counted. Turns
 * of 1 ms and more are known one by one, and last as long as they held the loop. Shorter ones all count with the mean
 * length of their class.
 */
export function waitsIn(
  { start, end, classes }: LoopPeriod,
  { starts, ends, held }: Pick<MeasuredTurns, 'starts' | 'ends' | 'held'>,
): readonly Waits[] {
  const waits: Waits[] = [];
  for (let turn = firstFrom(ends, start); turn < starts.length; turn++) {
    const [begin, until, length] = [starts[turn] ?? end, ends[turn] ?? end, held[turn] ?? 0];
    if (begin >= end) break;
    if (length < leastTurn) continue;
    const share = length / (until - begin);
    waits.push({
      least: Math.max(0, until - end) * share,
      most: (until - Math.max(begin, start)) * share,
      count: 1,
    });
  }
  for (const { below, count, time } of classes) {
    if (below !== null && below <= leastTurn && count > 0) waits.push({ least: 0, most: time / count, count });
  }
  return waits;
}

/** The length, in µs, below which turns are in the histogram only (`protocol/recording-lines.ts`). */
const leastTurn = turnClassBounds[3];

/** What threads waited for a processor in the turns of a period, in µs. It is no busy time of the loop. */
export function waitedIn(
  { start, end }: LoopPeriod,
  turns: Pick<MeasuredTurns, 'starts' | 'ends' | 'held' | 'wait'>,
): number {
  const { starts, ends, held, wait } = turns;
  let waited = 0;
  for (let turn = firstFrom(ends, start); (starts[turn] ?? end) < end; turn++) {
    const [begin, until] = [starts[turn] ?? end, ends[turn] ?? end];
    const inside = Math.min(until, end) - Math.max(begin, start);
    // A turn without counted waits is left out: the recorder's sums of it are by the clock, too.
    if (until > begin && (wait[turn] ?? -1) >= 0)
      waited += (until - begin - (held[turn] ?? 0)) * (inside / (until - begin));
  }
  return waited;
}

/** The share of the turns' time by the clock that was held time, from 0 to 1. */
export function heldShare({ starts, ends, held, wait }: MeasuredTurns): number {
  let [all, kept] = [0, 0];
  for (const [turn, start] of starts.entries()) {
    const wall = (ends[turn] ?? start) - start;
    all += wall;
    kept += (wait[turn] ?? -1) < 0 ? wall : (held[turn] ?? wall);
  }
  return all === 0 ? 1 : kept / all;
}

/** Delays over `time` µs, which contain all these waits. What arrives while the loop is idle does not wait. */
export function delaysOf(waits: readonly Waits[], time: number): Delays {
  const most = waits.reduce((longest, wait) => Math.max(longest, wait.most), 0);
  const quantile = (share: number): Microseconds =>
    microseconds(Math.round(waitOf(waits, Math.round(time * (1 - share)), most)));
  return { p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99), most: microseconds(Math.round(most)) };
}

/** The wait that arrivals in only `rest` µs exceed, to half a µs. */
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

/** For how many µs arrivals wait longer than `wait` µs. */
function timeAbove(waits: readonly Waits[], wait: number): number {
  return waits.reduce((sum, { least, most, count }) => sum + count * Math.max(0, most - Math.max(wait, least)), 0);
}
