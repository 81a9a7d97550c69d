import type { Budget, CheckedEntry } from '../../../protocol/budget.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import { firstDifference, groupBy } from '../../basics/lists.ts';
import { othersMay } from './new-budget.ts';
import type { FunctionFigure, RunFigures } from './run-figures.ts';

/** Whether a path matches a pattern; null where the pattern is not understood. */
export type MatcherOf = (pattern: string) => ((path: string) => boolean) | null;

/**
 * Checks runs against a budget. An entry is over its budget only if it is in all runs, so a single slow moment of the
 * machine fails nobody. What names a function more closely counts for it: its own entry, else patterns, else the whole.
 * Entries come in the order of how bad they are.
 */
export function checkBudget(
  budget: Budget,
  runs: readonly RunFigures[],
  matcherOf: MatcherOf,
): readonly CheckedEntry[] {
  const functions = [...budget.functions].map(([key, most]) =>
    checkFunctions('function', key, most, runs, (fn) => fn.key === key),
  );
  const isOwn = ({ key }: FunctionFigure): boolean => budget.functions.has(key);
  const matchers = [...budget.files].map(([pattern, most]) => [pattern, most, matcherOf(pattern)] as const);
  const files = matchers.map(([pattern, most, matches]) =>
    checkFunctions('file', pattern, most, runs, (fn) => matches?.(fn.place.file) === true, isOwn),
  );
  const routes = [...budget.routes].map(([key, most]) => checkRoute(key, most, runs));
  const isNamed = (fn: FunctionFigure): boolean =>
    isOwn(fn) || matchers.some(([, , matches]) => matches?.(fn.place.file) === true);
  const whole =
    budget.whole === null
      ? []
      : [checkFunctions('whole', 'whole', budget.whole, runs, ({ isTest }) => !isTest, isNamed)];
  return [...functions, ...files, ...routes, ...whole].toSorted((a, b) => firstDifference(rankOf(a) - rankOf(b)));
}

/** The functions that are over what the budget allows them in one run: by their own entry, patterns, or the whole. */
export function functionsOver(budget: Budget, run: RunFigures, matcherOf: MatcherOf): readonly FunctionFigure[] {
  const patterns = [...budget.files].map(([pattern, most]) => [matcherOf(pattern), most] as const);
  return run.functions.filter((fn) => {
    const matching = patterns.flatMap(([matches, most]) => (matches?.(fn.place.file) === true ? [most] : []));
    const others = matching.length === 0 && !fn.isTest && budget.whole !== null ? [budget.whole] : matching;
    const own = budget.functions.get(fn.key);
    return (fn.worst ?? 0) > Math.min(...(own === undefined ? others : [own]));
  });
}

/**
 * The functions of the application that nothing in the budget judges, and that took more than a new one would allow, in
 * all runs.
 */
export function unjudged(budget: Budget, runs: readonly RunFigures[], matcherOf: MatcherOf): readonly CheckedEntry[] {
  if (budget.whole !== null) return [];
  const matchers = [...budget.files.keys()].map(matcherOf);
  const left = new Set(
    runs.flatMap(({ functions }) =>
      functions.flatMap(({ key, isTest, place }) =>
        isTest || budget.functions.has(key) || matchers.some((matches) => matches?.(place.file)) ? [] : [key],
      ),
    ),
  );
  return [...left]
    .map((key) => checkFunctions('function', key, othersMay, runs, (fn) => fn.key === key))
    .filter(({ verdict }) => verdict === 'over');
}

function checkFunctions(
  kind: CheckedEntry['kind'],
  key: string,
  budget: Microseconds,
  runs: readonly RunFigures[],
  isMeant: (fn: FunctionFigure) => boolean,
  isElsewhere: (fn: FunctionFigure) => boolean = () => false,
): CheckedEntry {
  const meant = runs.map(({ functions }) => functions.filter(isMeant));
  const judged = groupBy(
    meant.flat().filter((fn) => !isElsewhere(fn)),
    ({ key }) => key,
  );
  const [worst] = [...judged.values()].toSorted((a, b) =>
    firstDifference(excessOf(b, budget, runs.length) - excessOf(a, budget, runs.length), mostOf(b) - mostOf(a)),
  );
  const common = { kind, key, budget, ...unplaced } as const;
  if (worst === undefined) {
    const isKnown = kind === 'whole' || meant.some((all) => all.length > 0);
    return { ...common, verdict: isKnown ? 'within' : 'unknown', measured: [] };
  }
  const measured = worst.map((fn) => fn.worst ?? 0);
  const isEstimate = runs.length === 1 && worst.some(({ isEstimated }) => isEstimated);
  // Where nothing was over the threshold, no function of a pattern was the longest.
  const place = kind === 'function' || Math.max(...measured) > 0 ? (worst[0]?.place ?? null) : null;
  return { ...common, verdict: verdictOf(measured, budget, runs.length, isEstimate), measured, place };
}

const unplaced = { place: null, budgetLine: null, meant: null } as const;

/** By how much a function is over a budget in all runs, in µs; 0 where it is within it in one. */
function excessOf(figures: readonly FunctionFigure[], budget: number, runs: number): number {
  const least = figures.length < runs ? 0 : Math.min(...figures.map(({ worst }) => worst ?? 0));
  return Math.max(0, least - budget);
}

function mostOf(figures: readonly FunctionFigure[]): number {
  return Math.max(...figures.map(({ worst }) => worst ?? 0));
}

function checkRoute(key: string, budget: number, runs: readonly RunFigures[]): CheckedEntry {
  const measured = runs.flatMap(({ routes }) => routes.get(key) ?? []);
  const verdict = measured.length === 0 ? 'unknown' : verdictOf(measured, budget, runs.length, false);
  return { kind: 'route', key, verdict, budget, measured, ...unplaced };
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
