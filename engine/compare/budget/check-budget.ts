import type { Budget, CheckedEntry } from '../../../protocol/budget.ts';
import { firstDifference, groupBy } from '../../basics/lists.ts';
import { defaultThresholdUs } from '../../../protocol/figures.ts';
import { median } from '../../../protocol/median.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { ComparedPlace } from '../../../protocol/comparison.ts';
import { type ComparedRun, nodeIn, SideCollector, type SideFunction } from '../side.ts';
import { routeWaits } from '../../judge/requests/route-waits.ts';

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

/** What one run tells of everything that a budget can name. */
export interface RunFigures {
  readonly functions: readonly FunctionFigure[];
  /** Share of requests that others delayed for over 100 ms, by `GET /path`. */
  readonly routes: ReadonlyMap<string, number>;
  /** False where none of the person's code was seen. */
  readonly isSeen: boolean;
  /** The version of Node.js, `24.1.0`; null where that is unknown. */
  readonly node: string | null;
}

export interface FunctionFigure {
  /** `src/cart.ts#Cart>total`; the same in every run as long as nobody renames it. */
  readonly key: string;
  readonly place: ComparedPlace;
  /** The longest that it held the loop itself, without the first time if there were others; null where that was not over the threshold. */
  readonly worst: Microseconds | null;
  readonly isEstimated: boolean;
  readonly isTest: boolean;
  readonly testFiles: readonly string[];
}

export async function runFigures(run: ComparedRun): Promise<RunFigures> {
  const collector = new SideCollector();
  await collector.add(run);
  const functions = collector.functions();
  return {
    functions: functions.map((fn) => figureOf(fn, run.analysis.thresholdUs)),
    routes: new Map(
      routeWaits(run.analysis).map(({ method, path, over100Ms, requests }) => {
        return [`${method} ${path}`, requests === 0 ? 0 : over100Ms / requests];
      }),
    ),
    isSeen: functions.some(({ runs }) => runs[0] !== null),
    node: nodeIn(run.analysis)?.replaceAll(/\bv(?=\d)/g, '') ?? null,
  };
}

function figureOf(
  { identity, place, runs, testFiles, isTest }: SideFunction,
  thresholdUs: Microseconds,
): FunctionFigure {
  const [run = null] = runs;
  // What is long only the first time in its thread does not last.
  const isCold = run !== null && run.warm > 0 && run.warm <= thresholdUs;
  return {
    key: keyOf(identity),
    place,
    worst: run === null || run.longCount === 0 || isCold ? null : run.warm > 0 ? run.warm : run.worst,
    isEstimated: run?.estimated ?? false,
    isTest,
    testFiles: [...testFiles],
  };
}

/** The key of a function in a budget. Of several functions with one name the later ones are numbered. */
function keyOf({ file, names, ordinal }: SideFunction['identity']): string {
  return `${file}#${names.slice(1)}${ordinal === 0 ? '' : ` (${ordinal + 1})`}`;
}
