import type { Analysis } from '../../engine/analysis.ts';
import { filePathOf } from '../../engine/files/file-path.ts';
import { durationClassOf } from '../../protocol/duration-class.ts';
import {
  builtFile,
  changedSince,
  duration,
  firstTimeFigures,
  lensFigures,
  totalFigures,
  worstTime,
} from '../../words/formats/figures.ts';
import type { HotspotGroup, HotspotItem, HotspotOrder, HotspotsParams, Metric } from '../../protocol/requests.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { groupBy } from '../../engine/basics/group-by.ts';
import { type HotFunction, hotFunctions } from '../../engine/report/hot-function.ts';
import { locate, locateHottestLine } from './locate.ts';
import { noTiersText, notOptimizedTime, optimizedText, secondRunText, tierLines } from '../../words/tier-words.ts';
import { importedAt, placeOf, placeText, shortPath } from '../../words/places.ts';
import { leftOutThreads } from '../../words/left-out.ts';
import { type BlamedOperation, longBlames } from '../../engine/hotspots/long-blames.ts';
import { blameName, isOfProgram } from '../../words/summary.ts';
import type { WorstFigure } from '../../protocol/figures.ts';

/**
 * The tree: hot functions in groups, then what held the loop without a function of the person's to blame, then the
 * loading of modules.
 */
export function hotspotsOf(
  analysis: Analysis,
  folders: readonly string[],
  { groupBy: grouping, sortBy }: HotspotsParams,
  metric: Metric,
): readonly HotspotGroup[] {
  const rows = (metric === 'total' ? byTotal(analysis) : hotFunctions(analysis)).toSorted(
    comparison(analysis, sortBy, metric),
  );
  const all = rows.map((hot) => ({ hot, item: itemOf(analysis, folders, hot, metric) }));
  const items = all.filter((row) => !isLoading(row));
  const blamed = blamedGroups(analysis, folders);
  const loading = [...loadingGroup(analysis, folders, all.filter(isLoading)), ...leftOutGroup(analysis)];
  if (grouping === 'package')
    return [...blamed, ...(items.length > 0 ? [functionsGroup('file', 'Your code', items)] : []), ...loading];
  if (grouping === 'function')
    return [...(items.length > 0 ? [functionsGroup('functions', '', items)] : []), ...blamed, ...loading];
  return [...fileGroups(analysis, items), ...blamed, ...loading];
}

interface Row {
  readonly hot: HotFunction;
  readonly item: HotspotItem;
}

/** Whether all that it did for long was to load modules, once: then no line of it is to be improved. */
function isLoading({ hot: { firstTime } }: Row): boolean {
  return typeof firstTime?.loads === 'string';
}

/** Every own function that took more time than the threshold in total, as if it were a hotspot. */
function byTotal(analysis: Analysis): readonly HotFunction[] {
  const hot = new Map(hotFunctions(analysis).map((fn) => [fn.functionId, fn]));
  return analysis.functions.functions.flatMap(({ id, own, moduleBody, role }): readonly HotFunction[] => {
    const figures = analysis.figures[id];
    if (!own || moduleBody || figures === undefined || figures.total <= analysis.thresholdUs) return [];
    const { worst, longCount, distinctStacks, estimated } = figures.presence;
    const quiet: HotFunction = {
      functionId: id,
      worstUs: worst,
      longCount,
      distinctStacks,
      estimated,
      tone: role === 'app' ? 'plain' : 'dim',
      firstTime: null,
      totalUs: figures.total,
    };
    return [hot.get(id) ?? quiet];
  });
}

/** The order of rows. It is stable: equal ones stay worst first, cold ones last. */
function comparison(
  { tiers }: Analysis,
  sortBy: HotspotOrder,
  metric: Metric,
): (a: HotFunction, b: HotFunction) => number {
  if (sortBy === 'notOptimized') {
    const timeOf = ({ functionId }: HotFunction): number => notOptimizedTime(tiers?.functions.get(functionId));
    return (a, b) => timeOf(b) - timeOf(a);
  }
  return comparisons[metric === 'total' && sortBy === 'worst' ? 'total' : sortBy];
}

