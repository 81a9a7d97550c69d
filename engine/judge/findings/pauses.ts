import { groupBy, sumOf } from '../../basics/lists.ts';
import { isBackground } from '../../read/samples/sample-stream.ts';
import { weightOf } from './together.ts';
import { measureParts, type PartMeasures } from './measure-parts.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';

/** Minimum operations with pauses that recur, and minimum pauses in one of them. */
const MIN_PAUSED_OPERATIONS = 3;
const MIN_PAUSES = 5;

/**
 * Own parts that are mostly a pause (a collection that does not recur, or sleep in no known call), of functions that are
 * hidden by these although other parts of theirs are none: a laptop that is closed stops whatever runs. Source:
 * docs/definition.md, rule 19.
 */
export function pausesIn(run: JudgedRun, atomicsWaiters: ReadonlySet<number>): ReadonlySet<number> {
  const { ownParts, operations, streams, verdicts } = run;
  const isCounted = streams.map((stream) => !isBackground(stream) && !stream.isolate.isTestParent);
  const counted = ownParts.numbersOf(
    (part) => isCounted[operations[ownParts.operationOf(part)]?.stream ?? -1] === true,
  );
  const asleepIn = sleepIn(run, atomicsWaiters);
  const isMost = (parts: readonly number[], pauseIn: (part: number) => number): boolean =>
    sumOf(parts, (part) => Math.min(pauseIn(part), ownParts.weightOf(part))) * 2 >= weightOf(run, parts);
  const mostIn = (part: number): number => asleepIn(part) + (verdicts[ownParts.operationOf(part)]?.gc ?? 0);
  const suspects = [...groupBy(counted, (part) => ownParts.functionOf(part)).values()].filter(
    (parts) => parts.length > 1 && isMost(parts, mostIn),
  );
  if (suspects.length === 0) return new Set();
  const measured = new Set(suspects.flat().map((part) => ownParts.operationOf(part)));
  const measures = measureParts(
    run,
    counted.filter((part) => measured.has(ownParts.operationOf(part))),
  );
  const pauses = suspects.flatMap((parts) => {
    const recurs = collectionsRecur(run, parts, measures);
    const pauseIn = (part: number): number => asleepIn(part) + (recurs ? 0 : (measures.gc[part] ?? 0));
    const found = parts.filter((part) => isMost([part], pauseIn));
    return isMost(parts, pauseIn) && found.length < parts.length ? found : [];
  });
  return new Set(pauses);
}

/** Sleep in a part that is charged to no function, in µs. */
export function sleepIn({ ownParts }: JudgedRun, atomicsWaiters: ReadonlySet<number>): (part: number) => number {
  return (part) => {
    const waited = ownParts.waitedOf(part);
    const isCharged = waited?.in !== null || atomicsWaiters.has(ownParts.functionOf(part));
    return isCharged ? 0 : waited.us;
  };
}

/** Whether the collections in some parts of a function recur, so that they are its own. */
export function collectionsRecur(
  { ownParts }: JudgedRun,
  parts: readonly number[],
  { gc, pauses }: Pick<PartMeasures, 'gc' | 'pauses'>,
): boolean {
  const paused = parts.filter((part) => (gc[part] ?? 0) * 2 > ownParts.weightOf(part));
  return paused.length >= MIN_PAUSED_OPERATIONS || parts.some((part) => (pauses[part] ?? 0) >= MIN_PAUSES);
}
