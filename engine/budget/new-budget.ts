import type { Budget } from '../../protocol/budget.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { median } from '../compare/statistics.ts';
import type { RunFigures } from './run-figures.ts';

/**
 * A budget of twice what runs have measured, in whole ms: for each function of the application that is over the
 * threshold in most of them. Patterns, routes and the whole stay as the old budget has them; a new one allows the whole
 * twice its worst.
 */
export function newBudget(runs: readonly RunFigures[], old: Budget | null): Budget {
  const byKey = new Map<string, number[]>();
  const worsts: number[] = [];
  for (const { functions } of runs) {
    const app = functions.filter(({ isTest, worst }) => !isTest && worst !== null);
    for (const { key, worst } of app) byKey.set(key, [...(byKey.get(key) ?? []), worst ?? 0]);
    worsts.push(Math.max(0, ...app.map(({ worst }) => worst ?? 0)));
  }
  const often = [...byKey].filter(([, times]) => times.length * 2 > runs.length);
  const functions = new Map(often.map(([key, times]) => [key, twice(median(times))]));
  const worst = worsts.length === 0 ? 0 : median(worsts);
  return old === null
    ? { functions, files: new Map(), routes: new Map(), whole: twice(Math.max(worst, leastWorst)) }
    : { ...old, functions: new Map([...functions, ...stillKnown(old, functions, runs)]) };
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
    .map((key) => [key, twice(leastWorst)] as const);
}

/** A project in which nothing blocks gets twice the threshold. */
const leastWorst = 10_000;

function twice(us: number): Microseconds {
  return microseconds(Math.ceil((2 * us) / 1000) * 1000);
}
