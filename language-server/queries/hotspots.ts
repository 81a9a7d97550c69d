import type { Analysis } from '../../engine/analysis.ts';
import {
  builtFile,
  changedSince,
  firstTimeFigures,
  lensFigures,
  totalFigures,
  worstTime,
} from '../../words/formats/figures.ts';
import type { HotspotGroup, HotspotItem, HotspotOrder, HotspotsParams, Metric } from '../../protocol/requests.ts';
import { type HotFunction, hotFunctions } from '../../engine/hot-functions.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { locateHottestLine } from './locate.ts';
import { noTiersText, notOptimizedTime, optimizedText, secondRunText, tierLines } from '../../words/tier-words.ts';
import { placeOf, placeText, shortPath } from '../../words/places.ts';
import { blamedGroups, loadingGroup, leftOutGroup, noTime, type Row } from './other-groups.ts';
import { durationClassOf } from '../../protocol/figures.ts';

/**
 * The groups of the tree: first hot functions, then what held the loop with no function of the person's to blame, then
 * the loading of modules.
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

/** Whether the function was long only because it loaded modules, once: then no line of it can be improved. */
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
