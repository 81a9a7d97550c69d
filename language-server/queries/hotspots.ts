import type { Analysis } from '../../engine/analysis.ts';
import type { HotspotGroup, HotspotOrder, HotspotsParams } from '../../protocol/list-rows.ts';
import type { Metric } from '../../protocol/requests.ts';
import { type HotFunction, hotFunctions } from '../../engine/hot-functions.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { notOptimizedTime } from '../../words/tier-words.ts';
import { shortPath } from '../../words/places.ts';
import { itemOf } from './hotspot-items.ts';
import { blamedGroups, loadingGroup, leftOutGroup, type Row, functionsGroup } from './other-groups.ts';
import { isByOperation, operationGroups } from './operation-groups.ts';

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
  if (isByOperation(grouping)) {
    const groups = operationGroups(analysis, folders, grouping, {
      isByWorst: sortBy === 'worst',
      compare: comparison(analysis, sortBy, 'worst'),
    });
    return [...groups, ...loadingGroup(analysis, folders, []), ...leftOutGroup(analysis)];
  }
  const rows = (metric === 'total' ? byTotal(analysis) : hotFunctions(analysis)).toSorted(
    comparison(analysis, sortBy, metric),
  );
  const isBelowFile = grouping === 'file';
  const all = rows.map((hot) => ({ hot, item: itemOf(analysis, folders, hot, { metric, isBelowFile }) }));
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
    const { worst, longCount, distinctStacks, estimated, runs } = figures.presence;
    const quiet: HotFunction = {
      functionId: id,
      worstUs: worst,
      longCount,
      distinctStacks,
      estimated,
      ...(runs === undefined ? {} : { runs }),
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

/** Groups, one for each file, and one for all built files. */
function fileGroups(analysis: Analysis, rows: readonly Row[]): readonly HotspotGroup[] {
  const isBuilt = ({ hot }: Row): boolean => analysis.functions.functions[hot.functionId]?.role === 'built';
  const byPath = groupBy(
    rows.filter((row) => !isBuilt(row)),
    ({ hot }) => pathOf(analysis, hot.functionId),
  );
  const files = [...byPath].map(([path, inFile]) => fileGroup(shortPath(path, analysis.roots), inFile));
  const built = rows.filter(isBuilt);
  return built.length === 0 ? files : [...files, functionsGroup('file', 'Built files', built)];
}

/** A file by its name, with its folder behind it: the row is wide enough for that. */
function fileGroup(path: string, rows: readonly Row[]): HotspotGroup {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const folder = path.slice(0, -name.length - 1);
  const group = functionsGroup('file', name, rows, folder);
  return { ...group, tooltip: path, uri: rows[0]?.item.location?.uri ?? null };
}

function pathOf({ functions }: Analysis, functionId: number): string {
  const fn = functions.functions[functionId];
  return fn?.path ?? fn?.url ?? '';
}
