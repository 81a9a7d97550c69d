import type { Analysis, RunsBlame, Several } from '../../analysis.ts';
import { compareTexts, firstDifference, groupBy } from '../../basics/lists.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { hotFunctions } from '../../hot-functions.ts';
import { longBlames, worstBlamed } from '../../judge/hotspots/blame.ts';
import type { BlamedPackage } from '../../judge/lines/import-lines.ts';
import type { AnalyzedRun, FoundAgain, OtherText } from './find-again.ts';
import { fileBelow } from '../side.ts';
import type {
  FunctionFigures,
  CulpritFigures,
  PresenceFigures,
} from '../../judge/function-figures/function-figures.ts';
import { type FigureRuns, median, maxOf } from '../../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { HotLine } from '../../judge/lines/hot-lines.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

/** Facts about the runs that they did not measure. */
export type GivenRuns = Pick<Several, 'takenFor' | 'why' | 'copies' | 'leftOut'>;

/**
 * One analysis of several runs of one thing. Functions, lines and packages have the medians and the figures of each run.
 * The rest comes from the run in the middle, or from run `shown`. `ids`: those in `analysis`, by run and function id.
 */
export function mergeRuns(
  runs: readonly AnalyzedRun[],
  { keys, differing }: FoundAgain,
  given: GivenRuns,
  shown: number | null = null,
): { readonly analysis: Analysis; readonly middle: number; readonly ids: readonly (readonly number[])[] } {
  const all = runs.map(({ analysis }) => analysis);
  const middle = shown ?? middleOf(all);
  const base = all[middle];
  if (base === undefined) throw new Error('There is no run to merge.');
  const { functions, ids } = functionsOfRuns(all, keys, middle);
  const newId: NewId = (run, id) => (id < 0 ? id : (ids[run]?.[id] ?? -1));
  const known = ids.map((inRun) => new Map(inRun.map((id, own) => [id, own])));
  const figures = functions.map(({ id }) =>
    figuresOfRuns(
      all.map((one, run) => one.figures[known[run]?.get(id) ?? -1]),
      newId,
    ),
  );
  const united = (of: (analysis: Analysis) => ReadonlySet<number>): ReadonlySet<number> =>
    new Set(all.flatMap((one, run) => [...of(one)].map((id) => newId(run, id))));
  const analysis: Analysis = {
    ...base,
    functions: { ...base.functions, functions },
    figures,
    atomicsWaiters: united(({ atomicsWaiters }) => atomicsWaiters),
    lines: linesOfRuns(all, middle, newId, differing, figures),
    packages: packagesOfRuns(all, middle),
    changed: {
      paths: new Set(all.flatMap(({ changed }) => [...changed.paths])),
      profiled: base.changed.profiled,
      outdated: base.changed.outdated,
      functionIds: united(({ changed }) => changed.functionIds),
    },
    warnings: [...warningsOfRuns(all, differing), ...warningsOf(all)],
    // Findings cover the operations of one run. Several runs have the list of all hotspots instead.
    findings: { ...base.findings, all: [], longOperations: 0 },
    several: { ...given, paths: runs.map(({ path }) => path), middle, blames: blamesOf(all) },
  };
  return { analysis, middle, ids };
}

/** The run in the middle by its longest hold of the loop. */
function middleOf(all: readonly Analysis[]): number {
  const longest = all.map((analysis, run) => ({ run, us: hotFunctions(analysis)[0]?.worstUs ?? 0 }));
  return inTheMiddle(longest, ({ us }) => us)?.run ?? 0;
}

