import { firstFrom } from '../../basics/lists.ts';

/**
 * How long a thread had waited for a processor at some moments, read from outside, in µs. Reading `i` was taken at
 * `at[i]` and gave `wait[i]`; until `before[i]`, the value was that of the reading before.
 */
export interface WaitCurve {
  readonly before: Float64Array;
  readonly at: Float64Array;
  readonly wait: Float64Array;
}

/** A moment in a turn, and how long the thread had waited in the turn by then. In µs. */
interface KnownWait {
  /** Index into the given moments. */
  readonly index: number;
  readonly time: number;
  readonly wait: number;
}

/** Moments of a turn at which the wait since its begin is known to ±1.5 ms. Empty for readings of another thread. */
export function knownWaits(
  curve: WaitCurve,
  { start, end, wait }: { start: number; end: number; wait: number },
  moments: Float64Array,
): readonly KnownWait[] {
  const [leastAtStart, mostAtStart] = waitedBy(curve, start);
  const [leastAtEnd, mostAtEnd] = waitedBy(curve, end);
  const least = Math.max(leastAtStart, leastAtEnd - wait);
  const most = Math.min(mostAtStart, mostAtEnd - wait);
  if (most < least - MAX_ERROR_US || most > least + 2 * MAX_ERROR_US) return [];
  const base = (least + most) / 2;
  const known: KnownWait[] = [];
  let last: Omit<KnownWait, 'index'> = { time: start, wait: 0 };
  for (let index = 0; index < moments.length; index++) {
    const time = moments[index] ?? 0;
    const [low, high] = waitedBy(curve, time);
    if (high - low > MAX_ERROR_US) continue;
    const waited = (low + high) / 2 - base;
    // The wait is no longer than the time that passed, and leaves room for the rest in the time that is left.
    const from = Math.max(last.wait, wait - (end - time));
    const to = Math.min(last.wait + time - last.time, wait);
    if (waited < from - MAX_ERROR_US || waited > to + MAX_ERROR_US || from > to) continue;
    last = { time, wait: Math.min(to, Math.max(from, waited)) };
    known.push({ index, ...last });
  }
  return known;
}

/** What the thread certainly waited between two moments, in µs. */
export function leastWait(curve: WaitCurve, start: number, end: number): number {
  const [, before] = waitedBy(curve, start);
  const [by] = waitedBy(curve, end);
  return Math.min(end - start, Math.max(0, by - before));
}

/** The least and the most that a running thread can have waited by a moment. The next reading may have later waits. */
function waitedBy({ before, at, wait }: WaitCurve, time: number): readonly [least: number, most: number] {
  const next = firstFrom(at, time);
  const counted = wait[next - 1] ?? 0;
  if (next < at.length && time <= (before[next] ?? -Infinity)) return [counted, counted];
  const most = wait[next] ?? Infinity;
  return [Number.isFinite(most) ? Math.max(counted, most - ((at[next] ?? time) - time)) : counted, most];
}

const MAX_ERROR_US = 1500;
