import { isList, isRecord, numberOf, parseJson } from '../../protocol/json-value.ts';
import { groupBy } from '../../engine/basics/lists.ts';

/** How long a function, with all that it called, held the loop in one operation, by the program's own clock. */
export interface TruePresence {
  /** When its first call began, in µs of CLOCK_MONOTONIC. */
  readonly at: number;
  readonly ms: number;
}

/** The true times by name of the function. */
export type Truth = ReadonlyMap<string, readonly TruePresence[]>;

/** Reads what `program` has written. */
export function readTruth(text: string): Truth {
  const truth = parseJson(text);
  return new Map(
    Object.entries(isRecord(truth) ? truth : {}).map(([name, calls]) => {
      const byOperation = groupBy((isList(calls) ? calls : []).filter(isRecord), ({ operation }) => operation);
      return [name, [...byOperation.values()].map(presenceOf)];
    }),
  );
}

/** The true presence from all calls of an operation, of which there is at least one. */
function presenceOf(calls: readonly Readonly<Record<string, unknown>>[]): TruePresence {
  return {
    at: 1000 * Math.min(...calls.map(({ at }) => numberOf(at, Number.NaN))),
    ms: calls.reduce((sum, { ms }) => sum + numberOf(ms, Number.NaN), 0),
  };
}