/** The functions of the run in the middle, with their ids, and after them those that only other runs have. */
function functionsOfRuns(
  all: readonly Analysis[],
  keys: FoundAgain['keys'],
  middle: number,
): { readonly functions: readonly FunctionInfo[]; readonly ids: readonly (readonly number[])[] } {
  const functions = [...(all[middle]?.functions.functions ?? [])];
  const byKey = new Map((keys[middle] ?? []).map((key, id) => [key, id]));
  const ids = all.map(({ functions: table }, run) =>
    table.functions.map((fn) => {
      const key = keys[run]?.[fn.id] ?? '';
      const id = byKey.get(key) ?? functions.length;
      if (id === functions.length) functions.push({ ...fn, id });
      byKey.set(key, id);
      return id;
    }),
  );
  return { functions, ids };
}

function packagesOfRuns(all: readonly Analysis[], middle: number): readonly BlamedPackage[] {
  const names = new Set(all.flatMap(({ packages }) => packages.map(({ name }) => name)));
  const merged = [...names].flatMap((name): readonly BlamedPackage[] => {
    const inRuns = all.map(({ packages }) => packages.find((one) => one.name === name) ?? null);
    const known = inRuns.flatMap((one) => one ?? []);
    const typical = inRuns[middle] ?? known[0];
    if (typical === undefined) return [];
    const worst = middleTime(known.map((one) => one.worst));
    const longCount = middleCount(known.map((one) => one.longCount));
    const runs = {
      worstUs: inRuns.map((one) => one?.worst ?? null),
      longCount: inRuns.map((one) => one?.longCount ?? null),
    };
    return [{ ...typical, worst, estimated: known.some(({ estimated }) => estimated), longCount, runs }];
  });
  return merged.toSorted((a, b) => firstDifference(b.worst - a.worst, compareTexts(a.name, b.name)));
}

/** What held the loop without a function to blame, by kind and name, the longest first. */
function blamesOf(all: readonly Analysis[]): readonly RunsBlame[] {
  const inRuns = all.map((analysis) => groupBy(longBlames(analysis), ({ blame }) => `${blame.kind}\n${blame.name}`));
  const found = new Set(inRuns.flatMap((groups) => [...groups.keys()]));
  return [...found].flatMap((key): readonly RunsBlame[] => {
    const groups = inRuns.map((byKey) => byKey.get(key) ?? []);
    const [first] = groups.flat();
    if (first === undefined) return [];
    const { kind, name } = first.blame;
    const figures = groups.map((group) => {
      const worst = middleTime([Math.max(0, maxOf(group.map(({ blame }) => blame.us)))]);
      return group.length === 0 ? null : { worst, longCount: group.length, distinctStacks: 0 };
    });
    const { worstUs, longCount } = figureRuns(figures);
    const middle = middleTime(worstUs.flatMap((us) => us ?? []));
    const count = middleCount(longCount.flatMap((one) => one ?? []));
    const estimated = groups.some((group) => worstBlamed(group)?.estimated === true);
    return [{ kind, name, worstUs: middle, estimated, count, runs: { worstUs, longCount } }];
  });
}

/** What keeps the runs from being of one thing. */
function warningsOfRuns(all: readonly Analysis[], differing: readonly OtherText[]): readonly Warning[] {
  const ofRuns = all.map(({ streams }) =>
    [...new Set(streams.flatMap(({ isolate }) => isolate.nodeVersion ?? []))].toSorted().join(' and '),
  );
  const versions = [...new Set(ofRuns)].filter((version) => version !== '').toSorted();
  return [
    ...differing.slice(0, 1).map((other): Warning => ({ type: 'otherCode', ...other })),
    ...(versions.length > 1 ? [{ type: 'otherNodes', versions } as const] : []),
  ];
}

/** The warnings of all runs, each once; that of a busy machine is of all runs together. */
function warningsOf(all: readonly Analysis[]): readonly Warning[] {
  const warnings = all.flatMap((one) => one.warnings);
  const byText = new Map(warnings.map((warning) => [JSON.stringify(warning), warning]));
  const busy = warnings.filter((warning) => warning.type === 'busyMachine');
  const together = busy.reduce((sum, { ran, waited }) => ({ ran: sum.ran + ran, waited: sum.waited + waited }), noWait);
  const others = [...byText.values()].filter(({ type }) => type !== 'busyMachine');
  return busy.length === 0 ? others : [{ type: 'busyMachine', ...together }, ...others];
}

