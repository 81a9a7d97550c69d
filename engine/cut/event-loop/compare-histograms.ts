import { microseconds } from '../../../protocol/units.ts';
import type { LoopPeriod, TurnClass } from '../../read/samples/sample-stream.ts';
import { isList, isRecord, numberOf, parseJson } from '../../../protocol/json-value.ts';
import { sumOf } from '../../basics/lists.ts';
import { turnClassBounds } from '../../../protocol/recording-lines.ts';

/** Where two event loops spend their busy time, production's and a recording's. Shares are from 0 to 1. */
export interface Comparison {
  /** The classes of `turnClassBounds`, from short turns to long ones. */
  readonly classes: readonly ComparedClass[];
  /** Share of the busy time that would have to move to another class to make both alike. */
  readonly distance: number;
  /** The bound above which their shares of time differ most; null where there is only one class. */
  readonly split: Split | null;
}

/** The shares of busy time in turns of at least `over` µs. */
export interface Split {
  readonly over: number;
  readonly production: number;
  readonly recording: number;
}

export interface ComparedClass {
  /** Upper bound of the class, exclusive, and that of the class before, in µs. Null means none. */
  readonly below: number | null;
  readonly from: number;
  readonly production: Share;
  readonly recording: Share;
}

export interface Share {
  readonly turns: number;
  readonly time: number;
}

/** Compares two histograms with the same classes. Null where one of them has no busy time. */
export function compareHistograms(
  production: readonly TurnClass[],
  recording: readonly TurnClass[],
): Comparison | null {
  const [ours, theirs] = [busyTime(production), busyTime(recording)];
  if (ours === 0 || theirs === 0) return null;
  const classes = production.map(({ below, count, time }, index): ComparedClass => {
    const other = recording[index];
    return {
      below,
      from: production[index - 1]?.below ?? 0,
      production: { turns: count, time: time / ours },
      recording: { turns: other?.count ?? 0, time: (other?.time ?? 0) / theirs },
    };
  });
  const distance = sumOf(classes, ({ production: one, recording: other }) => Math.abs(one.time - other.time)) / 2;
  return { classes, distance, split: splitOf(classes) };
}

/** The bound with the greatest difference between the shares above it. */
function splitOf(classes: readonly ComparedClass[]): Split | null {
  const splits = classes.slice(1).map(({ from }, index): Split => {
    const longer = classes.slice(index + 1);
    const share = (side: 'production' | 'recording') => sumOf(longer, (one) => one[side].time);
    return { over: from, production: share('production'), recording: share('recording') };
  });
  const difference = ({ production, recording }: Split): number => Math.abs(production - recording);
  return splits.toSorted((a, b) => difference(b) - difference(a))[0] ?? null;
}

/** Adds up the classes of several periods, which have the same classes. */
export function addUp(periods: readonly Pick<LoopPeriod, 'classes'>[]): readonly TurnClass[] {
  const [first, ...others] = periods.map(({ classes }) => classes);
  return others.reduce<readonly TurnClass[]>(
    (sums, classes) =>
      sums.map(({ below, count, time }, index) => {
        const other = classes[index];
        return { below, count: count + (other?.count ?? 0), time: microseconds(time + (other?.time ?? 0)) };
      }),
    first ?? [],
  );
}

function busyTime(classes: readonly TurnClass[]): number {
  return sumOf(classes, ({ time }) => time);
}

/**
 * The periods in whole lines of what `HOTSPAN_MODE=histogram` has logged. The log may have other lines, or text before a
 * line's JSON.
 */
export function readHistogramLog(text: string): readonly Pick<LoopPeriod, 'classes'>[] {
  return text.split('\n').flatMap((line) => {
    const start = line.indexOf(mark);
    const value = start < 0 ? undefined : parseJson(line.slice(start, line.lastIndexOf('}') + 1));
    const bounds = isRecord(value) ? value['belowUs'] : null;
    // A log of another version may have other classes.
    const isOurs = isList(bounds) && turnClassBounds.every((bound, index) => bounds[index] === bound);
    return isRecord(value) && isOurs ? [periodOf(value['turns'], value['sumUs'])] : [];
  });
}

/** The text that each line begins with (`protocol/recording.ts`). */
const mark = '{"hotspan":"histogram"';

function periodOf(turns: unknown, sums: unknown): Pick<LoopPeriod, 'classes'> {
  const amount = (list: unknown, index: number): number =>
    isList(list) ? Math.max(0, Math.round(numberOf(list[index], 0))) : 0;
  return {
    classes: [...turnClassBounds.map(microseconds), null].map((below, index) => {
      return { below, count: amount(turns, index), time: microseconds(amount(sums, index)) };
    }),
  };
}
