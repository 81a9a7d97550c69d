import { type Budget, type CheckedEntry, type LeftOut, splitKey } from '../../protocol/budget.ts';
import type { ComparedPlace } from '../../protocol/comparison.ts';
import { defaultThresholdUs, median, maxOf, minOf } from '../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { firstDifference, groupBy } from '../basics/lists.ts';
import { longestWarmUp } from '../judge/function-figures/estimates.ts';
import { routeWaits } from '../judge/requests/route-waits.ts';
import {
  type CodeOfRun,
  type ComparedRun,
  Files,
  isCold,
  type Measured,
  nodeIn,
  processorShare,
  type OpenFunction,
  SideCollector,
  type SideFunction,
} from './side.ts';
import { runTimes } from './tests-to-run.ts';

/** What one run measured of everything that a budget can name. */
export interface RunFigures {
  readonly functions: readonly FunctionFigure[];
  /** Share of requests that others delayed for over 100 ms, by `GET /path`. */
  readonly routes: ReadonlyMap<string, number>;
  /** Folders of the user's code. */
  readonly roots: readonly string[];
  /** False where the run has no sample of the user's code. */
  readonly isSeen: boolean;
  /** The version of Node.js, `24.1.0`; null where it is unknown. */
  readonly node: string | null;
  /** As in `RunTimes`. */
  readonly alone: ReadonlySet<string>;
  /** As of `processorShare`. */
  readonly processorShare: number | null;
}

export interface FunctionFigure {
  /**
   * `src/cart.ts#Cart>total`, `src/cart.ts#(module)`: the same in every run until a name changes. Functions of the same
   * names (`get callback`) share it, and so a budget: numbers in it would change with each function that is added.
   */
  readonly key: string;
  /** How many functions of the file above it have the same key. */
  readonly ordinal: number;
  readonly place: ComparedPlace;
  /** Worst, without the first call of a thread if there were others; null where it is not over the threshold. */
  readonly worst: Microseconds | null;
  readonly isEstimated: boolean;
  /** The longest time over the threshold that budgets leave out; null where there is none. */
  readonly leftOut: LeftOut | null;
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
    roots: run.analysis.roots,
    isSeen: functions.some(({ runs }) => runs[0] !== null),
    node: nodeIn(run.analysis)?.replaceAll(/\bv(?=\d)/g, '') ?? null,
    alone: runTimes(run.analysis).alone,
    processorShare: processorShare(run.analysis.streams),
  };
}

/**
 * The functions in files that a budget names, and of which no run has a sample, as the files are now: a function may be too
 * quick for a sample, or did not run.
 */
export async function unseenFunctions(
  { functions }: Budget,
  runs: readonly RunFigures[],
  textOf: CodeOfRun['textOf'],
): Promise<readonly FunctionFigure[]> {
  const seen = new Set(runs.flatMap((run) => run.functions.map(({ place }) => place.file)));
  const named = new Set([...functions.keys()].map((key) => splitKey(key, null)[0]));
  const roots = [...new Set(runs.flatMap((run) => run.roots))];
  const files = new Files({ roots, textOf }, new Map(), new Set());
  const found: (readonly OpenFunction[])[] = [];
  for (const file of named) if (!seen.has(file)) found.push(await files.openBelow(file, false));
  return found.flat().map((fn) => figureOf({ ...fn, runs: [] }, defaultThresholdUs));
}

function figureOf(
  { identity: { file, names, ordinal }, place, runs: [run = null], testFiles, isTest }: SideFunction,
  thresholdUs: Microseconds,
): FunctionFigure {
  // What is long only the first time in its thread does not last.
  const isOnce = names === '' && (run?.worst ?? 0) <= longestWarmUp; // A module.
  const isFirst = isOnce || (run !== null && isCold(run, thresholdUs));
  return {
    key: `${file}#${keyOf(names)}`,
    ordinal,
    place,
    worst: run === null || run.longCount === 0 || isFirst ? null : run.warm > 0 ? run.warm : run.worst,
    isEstimated: run?.estimated ?? false,
    leftOut: run === null ? null : leftOutOf(run, isFirst),
    isTest,
    testFiles: [...testFiles.keys()],
  };
}

function leftOutOf({ longCount, worst, estimated, inWorker }: Measured, isFirst: boolean): LeftOut | null {
  const first = isFirst && longCount > 0 ? { why: 'firstCall' as const, us: worst, isEstimated: estimated } : null;
  const worker =
    inWorker === null ? null : { why: 'worker' as const, us: inWorker.worst, isEstimated: inWorker.estimated };
  return longest([first, worker]);
}