const noWait = { ran: 0, waited: 0 };

/**
 * The lines of several runs, each with its figures in all of them. A line has a mark if it has one in at least half of
 * the runs in which its function is over the threshold, because with few samples a run may put time on a neighbouring
 * line; or if it is the most frequent line of its function. A file whose text differs has the lines of the run in the
 * middle. `figures`: of all runs, by merged id.
 */
function linesOfRuns(
  all: readonly Analysis[],
  middle: number,
  newId: NewId,
  differing: readonly OtherText[],
  figures: readonly FunctionFigures[],
): readonly HotLine[] {
  const others = new Set(differing.map(({ file }) => file));
  const byPlace = new Map<string, (HotLine | null)[]>();
  for (const [run, { lines, roots }] of all.entries()) {
    for (const line of lines) {
      const file = fileBelow(line.url, roots);
      if (others.has(file) && run !== middle) continue;
      const key = `${line.background}\n${file}\n${line.line}`;
      const inRuns = byPlace.get(key) ?? all.map(() => null);
      inRuns[run] = { ...line, functionIds: line.functionIds.map((id) => newId(run, id)) };
      byPlace.set(key, inRuns);
    }
  }
  const merged = [...byPlace.values()].flatMap(placeOfRuns);
  const byFunction = groupBy(merged, ({ line }) => line.functionIds[0] ?? -1);
  const most = new Map([...byFunction].map(([id, lines]) => [id, maxOf(lines.map(({ marked }) => marked))]));
  return merged
    .map(({ line, marked }) => {
      const id = line.functionIds[0] ?? -1;
      const culprit = line.background ? figures[id]?.backgroundCulprit : figures[id]?.culprit;
      const runsOver = culprit?.runs?.worstUs.filter((us) => us !== null).length ?? 0;
      return { ...line, decorated: marked > 0 && marked >= Math.min(runsOver / 2, most.get(id) ?? 0) };
    })
    .toSorted((a, b) => firstDifference(b.worst - a.worst, compareTexts(a.url, b.url), a.line - b.line));
}

/** One line over all runs. Its figures are of the runs in which it has a mark, if any; `marked`: how many these are. */
function placeOfRuns(inRuns: readonly (HotLine | null)[]) {
  const marks = inRuns.map((line) => (line?.decorated === true ? line : null));
  const marked = marks.filter((line) => line !== null).length;
  const shown = marked > 0 ? marks : inRuns;
  const typical = inTheMiddle(
    shown.flatMap((line) => line ?? []),
    ({ worst }) => worst,
  );
  return typical === undefined ? [] : [{ line: lineOfRuns(typical, shown), marked }];
}

/** The id of a run's function in the merged analysis; a negative id stays. */
type NewId = (run: number, id: number) => number;

/**
 * Figures of one function over several runs: medians over the runs that have it. `all` has a place for each run: undefined
 * where it has no such function. Only runs in which the function is over the threshold have figures of a culprit.
 */
function figuresOfRuns(all: readonly (FunctionFigures | undefined)[], newId: NewId): FunctionFigures {
  const seen = all.flatMap((figures) => (figures !== undefined && figures.total > 0 ? figures : []));
  const of = (pick: (figures: FunctionFigures) => number): Microseconds => middleTime(seen.map(pick));
  const each = <Key extends keyof FunctionFigures>(key: Key): readonly (FunctionFigures[Key] | null)[] =>
    all.map((figures) => figures?.[key] ?? null);
  return {
    self: of(({ self }) => self),
    total: of(({ total }) => total),
    gc: of(({ gc }) => gc),
    load: of(({ load }) => load),
    presence: presenceOfRuns(each('presence')),
    background: presenceOfRuns(each('background')),
    culprit: culpritOfRuns(each('culprit'), newId),
    backgroundCulprit: culpritOfRuns(each('backgroundCulprit'), newId),
  };
}

