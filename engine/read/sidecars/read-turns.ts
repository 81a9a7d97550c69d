import type { TurnReadings, Collections, LoopLog, LoopPeriod } from '../samples/sample-stream.ts';
import { isList, numberOf, textOf } from '../../../protocol/json-value.ts';
import type { WaitCurve } from '../samples/wait-curve.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { plausibleTime } from '../samples/times.ts';
import { turnClassBounds } from '../../../protocol/recording-lines.ts';

/**
 * Reads turns from the lines of a `.turns.jsonl`. `isComplete` is true where the isolate came to its end, so that no
 * turn is missing. The recorder's own part of a turn is subtracted at
 * its end: its hooks run at many moments of the turn, and no sample shows which.
 */
export function readTurns(lines: readonly unknown[], isComplete: boolean): TurnReadings {
  const known = lines.filter((line): line is readonly unknown[] => Array.isArray(line));
  const turns = known
    .filter(([kind]) => kind === 'turn')
    .map(([, start, end, run, own, wait]) => ({
      start: plausibleTime(start, 0),
      end: plausibleTime(end, 0) - Math.max(0, plausibleTime(own, 0)),
      run: plausibleTime(run, -1),
      wait: plausibleTime(wait, -1),
      own: Math.max(0, plausibleTime(own, 0)),
    }))
    .filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start);
  const marks = known.filter(([kind]) => kind === 'mark').map(([, at]) => plausibleTime(at, -Infinity));
  const last = Math.max(-Infinity, turns.at(-1)?.end ?? -Infinity, ...marks.slice(-1));
  return {
    starts: Float64Array.from(turns, ({ start }) => Math.round(start)),
    ends: Float64Array.from(turns, ({ end }, turn) => Math.round(Math.min(end, turns[turn + 1]?.start ?? end))),
    run: Float64Array.from(turns, ({ run }) => Math.round(run)),
    wait: Float64Array.from(turns, ({ wait }) => Math.round(wait)),
    own: Float64Array.from(turns, ({ own }) => own),
    knownUntil: isComplete ? Infinity : Math.round(last),
    loop: readLoopLog(lines),
  };
}

/**
 * Reads the lines of a `.waits.jsonl`. A line is left out where its time or its wait is less than in the line before
 * it.
 */
export function readWaits(lines: readonly unknown[]): WaitCurve {
  const kept: { readonly before: number; readonly at: number; readonly wait: number }[] = [];
  for (const line of lines.filter(isList)) {
    const [before, at, wait] = line.map((value) => plausibleTime(value, Number.NaN));
    const last = kept.at(-1) ?? { at: 0, wait: 0 };
    if (before === undefined || at === undefined || wait === undefined) continue;
    if (at >= Math.max(before, last.at) && wait >= last.wait) kept.push({ before, at, wait });
  }
  return {
    before: Float64Array.from(kept, ({ before }) => before),
    at: Float64Array.from(kept, ({ at }) => at),
    wait: Float64Array.from(kept, ({ wait }) => wait),
  };
}

/** Reads histograms and collections from the lines of a `.turns.jsonl`. */
function readLoopLog(lines: readonly unknown[]): LoopLog {
  const known = lines.filter((line): line is readonly unknown[] => Array.isArray(line));
  return {
    periods: known
      .filter(([kind]) => kind === 'histogram')
      .map(periodOf)
      .filter(isStretch),
    collections: known
      .filter(([kind]) => kind === 'gc')
      .map(collectionsOf)
      .filter(isStretch),
  };
}

function periodOf([, from, to, counts, times]: readonly unknown[]): LoopPeriod {
  const bounds = [...turnClassBounds.map(microseconds), null];
  return {
    start: timeOf(from),
    end: timeOf(to),
    classes: bounds.map((below, length) => ({
      below,
      count: isList(counts) ? amountOf(counts[length]) : 0,
      time: isList(times) ? timeOf(times[length]) : microseconds(0),
    })),
  };
}

function collectionsOf(line: readonly unknown[]): Collections {
  const [, from, to, kind, count, time, longest, usedBefore, usedAfter] = line;
  return {
    start: timeOf(from),
    end: timeOf(to),
    kind: textOf(kind),
    count: amountOf(count),
    time: timeOf(time),
    longest: timeOf(longest),
    usedBefore: amountOf(usedBefore),
    usedAfter: amountOf(usedAfter),
  };
}

function isStretch({ start, end }: { readonly start: Microseconds; readonly end: Microseconds }): boolean {
  return end > start;
}

function timeOf(value: unknown): Microseconds {
  return microseconds(Math.max(0, Math.round(plausibleTime(value, 0))));
}

function amountOf(value: unknown): number {
  return Math.max(0, Math.round(numberOf(value, 0)));
}
