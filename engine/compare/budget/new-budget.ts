import type { Budget } from '../../../protocol/budget.ts';
import { defaultThresholdUs } from '../../../protocol/figures.ts';
import { median } from '../../../protocol/median.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { RunFigures } from './run-figures.ts';

/**
 * A budget of twice what runs have measured, in whole ms: for each function of the application that is over the
 * threshold in any of them. Patterns, routes and the whole stay as the old budget has them; a new one allows every other
 * function three times the threshold, so that none gets long unseen.
 */
export function newBudget(runs: readonly RunFigures[], old: Budget | null): Budget {
  const byKey = new Map<string, number[]>();
  for (const { functions } of runs) {
    const app = functions.filter(({ isTest, worst }) => !isTest && worst !== null);
    for (const { key, worst } of app) byKey.set(key, [...(byKey.get(key) ?? []), worst ?? 0]);
  }
  const functions = new Map([...byKey].map(([key, times]) => [key, atLeast(othersMay, twice(median(times)))]));
  const node = runs[0]?.node ?? null;
  return old === null
    ? { functions, files: new Map(), routes: new Map(), whole: othersMay, node }
    : { ...old, node, functions: new Map([...functions, ...stillKnown(old, functions, runs)]) };
}

/**
 * Functions of the old budget that are below the threshold now, because somebody has mended them: they keep a budget, so
 * that it is seen where they get long again. Those that are gone from the code lose it.
 */
function stillKnown(
  old: Budget,
  functions: ReadonlyMap<string, Microseconds>,
  runs: readonly RunFigures[],
): readonly (readonly [string, Microseconds])[] {
  const inCode = new Set(runs.flatMap((run) => run.functions.map(({ key }) => key)));
  return [...old.functions.keys()]
    .filter((key) => !functions.has(key) && inCode.has(key))
    .map((key) => [key, othersMay] as const);
}

/**
 * What a function may take that has no budget of its own: three times the threshold. Some that are a little below it in
 * one hour take over twice as long in another, when the processors are shared.
 */
export const othersMay = microseconds(3 * defaultThresholdUs);

function atLeast(least: Microseconds, us: Microseconds): Microseconds {
  return us < least ? least : us;
}

function twice(us: number): Microseconds {
  return microseconds(Math.ceil((2 * us) / 1000) * 1000);
}
