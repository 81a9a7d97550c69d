import { microseconds } from '../../protocol/units.ts';
import { isList, isRecord, numberOf, parseJson } from '../../protocol/json-value.ts';
import type { LoopPeriod } from '../samples/sample-stream.ts';
import { turnClassBounds } from '../../protocol/recording-lines.ts';

/** What `HOTSPAN_MODE=histogram` has logged. The log may have other lines, too, or text in front of ours. */
export interface HistogramLog {
  readonly periods: readonly Pick<LoopPeriod, 'classes'>[];
  /** Seconds of all processes together. */
  readonly seconds: number;
  readonly processes: number;
}

export function readHistogramLog(text: string): HistogramLog {
  const lines = text.split('\n').flatMap((line) => {
    const start = line.indexOf(mark);
    const value = start < 0 ? undefined : parseJson(line.slice(start, line.lastIndexOf('}') + 1));
    return isRecord(value) && hasOurClasses(value['belowUs']) ? [value] : [];
  });
  return {
    periods: lines.map((line) => periodOf(line['turns'], line['sumUs'])),
    seconds: lines.reduce((sum, line) => sum + Math.max(0, numberOf(line['seconds'], 0)), 0),
    processes: new Set(lines.map((line) => line['pid'])).size,
  };
}

/** The text that each line begins with (`protocol/recording.ts`). */
const mark = '{"hotspan":"histogram"';

/** Whether the classes are ours: a log of another version may have others. */
function hasOurClasses(bounds: unknown): boolean {
  return isList(bounds) && turnClassBounds.every((bound, index) => bounds[index] === bound);
}

function periodOf(turns: unknown, sums: unknown): Pick<LoopPeriod, 'classes'> {
  const amount = (list: unknown, index: number): number =>
    isList(list) ? Math.max(0, Math.round(numberOf(list[index], 0))) : 0;
  return {
    classes: [...turnClassBounds.map(microseconds), null].map((below, index) => {
      return { below, count: amount(turns, index), time: microseconds(amount(sums, index)) };
    }),
  };
}