function longest(all: readonly (LeftOut | null)[]): LeftOut | null {
  return all.flatMap((one) => one ?? []).toSorted((a, b) => b.us - a.us)[0] ?? null;
}

/** Tells functions of a key apart, in runs of the same code. */
function idOf({ key, ordinal }: FunctionFigure): string {
  return `${key} ${ordinal}`;
}

function keyOf(names: string): string {
  if (names === '') return '(module)';
  return names
    .slice(1)
    .split('>')
    .map((name) => (name === '' ? '(anonymous)' : name))
    .join('>');
}

/**
 * A budget of twice the measured times, in whole ms, for each function of the application that is over the threshold in a
 * run, unless the whole allows it as much. Estimates count where a function has nothing else. Patterns, routes and the
 * whole stay as in the old budget; without one, the whole gets three times the threshold. `unseen`: as in
 * `unseenFunctions`.
 */
export function newBudget(
  runs: readonly RunFigures[],
  old: Budget | null,
  unseen: readonly FunctionFigure[] = [],
): Budget {
  const all = runs.flatMap(({ functions }) => functions);
  const functions = new Map<string, Microseconds>();
  for (const figures of longOf(runs).values()) {
    const [{ key } = { key: '' }] = figures;
    const certain = figures.filter(({ isEstimated }) => !isEstimated);
    const times = (certain.length > 0 ? certain : figures).map(({ worst }) => worst ?? 0);
    const twice = Math.ceil((2 * median(times)) / 1000) * 1000;
    functions.set(key, microseconds(Math.max(functions.get(key) ?? othersMay, twice)));
  }
  const before: Budget = old ?? {
    functions: new Map(),
    files: new Map(),
    routes: new Map(),
    whole: othersMay,
    node: null,
  };
  if (before.files.size === 0) for (const [key, limit] of functions) if (limit === before.whole) functions.delete(key);
  const [inSeen, inUnseen] = [new Set(all.map(({ key }) => key)), new Set(unseen.map(({ key }) => key))];
  for (const [key, limit] of before.functions) {
    // A function that is below the threshold now keeps a budget, so a regression fails. One without code loses it.
    const kept = inSeen.has(key) ? othersMay : inUnseen.has(key) ? limit : null;
    if (kept !== null && !functions.has(key)) functions.set(key, kept);
  }
  return { ...before, node: runs[0]?.node ?? null, functions };
}

/** The figures of each function of the application that is over the threshold in a run, by `idOf`. */
function longOf(runs: readonly RunFigures[]): ReadonlyMap<string, readonly FunctionFigure[]> {
  const all = runs.flatMap(({ functions }) => functions);
  return groupBy(
    all.filter(({ isTest, worst }) => !isTest && worst !== null),
    idOf,
  );
}

/** The keys of functions in a new budget of which these runs have only estimates. */
export function estimatedIn({ functions }: Budget, runs: readonly RunFigures[]): readonly string[] {
  const estimated = [...longOf(runs).values()].filter((figures) => figures.every(({ isEstimated }) => isEstimated));
  const keys = new Set(estimated.flat().map(({ key }) => key));
  return [...functions.keys()].filter((key) => keys.has(key));
}

/**
 * Budget of a function without its own: three times the threshold. On shared CPUs a function a little below the threshold
 * takes over twice as long an hour later.
 */
const othersMay = microseconds(3 * defaultThresholdUs);

/** Whether a path matches a pattern; null for an invalid pattern. */
export type MatcherOf = (pattern: string) => ((path: string) => boolean) | null;

/**
 * Checks runs against a budget. An entry is over its budget only if it is so in all runs: a single slow moment of the
 * machine fails no check. The closest entry for a function counts: its own, else patterns, else the whole. The worst
 * verdicts come first.
 */
export function checkBudget(
  budget: Budget,
  runs: readonly RunFigures[],
  matcherOf: MatcherOf,
): readonly CheckedEntry[] {
  const { functions, routes, whole } = budget;
  const files = filesOf(budget, matcherOf);
  const isOwn = ({ key }: FunctionFigure): boolean => functions.has(key);
  const isNamed = (fn: FunctionFigure): boolean => isOwn(fn) || files.some(({ matches }) => matches(fn));
  const entries = [
    ...[...functions].map(([key, limit]) => checkFunctions('function', key, limit, runs, (fn) => fn.key === key)),
    ...files.map(({ pattern, limit, matches }) => checkFunctions('file', pattern, limit, runs, matches, isOwn)),
    ...[...routes].map(([key, limit]) => checkRoute(key, limit, runs)),
    ...(whole === null ? [] : [checkFunctions('whole', 'whole', whole, runs, ({ isTest }) => !isTest, isNamed)]),
  ];
  return entries.toSorted((a, b) => ranks.indexOf(a.verdict) - ranks.indexOf(b.verdict));
}

