import { groupBy, sumOf } from '../../basics/lists.ts';
import { isBackground } from '../../read/samples/sample-stream.ts';
import type { Pauses } from './finding.ts';
import { weightOf } from './together.ts';
import { measureParts, type PartMeasures } from './measure-parts.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';

/** Minimum operations with pauses that recur, and minimum pauses in one of them. */
const MIN_PAUSED_OPERATIONS = 3;
const MIN_PAUSES = 5;

/**
 * Own parts that are mostly a pause (a collection that does not recur, or sleep in no known call), of functions that
 * would be hidden by these although they computed for longer than the threshold: a laptop that is closed stops whatever
 * runs. Source: docs/definition.md, rule 19.
 */
export function pausesIn(run: JudgedRun, atomicsWaiters: ReadonlySet<number>): Pauses {
  const { ownParts, operations, streams, verdicts, thresholdUs } = run;
  const isCounted = streams.map((stream) => !isBackground(stream) && !stream.isolate.isTestParent);
  const counted = ownParts.numbersOf(
    (part) => isCounted[operations[ownParts.operationOf(part)]?.stream ?? -1] === true,
  );
  const asleepIn = sleepIn(run, atomicsWaiters);
  const isMost = (parts: readonly number[], pauseIn: (part: number) => number): boolean =>
    sumOf(parts, (part) => Math.min(pauseIn(part), ownParts.weightOf(part))) * 2 >= weightOf(run, parts);
  const mostIn = (part: number): number => asleepIn(part) + (verdicts[ownParts.operationOf(part)]?.gc ?? 0);
  const byFunction = [...groupBy(counted, (part) => ownParts.functionOf(part)).values()];
  const suspects = byFunction.filter((parts) => isMost(parts, mostIn));
  const rests = new Map<number, Microseconds>();
  const dropped = new Set<number>();
  if (suspects.length === 0) return { rests, dropped };
  const measured = new Set(suspects.flat().map((part) => ownParts.operationOf(part)));
  const measures = measureParts(
    run,
    counted.filter((part) => measured.has(ownParts.operationOf(part))),
  );
  for (const parts of suspects) {
    const recurs = collectionsRecur(run, parts, measures);
    const collectedIn = (part: number): number => (recurs ? 0 : (measures.gc[part] ?? 0));
    const pauseIn = (part: number): number => asleepIn(part) + collectedIn(part);
    const found = parts.filter((part) => isMost([part], pauseIn));
    const restOf = (part: number): number =>
      collectedIn(part) > asleepIn(part) ? 0 : ownParts.weightOf(part) - pauseIn(part);
    const hasRest = found.length < parts.length || found.some((part) => restOf(part) > thresholdUs);
    if (!isMost(parts, pauseIn) || !hasRest) continue;
    for (const part of found) {
      if (restOf(part) > thresholdUs) rests.set(part, microseconds(Math.round(restOf(part))));
      else dropped.add(part);
    }
  }
  return { rests, dropped };
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