const comparisons: Readonly<Record<Exclude<HotspotOrder, 'notOptimized'>, (a: HotFunction, b: HotFunction) => number>> =
  {
    worst: () => 0,
    count: (a, b) => b.longCount - a.longCount,
    stacks: (a, b) => b.distinctStacks - a.distinctStacks,
    total: (a, b) => b.totalUs - a.totalUs,
  };

function itemOf(analysis: Analysis, folders: readonly string[], hot: HotFunction, metric: Metric): HotspotItem {
  const fn = analysis.functions.functions[hot.functionId];
  const place = fn === undefined ? '' : placeOf(fn, analysis);
  const figures =
    hot.firstTime === null ? lensFigures(hot, analysis.thresholdUs) : firstTimeFigures(hot, hot.firstTime);
  const tiers = analysis.tiers?.functions.get(hot.functionId);
  const optimized = optimizedText(tiers);
  const main = metric === 'total' ? totalFigures(hot.totalUs, hot.worstUs) : figures;
  const isChanged = analysis.changed.functionIds.has(hot.functionId);
  const shown = [main, ...(optimized === null ? [] : [optimized]), ...(isChanged ? [changedSince] : [])].join(' · ');
  const notes = [
    hot.tone === 'background' ? ['in a worker of the program: no event loop waits on it'] : [],
    fn?.role === 'test' ? ['test code'] : [],
    fn?.role === 'built' ? [builtFile] : [],
    tiers === undefined ? [] : tierLines(tiers, analysis, (place) => placeText(place, analysis)).slice(0, 2),
    tiers !== undefined || analysis.tiers === null ? [] : [noTiersText(fn?.path ?? null, analysis)],
    secondRunText(analysis, Date.now()) ?? [],
  ].flat();
  return {
    functionId: hot.functionId,
    label: fn?.label ?? '',
    description: shown,
    tooltip: [place, shown, ...notes].join('\n'),
    class: durationClassOf(hot.worstUs),
    tone: hot.tone,
    location: locateHottestLine(analysis, folders, hot.functionId),
  };
}

/** Groups, one for each file, and one for all built files. */
function fileGroups(analysis: Analysis, rows: readonly Row[]): readonly HotspotGroup[] {
  const isBuilt = ({ hot }: Row): boolean => analysis.functions.functions[hot.functionId]?.role === 'built';
  const byPath = groupBy(
    rows.filter((row) => !isBuilt(row)),
    ({ hot }) => pathOf(analysis, hot.functionId),
  );
  const files = [...byPath].map(([path, inFile]) => ({
    ...functionsGroup('file', shortPath(path, analysis.roots), inFile),
    uri: inFile[0]?.item.location?.uri ?? null,
  }));
  const built = rows.filter(isBuilt);
  return built.length === 0 ? files : [...files, functionsGroup('file', 'Built files', built)];
}

function pathOf({ functions }: Analysis, functionId: number): string {
  const fn = functions.functions[functionId];
  return fn?.path ?? fn?.url ?? '';
}

function functionsGroup(kind: 'file' | 'functions', label: string, rows: readonly Row[]): HotspotGroup {
  const worst = rows.map(({ hot }) => hot).reduce((most, hot) => (hot.worstUs > most.worstUs ? hot : most), noTime);
  return {
    kind,
    label,
    description: `worst ${worstTime(worst)}`,
    uri: null,
    items: rows.map(({ item }) => item),
  };
}

const noTime: WorstFigure = { worstUs: microseconds(0), estimated: false };

/**
 * What held the loop in operations without a culprit: own code in many short calls; then packages, Node and
 * collections, without the person's code on the stack. The runner is left out, and loading has a group of its own.
 */