const ranks: readonly CheckedEntry['verdict'][] = ['over', 'estimated', 'unknown', 'near', 'within'];

/** The patterns of a budget, each with its limit in µs. */
function filesOf({ files }: Budget, matcherOf: MatcherOf) {
  return [...files].map(([pattern, limit]) => {
    const matcher = matcherOf(pattern);
    return { pattern, limit, matches: ({ place }: FunctionFigure) => matcher?.(place.file) === true };
  });
}

/** The functions that exceed the budget in one run: their own entry, patterns, or the whole. */
export function functionsOver(budget: Budget, run: RunFigures, matcherOf: MatcherOf): readonly FunctionFigure[] {
  const files = filesOf(budget, matcherOf);
  return run.functions.filter((fn) => {
    const matching = files.flatMap(({ limit, matches }) => (matches(fn) ? [limit] : []));
    const others = matching.length === 0 && !fn.isTest && budget.whole !== null ? [budget.whole] : matching;
    const own = budget.functions.get(fn.key);
    return (fn.worst ?? 0) > minOf(own === undefined ? others : [own]);
  });
}

/** The functions of the application without any entry that exceed, in all runs, the limit of a new budget's whole. */
export function unjudged(budget: Budget, runs: readonly RunFigures[], matcherOf: MatcherOf): readonly CheckedEntry[] {
  if (budget.whole !== null) return [];
  const files = filesOf(budget, matcherOf);
  const left = runs
    .flatMap(({ functions }) => functions)
    .filter((fn) => !fn.isTest && !budget.functions.has(fn.key) && !files.some(({ matches }) => matches(fn)));
  return [...new Set(left.map(({ key }) => key))]
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
  const meant = runs.flatMap(({ functions }) => functions.filter(isMeant));
  const judged = groupBy(
    meant.filter((fn) => !isElsewhere(fn)),
    idOf,
  );
  const candidates = [...judged.values()].map((figures) => {
    const measured = figures.map(({ worst }) => worst ?? 0);
    const excess = Math.max(0, leastOf(measured, runs) - budget);
    const leftOut = longest(figures.map((fn) => fn.leftOut));
    return { figures, measured, excess, most: maxOf(measured), leftOut };
  });
  const [worst] = candidates.toSorted((a, b) =>
    firstDifference(b.excess - a.excess, b.most - a.most, (b.leftOut?.us ?? 0) - (a.leftOut?.us ?? 0)),
  );
  const common = { kind, key, budget, ...unplaced } as const;
  if (runs.every(({ isSeen }) => !isSeen))
    return { ...common, verdict: 'unknown', measured: [], leftOut: { why: 'unseen' } };
  if (worst === undefined) {
    const isKnown = kind === 'whole' || meant.length > 0;
    return { ...common, verdict: isKnown ? 'within' : 'unknown', measured: [] };
  }
  const { figures, measured, most } = worst;
  const isEstimated = figures.some((fn) => fn.isEstimated && fn.worst !== null);
  const leftOut = most > 0 ? null : worst.leftOut;
  // Where nothing was over the threshold, no function of a pattern was the longest.
  const place = kind === 'function' || most > 0 || leftOut !== null ? (figures[0]?.place ?? null) : null;
  const verdict = verdictOf(measured, budget, runs, isEstimated && runs.length === 1);
  return { ...common, verdict, measured, isEstimated, leftOut, place };
}

const unplaced = { place: null, budgetLine: null, meant: null, isEstimated: false, leftOut: null } as const;

function checkRoute(key: string, budget: number, runs: readonly RunFigures[]): CheckedEntry {
  const measured = runs.flatMap(({ routes }) => routes.get(key) ?? []);
  const verdict = measured.length === 0 ? 'unknown' : verdictOf(measured, budget, runs, false);
  return { kind: 'route', key, verdict, budget, measured, ...unplaced };
}

function verdictOf(
  measured: readonly number[],
  budget: number,
  runs: readonly RunFigures[],
  isEstimate: boolean,
): CheckedEntry['verdict'] {
  if (leastOf(measured, runs) > budget) return isEstimate ? 'estimated' : 'over';
  return maxOf(measured) >= 0.8 * budget ? 'near' : 'within';
}

/** The smallest value over all runs; 0 where one has none. */
function leastOf(measured: readonly number[], runs: readonly RunFigures[]): number {
  return measured.length < runs.length ? 0 : minOf(measured);
}
