import { firstDifference, groupBy } from '../../basics/lists.ts';
import type { RunWithPauses, Pauses } from './finding.ts';
import { culpritsByThreads } from '../function-figures/figure-tally.ts';
import { onLoops } from '../hotspots/judge-run.ts';
import type { PartMeasures } from './measure-parts.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { Blame, JudgedRun, Verdict } from '../hotspots/judged-run.ts';

/** Minimum operations with pauses that recur, and minimum pauses in one of them. */
const MIN_PAUSED_OPERATIONS = 3;
const MIN_PAUSES = 5;

export const noPauses: Pauses = { rests: new Map(), dropped: new Set(), asleepInGc: new Map() };

/**
 * Own parts that are mostly a pause, of functions that computed for longer than the threshold: a laptop that is closed
 * stops whatever runs. `hidden`: numbers of the parts of functions that are hidden by pauses (a collection that does not
 * recur, or sleep in no known call); of other functions only stops of the process count. Source: docs/definition.md, rule
 * 19.
 */
export function pausesIn(run: RunWithPauses, hidden: readonly number[], measures: PartMeasures): Pauses {
  const { ownParts, thresholdUs } = run;
  const asleepIn = sleepIn(run);
  const rests = new Map<number, Microseconds>();
  const dropped = new Set<number>();
  const isHidden = new Set(hidden);
  const functionOf = (part: number): number => ownParts.functionOf(part);
  const isStop = (part: number): boolean => ownParts.waitedOf(part)?.in === 'stop';
  const stopped = new Set(Array.from(ownParts.numbersOf(isStop), functionOf));
  const paused = ownParts.numbersOf((part) => isHidden.has(part) || stopped.has(functionOf(part)));
  for (const parts of groupBy(paused, functionOf).values()) {
    const recurs = collectionsRecur(run, parts, measures);
    const pauseIn = (part: number): number => asleepIn(part) + (recurs ? 0 : (measures.gc[part] ?? 0));
    const restOf = (part: number): number => Math.round(ownParts.weightOf(part) - pauseIn(part));
    if (!parts.some((part) => restOf(part) > thresholdUs)) continue;
    const isPause = (one: number): boolean => pauseIn(one) * 2 >= ownParts.weightOf(one);
    for (const part of parts.filter((one) => (isHidden.has(one) || isStop(one)) && isPause(one))) {
      if (restOf(part) > thresholdUs) rests.set(part, microseconds(restOf(part)));
      else dropped.add(part);
    }
  }
  return { rests, dropped, asleepInGc: measures.asleepInGc };
}

/**
 * Cuts pauses out of a run. `cut` has all own parts, by the same numbers. `run` has only those that are left, and figures
 * and verdicts by them.
 */
export function withoutPauses<Run extends RunWithPauses>(whole: Run, pauses: Pauses): Record<'cut' | 'run', Run> {
  const { rests, dropped } = pauses;
  if (rests.size + dropped.size === 0) return { cut: whole, run: whole };
  const all = whole.ownParts.cutTo(rests);
  const cut = { ...whole, ownParts: all, pauses };
  const numbers = all.numbersOf((part) => !dropped.has(part));
  const ownParts = all.picked(
    numbers.toSorted((a, b) =>
      firstDifference(all.operationOf(a) - all.operationOf(b), all.weightOf(b) - all.weightOf(a), a - b),
    ),
  );
  const culpritsOf = culpritsByThreads(ownParts, onLoops(whole));
  const figures = whole.figures.map((one, id) => ({ ...one, ...culpritsOf(id) }));
  const changed = [...rests.keys(), ...dropped].map((part) => all.operationOf(part));
  return { cut, run: { ...cut, ownParts, figures, verdicts: judgedAgain(cut, ownParts, new Set(changed)) } };
}

/** The verdicts, those on some operations by these own parts. */
function judgedAgain(
  { verdicts }: JudgedRun,
  ownParts: JudgedRun['ownParts'],
  changed: ReadonlySet<number>,
): readonly Verdict[] {
  const largest = new Map<number, number>();
  for (const part of ownParts.numbersOf((one) => changed.has(ownParts.operationOf(one))).toReversed())
    largest.set(ownParts.operationOf(part), part);
  return verdicts.map((verdict, operation): Verdict => {
    if (!changed.has(operation)) return verdict;
    const part = largest.get(operation);
    if (part !== undefined)
      return { ...verdict, culprit: { functionId: ownParts.functionOf(part), us: ownParts.weightOf(part) } };
    const gc: Blame | null = verdict.gc === 0 ? null : { kind: 'gc', name: 'gc', us: verdict.gc };
    const isGc = verdict.blame === null || verdict.blame.us < verdict.gc;
    return { ...verdict, culprit: null, blame: isGc ? gc : verdict.blame };
  });
}

/** Takes the time for which the process was stopped during a collection out of the collections of these parts. */
export function takeSleepOutOfCollections(run: RunWithPauses, parts: Int32Array, measures: PartMeasures): void {
  const { gc, asleepInGc } = measures;
  const asleepIn = sleepIn(run);
  for (const [number, us] of run.pauses.asleepInGc) asleepInGc.set(number, us);
  for (const part of parts) {
    const [all, number] = [gc[part] ?? 0, run.ownParts.operationOf(part)];
    const awake = gcAwake(all, asleepIn(part), run.ownParts.weightOf(part));
    gc[part] = awake;
    if (awake < all && !run.pauses.asleepInGc.has(number))
      asleepInGc.set(number, (asleepInGc.get(number) ?? 0) + all - awake);
  }
}

/**
 * Time in collections, in µs, less sleep of unknown cause within them. One pause was both where they are nearly as long,
 * or together longer than what they are in (`held`).
 */
function gcAwake(gc: number, asleep: number, held: number): number {
  const isOnePause = gc + asleep > held || Math.abs(gc - asleep) < asleep / 10;
  return isOnePause ? Math.max(0, gc - asleep) : gc;
}

/** Sleep in a part that is charged to no function, in µs. */
export function sleepIn({ ownParts, atomicsWaiters }: RunWithPauses): (part: number) => number {
  return (part) => {
    const isAtomics = atomicsWaiters.has(ownParts.functionOf(part)) && ownParts.waitedOf(part)?.in === null;
    return isAtomics ? 0 : ownParts.pauseOf(part);
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