function blamedGroups(analysis: Analysis, folders: readonly string[]): readonly HotspotGroup[] {
  const blames = longBlames(analysis).filter(({ blame }) => isOfProgram(blame));
  const [own, others] = [true, false].map((isOwn) => blames.filter(({ blame }) => (blame.kind === 'own') === isOwn));
  const group = (blamed: readonly BlamedOperation[], label: string, explanation: string): readonly HotspotGroup[] =>
    blamedGroup(blamed, label, explanation, (name) => importOf(analysis, folders, name));
  return [
    ...group(own ?? [], 'Your code, in short calls', 'no single function of yours holds the loop that long'),
    ...group(others ?? [], 'Not in your code', 'no line of yours on the stack'),
  ];
}

/** Where a package is imported, and what a tooltip says of that; empty for what is no package. */
function importOf(
  analysis: Analysis,
  folders: readonly string[],
  name: string,
): Pick<HotspotItem, 'location'> & { readonly text: string } {
  const [first] = analysis.packages.find((one) => one.name === name)?.imports ?? [];
  if (first === undefined) return { location: null, text: '' };
  const imported = importedAt(analysis, name, (place) => placeText(place, analysis));
  return { location: locate(analysis, folders, first), text: imported === null ? '' : `, ${imported}` };
}

function blamedGroup(
  blamed: readonly BlamedOperation[],
  label: string,
  explanation: string,
  imported: (name: string) => ReturnType<typeof importOf>,
): readonly HotspotGroup[] {
  const byName = groupBy(blamed, ({ blame }) => blameName(blame));
  const items = [...byName].map(([name, operations]): BlamedItem => {
    const worstUs = microseconds(operations.reduce((most, { blame }) => Math.max(most, blame.us), 0));
    const { location, text } = imported(name);
    const figures = `worst ${duration(worstUs)} · ${operations.length} ×`;
    return { worstUs, item: { ...rowWithoutPlace(name, figures, `${explanation}${text}`, worstUs), location } };
  });
  if (items.length === 0) return [];
  const sorted = items.toSorted((a, b) => b.worstUs - a.worstUs).map(({ item }) => item);
  return [{ kind: 'package', label, description: '', uri: null, items: sorted }];
}

interface BlamedItem {
  readonly worstUs: Microseconds;
  readonly item: HotspotItem;
}

/**
 * Modules by the time that they themselves took to be found, read, compiled and evaluated; then the functions that load
 * something when they are called first.
 */
function loadingGroup(
  analysis: Analysis,
  folders: readonly string[],
  loaders: readonly Row[],
): readonly HotspotGroup[] {
  const modules = analysis.modules
    .filter(({ self }) => self > analysis.thresholdUs)
    .toSorted((a, b) => b.self - a.self);
  if (modules.length + loaders.length === 0) return [];
  const items = modules.map(({ url, self, total }): HotspotItem => {
    const label = shortPath(filePathOf(url) ?? url, analysis.roots);
    const row = rowWithoutPlace(
      label,
      `${duration(self)} · ${duration(total)} with what it loads`,
      'time to load this module',
      self,
    );
    return { ...row, location: locate(analysis, folders, { url, line: 1 }) };
  });
  const rows = [...items, ...loaders.map(({ item }) => item)];
  return [{ kind: 'loading', label: 'Module loading', description: '', uri: null, items: rows }];
}

/** Threads whose figures are in no other group. */
function leftOutGroup(analysis: Analysis): readonly HotspotGroup[] {
  const tooltip = 'nobody waits on its event loop: it is in no figure, but in the flamegraph';
  const items = leftOutThreads(analysis).map(({ label, longestUs }): HotspotItem => {
    return {
      ...rowWithoutPlace(label, `longest operation ${duration(longestUs)}`, tooltip, longestUs),
      tone: 'background',
    };
  });
  return items.length === 0 ? [] : [{ kind: 'leftOut', label: 'Left out', description: '', uri: null, items }];
}

function rowWithoutPlace(label: string, description: string, tooltip: string, worstUs: Microseconds): HotspotItem {
  return {
    functionId: -1,
    label,
    description,
    tooltip,
    class: durationClassOf(worstUs),
    tone: 'plain',
    location: null,
  };
}
