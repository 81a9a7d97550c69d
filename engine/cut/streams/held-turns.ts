import { type Microseconds, milliseconds } from '../../../protocol/units.ts';
import type { MeasuredTurns, TurnReadings } from '../../read/samples/sample-stream.ts';
import type { SampleTimes } from '../../read/samples/sample-times.ts';

/**
 * How long each turn held the loop, without the time for which its thread waited for a processor; and how long it
 * slept. It goes by the counts of Linux's scheduler; without counts, by CPU time and samples; without these, by the
 * clock.
 */
export function heldTurns(
  readings: TurnReadings,
  times: SampleTimes,
  interval: Microseconds,
): Omit<MeasuredTurns, 'waits'> {
  const { starts, ends, run, wait } = readings;
  const held = new Float64Array(starts.length);
  const slept = new Float64Array(starts.length).fill(-1);
  for (const [turn, start] of starts.entries()) {
    const end = ends[turn] ?? start;
    const wall = end - start;
    const ran = run[turn] ?? -1;
    const waited = wait[turn] ?? -1;
    const isByCpu = waited < 0 && ran >= 0 && !readings.isByClock;
    if (isByCpu) held[turn] = Math.min(wall, withoutScheduler(ran, sampledTime(start, end, times, interval)));
    else held[turn] = wall - Math.min(Math.max(0, waited), Math.max(0, wall - Math.max(0, ran)));
    if (ran >= 0 && (waited >= 0 || isByCpu)) slept[turn] = Math.max(0, (held[turn] ?? 0) - ran);
  }
  return { ...readings, held, slept, isBusy: busyTurns(readings, held) };
}

/**
 * Held time without the scheduler's counts. Measurements show that samples are on time while a thread sleeps, and late
 * while others have the processor. So where there are clearly more samples than the CPU time explains, the thread
 * slept.
 */
function withoutScheduler(ran: number, sampled: number): number {
  return sampled > 1.3 * ran ? Math.max(ran, sampled) : ran;
}

/** Sum of the times between samples in a turn, each of at most one interval, in µs. */
function sampledTime(start: number, end: number, times: SampleTimes, interval: number): number {
  let sum = 0;
  let from = start;
  for (let sample = times.firstFrom(start) + 1; (times.at(sample) ?? end) < end; sample++) {
    const to = times.at(sample) ?? end;
    sum += Math.min(to - from, interval);
    from = to;
  }
  return sum + Math.min(end - from, interval);
}

/**
 * Has 1 where the turns that ended within a second of this one waited for a processor for over a tenth of their time.
 */
function busyTurns({ starts, ends, wait }: TurnReadings, held: Float64Array): Uint8Array {
  const wallOf = (turn: number): number => (ends[turn] ?? 0) - (starts[turn] ?? 0);
  const waitOf = (turn: number): number => ((wait[turn] ?? -1) < 0 ? 0 : wallOf(turn) - (held[turn] ?? 0));
  const isBusy = new Uint8Array(ends.length);
  let [from, to, waited, time] = [0, 0, 0, 0];
  for (const [turn, end] of ends.entries()) {
    for (; (ends[to] ?? Infinity) <= end + near; to++) {
      waited += waitOf(to);
      time += wallOf(to);
    }
    for (; (ends[from] ?? end) < end - near; from++) {
      waited -= waitOf(from);
      time -= wallOf(from);
    }
    isBusy[turn] = Number(waited * 10 > time);
  }
  return isBusy;
}

const near = milliseconds(1000);
