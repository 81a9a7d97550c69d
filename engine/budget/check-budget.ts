import type { Budget, CheckedEntry } from '../../protocol/budget.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { firstDifference } from '../basics/lists.ts';
import type { FunctionFigure, RunFigures } from './run-figures.ts';

/** Whether a path matches a pattern; null where the pattern is not understood. */
export type MatcherOf = (pattern: string) => ((path: string) => boolean) | null;

/**
 * Checks runs against a budget. An entry is over its budget only if it is in all runs, so a single slow moment of the
 * machine fails nobody. Entries come in the order of how bad they are.
 */
export function checkBudget(
  budget: Budget,
  runs: readonly RunFigures[],
  matcherOf: MatcherOf,
): readonly CheckedEntry[] {
  const functions = [...budget.functions].map(([key, most]) =>
    checkFunctions('function', key, most, runs, (fn) => fn.key === key),
  );
  const files = [...budget.files].map(([pattern, most]) => {
    const matches = matcherOf(pattern);
    return checkFunctions('file', pattern, most, runs, ({ place }) => matches?.(place.file) === true);
  });
  const routes = [...budget.routes].map(([key, most]) => checkRoute(key, most, runs));
  const whole =
    budget.whole === null ? [] : [checkFunctions('whole', 'whole', budget.whole, runs, ({ isTest }) => !isTest)];
  return [...functions, ...files, ...routes, ...whole].toSorted((a, b) => firstDifference(rankOf(a) - rankOf(b)));
}

function checkFunctions(
  kind: CheckedEntry['kind'],
  key: string,
  budget: Microseconds,
  runs: readonly RunFigures[],
  isMeant: (fn: FunctionFigure) => boolean,
): CheckedEntry {
  const worsts = runs.map(({ functions }) => worstOf(functions.filter(isMeant)));
  const known = worsts.filter((worst) => worst !== null);
  const [first] = known.toSorted((a, b) => (b.worst ?? 0) - (a.worst ?? 0));
  const measured = known.map(({ worst }) => worst ?? 0);
  const isEstimate = runs.length === 1 && first?.isEstimated === true;
  const verdict =
    known.length === 0
      ? kind === 'whole'
        ? 'within'
        : 'unknown'
      : verdictOf(measured, budget, runs.length, isEstimate);
  return { kind, key, verdict, budget, measured, place: first?.place ?? null };
}

/** The function that was longest, also where none was over the threshold; null where there is none. */
function worstOf(functions: readonly FunctionFigure[]): FunctionFigure | null {
  return functions.reduce<FunctionFigure | null>(
    (worst, fn) => (worst === null || (fn.worst ?? 0) > (worst.worst ?? 0) ? fn : worst),
    null,
  );
}

function checkRoute(key: string, budget: number, runs: readonly RunFigures[]): CheckedEntry {
  const measured = runs.flatMap(({ routes }) => routes.get(key) ?? []);
  const verdict = measured.length === 0 ? 'unknown' : verdictOf(measured, budget, runs.length, false);
  return { kind: 'route', key, verdict, budget, measured, place: null };
}

function verdictOf(
  measured: readonly number[],
  budget: number,
  runs: number,
  isEstimate: boolean,
): CheckedEntry['verdict'] {
  const least = measured.length < runs ? 0 : Math.min(...measured);
  if (least > budget) return isEstimate ? 'estimated' : 'over';
  return Math.max(...measured) >= budget * nearly ? 'near' : 'within';
}

/** From this share of a budget on a person is warned. */
const nearly = 0.8;

const ranks: readonly CheckedEntry['verdict'][] = ['over', 'estimated', 'unknown', 'near', 'within'];

function rankOf({ verdict }: CheckedEntry): number {
  return ranks.indexOf(verdict);
}
