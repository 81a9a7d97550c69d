import { turnClassBounds } from '../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Collections, LoopLog, LoopPeriod } from '../samples/loop-log.ts';
import { isList, numberOf, textOf } from '../../protocol/json-value.ts';
import { plausibleTime } from '../samples/plausible-time.ts';

/** Reads histograms and collections from the lines of a `.turns.jsonl`. */
export function readLoopLog(lines: readonly unknown[]): LoopLog {
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
