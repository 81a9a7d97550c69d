import { isList, isRecord, numberOf, parseJson } from '../../protocol/json-value.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { total } from './statistics.ts';

/** How long each function, with all that it called, held the loop in each operation, in ms by the program's own clock. */
export type Truth = ReadonlyMap<string, readonly number[]>;

/** Reads what `program` has written: by name, its calls. */
export function readTruth(text: string): Truth {
  const truth = parseJson(text);
  return new Map(
    Object.entries(isRecord(truth) ? truth : {}).map(([name, calls]) => {
      const byOperation = groupBy((isList(calls) ? calls : []).filter(isRecord), ({ operation }) => operation);
      return [name, [...byOperation.values()].map((all) => total(all.map(({ ms }) => numberOf(ms, Number.NaN))))];
    }),
  );
}