type InRun = Pick<CulpritFigures, 'worst' | 'longCount' | 'distinctStacks'>;

/** The figures of each run; null for a run in which it was not over the threshold. */
function figureRuns(all: readonly (InRun | null)[]): FigureRuns {
  return {
    worstUs: all.map((one) => one?.worst ?? null),
    longCount: all.map((one) => one?.longCount ?? null),
    distinctStacks: all.map((one) => one?.distinctStacks ?? null),
  };
}

function culpritOfRuns(all: readonly (CulpritFigures | null)[], newId: NewId): CulpritFigures | null {
  const over = all.flatMap((figures, run) => (figures === null ? [] : [{ ...figures, run }]));
  const typical = inTheMiddle(over, ({ worst }) => worst);
  if (typical === undefined) return null;
  const { run, waited, loaded } = typical;
  return {
    ...middleFigures(over),
    worstWarm: middleTime(over.map(({ worstWarm }) => worstWarm)),
    samples: middleCount(over.map(({ samples }) => samples)),
    estimated: over.some(({ estimated }) => estimated),
    waited:
      waited === null ? null : { ...waited, in: typeof waited.in === 'number' ? newId(run, waited.in) : waited.in },
    loaded: loaded === null ? null : newId(run, loaded),
    runs: figureRuns(all),
  };
}

function presenceOfRuns(all: readonly (PresenceFigures | null)[]): PresenceFigures {
  const known = all.flatMap((figures) => figures ?? []);
  const long = all.map((figures) => (figures !== null && figures.longCount > 0 ? figures : null));
  const isLong = long.some((figures) => figures !== null);
  const chosen = isLong ? long.flatMap((figures) => figures ?? []) : known.filter(({ worst }) => worst > 0);
  const typical = inTheMiddle(chosen, ({ worst }) => worst) ?? known[0];
  return {
    ...middleFigures(chosen),
    worstWarm: middleTime(chosen.map(({ worstWarm }) => worstWarm)),
    worstSamples: middleCount(chosen.map(({ worstSamples }) => worstSamples)),
    estimated: chosen.some(({ estimated }) => estimated),
    tests: typical?.tests ?? [],
    byClass: typical?.byClass ?? { fast: 0, medium: 0, slow: 0, verySlow: 0, monster: 0 },
    ...(isLong ? { runs: figureRuns(long) } : {}),
  };
}

/** The line of the run in the middle, with the figures of `all`. */
function lineOfRuns(line: HotLine, all: readonly (HotLine | null)[]): HotLine {
  const known = all.flatMap((one) => one ?? []);
  return {
    ...line,
    ...middleFigures(known),
    estimated: known.some(({ estimated }) => estimated),
    runs: figureRuns(all),
  };
}

function middleFigures(all: readonly InRun[]): InRun {
  return {
    worst: middleTime(all.map(({ worst }) => worst)),
    longCount: middleCount(all.map(({ longCount }) => longCount)),
    distinctStacks: middleCount(all.map(({ distinctStacks }) => distinctStacks)),
  };
}

/** The median of some times; 0 where there are none. */
function middleTime(times: readonly number[]): Microseconds {
  return microseconds(middleCount(times));
}

/** The median of some counts, rounded; 0 where there are none. */
function middleCount(counts: readonly number[]): number {
  return counts.length === 0 ? 0 : Math.round(median(counts));
}

/** The one in the middle; of two the smaller. Undefined where there is none. */
function inTheMiddle<Item>(all: readonly Item[], valueOf: (item: Item) => number): Item | undefined {
  return all.toSorted((a, b) => valueOf(a) - valueOf(b))[Math.floor((all.length - 1) / 2)];
}
