import {
  type HotspotGroup,
  type HotspotOrder,
  type HotspotsParams,
  type HotspotGrouping,
  withFigure,
} from '../../protocol/list-rows.ts';
import type { Metric } from '../../protocol/requests.ts';
import { groupBy, firstDifference } from '../../engine/basics/lists.ts';
import { notOptimizedTime } from '../../words/tier-words.ts';
import {
  itemOf,
  blamedGroups,
  loadingGroup,
  leftOutGroup,
  type Row,
  functionsGroup,
  blamedItem,
  groupOf,
} from './hotspot-items.ts';
import type { Analysis } from '../../engine/analysis.ts';
import type { BlamedOperation } from '../../engine/judge/hotspots/blame.ts';
import { type HotFunction, hotFunctions, hotFunctionsIn } from '../../engine/hot-functions.ts';
import { operationRoutes } from '../../engine/judge/requests/route-waits.ts';
import { isBackground, testKey } from '../../engine/read/samples/sample-stream.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { threadName } from '../../words/thread-names.ts';
import {
  noGroup,
  noneWasLong,
  nothingToGroupBy,
  ofOneRun,
  ofRouteWhy,
  splitTitle,
} from '../../words/operation-words.ts';
import { shortPath } from '../../words/places.ts';
import { isOfProgram, namedBlames } from '../../words/summary.ts';

/** The groups of the tree: hot functions, then what held the loop without a function to blame, then module loading. */
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

/** Whether the function was long only because it loaded modules, once. */
function isLoading({ hot: { firstTime } }: Row): boolean {
  return typeof firstTime?.loads === 'string';
}

/** Every own function with more total time than the threshold, as if it were a hotspot. */
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

/** The sort is stable: equal rows stay worst first. */
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

/** A group for each file, and one for all built files. */
function fileGroups(analysis: Analysis, rows: readonly Row[]): readonly HotspotGroup[] {
  const isBuilt = ({ hot }: Row): boolean => analysis.functions.functions[hot.functionId]?.role === 'built';
  const byPath = groupBy(
    rows.filter((row) => !isBuilt(row)),
    ({ hot }) => {
      const fn = analysis.functions.functions[hot.functionId];
      return fn?.path ?? fn?.url ?? '';
    },
  );
  const files = [...byPath].map(([path, inFile]) => fileGroup(shortPath(path, analysis.roots), inFile));
  const built = rows.filter(isBuilt);
  return built.length === 0 ? files : [...files, functionsGroup('file', 'Built files', built)];
}

/** A file by its name, with its folder behind it. */
function fileGroup(path: string, rows: readonly Row[]): HotspotGroup {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const folder = path.slice(0, -name.length - 1);
  const group = functionsGroup('file', name, rows, folder);
  return { ...group, tooltip: path, uri: rows[0]?.item.location?.uri ?? null };
}

/** Groupings by what an operation belongs to. */
export type OperationGrouping = Extract<HotspotGrouping, 'test' | 'process' | 'route'>;

function isByOperation(grouping: HotspotGrouping): grouping is OperationGrouping {
  return grouping in nothingToGroupBy;
}

/** Each test, thread or route with what held the loop there, worst first. Without any, a row says why. */
function operationGroups(
  analysis: Analysis,
  folders: readonly string[],
  grouping: OperationGrouping,
  order: { readonly isByWorst: boolean; readonly compare: (a: HotFunction, b: HotFunction) => number },
): readonly HotspotGroup[] {
  const all = new Map(hotFunctions(analysis).map((hot) => [hot.functionId, hot]));
  const growing = growingGroups(analysis, grouping);
  const rowsOf = (parts: readonly number[]): readonly HotFunction[] =>
    hotFunctionsIn(parts, all, analysis).toSorted(order.compare);
  const sorted = [...growing.values()].toSorted((a, b) =>
    firstDifference(Number(a.isRest) - Number(b.isRest), b.worstUs - a.worstUs),
  );
  const groups = sorted
    .slice(0, MAX_GROUPS)
    .flatMap((group) => groupOfRows({ analysis, folders, isByWorst: order.isByWorst }, group, rowsOf(group.parts)));
  if (sorted.every(({ isRest }) => isRest)) {
    const why = isAnyKnown(analysis, grouping) ? noneWasLong[grouping] : nothingToGroupBy[grouping];
    return [groupOf('note', why, '', []), ...groups.map((group): HotspotGroup => ({ ...group, kind: 'functions' }))];
  }
  const more = sorted.length - MAX_GROUPS;
  const rest = more <= 0 ? [] : [groupOf('note', `+${more} more, with shorter operations`, '', [])];
  return [...ofOneRun(analysis).map((text) => groupOf('note', text, '', [])), ...groups, ...rest];
}

function isAnyKnown({ streams }: Analysis, grouping: OperationGrouping): boolean {
  if (grouping === 'test') return streams.some(({ tests }) => tests !== null && tests.changes.length > 0);
  return grouping === 'process' || streams.some(({ requests }) => (requests?.requests.length ?? 0) > 0);
}

/** Limit of groups: there may be ten thousand tests. */
const MAX_GROUPS = 300;

interface GrowingGroup {
  readonly kind: OperationGrouping;
  readonly label: string;
  readonly where: string;
  readonly tooltip: readonly string[];
  /** True for the group of operations without a test or route. */
  readonly isRest: boolean;
  readonly parts: number[];
  readonly blamed: BlamedOperation[];
  worstUs: Microseconds;
}

type NewGroup = Pick<GrowingGroup, 'label' | 'where' | 'tooltip' | 'isRest'> & { readonly key: string };

/** An operation may belong to several routes. */
function growingGroups(analysis: Analysis, kind: OperationGrouping): ReadonlyMap<string, GrowingGroup> {
  const groupsOf = groupFinder(analysis, kind);
  const growing = new Map<string, GrowingGroup>();
  const found = (operation: number): readonly GrowingGroup[] =>
    groupsOf(operation).map(({ key, ...about }) => {
      const group = growing.get(key) ?? { kind, ...about, parts: [], blamed: [], worstUs: microseconds(0) };
      growing.set(key, group);
      return group;
    });
  const add = (group: GrowingGroup, us: Microseconds): GrowingGroup =>
    Object.assign(group, { worstUs: us > group.worstUs ? us : group.worstUs });
  const { ownParts } = analysis;
  for (let part = 0; part < ownParts.size; part++)
    for (const group of found(ownParts.operationOf(part))) add(group, ownParts.weightOf(part)).parts.push(part);
  for (const [operation, { blame }] of analysis.verdicts.entries()) {
    if (blame === null || blame.us <= analysis.thresholdUs || !isOfProgram(blame)) continue;
    const { held = blame.us, measured = false, doubt = null } = analysis.operations[operation] ?? {};
    const blamed = { blame, estimated: !measured || doubt !== null, durationUs: held };
    for (const group of found(operation)) add(group, blame.us).blamed.push(blamed);
  }
  return growing;
}

/** The groups of an operation. Background threads are only in groups of threads. */
function groupFinder(analysis: Analysis, kind: OperationGrouping): (operation: number) => readonly NewGroup[] {
  const { operations, streams, roots } = analysis;
  const rest: NewGroup = { key: '', label: noGroup[kind], where: '', tooltip: [], isRest: true };
  const routes = kind === 'route' ? operationRoutes(analysis) : null;
  return (number) => {
    const { stream: index = -1, test = null } = operations[number] ?? {};
    const stream = streams[index];
    if (stream === undefined) return [];
    if (kind === 'process')
      return [{ key: String(index), label: threadName(streams, index), where: '', tooltip: [], isRest: false }];
    if (isBackground(stream)) return [];
    if (kind === 'route') {
      const names = [...(routes?.get(number) ?? [])];
      const of = names.map((label) => ({ key: label, label, where: '', tooltip: [ofRouteWhy], isRest: false }));
      return of.length === 0 ? [rest] : of;
    }
    if (test === null) return [rest];
    const { title, suites } = splitTitle(test.name);
    const tooltip = [test.name, ...(test.file === '' ? [] : [shortPath(test.file, roots)])];
    return [{ key: testKey(test), label: title, where: suites, tooltip, isRest: false }];
  };
}

interface Shown {
  readonly analysis: Analysis;
  readonly folders: readonly string[];
  readonly isByWorst: boolean;
}

/** The rows of a group; empty where nothing is over the threshold. */
function groupOfRows(
  { analysis, folders, isByWorst }: Shown,
  { kind, label, where, tooltip, blamed }: GrowingGroup,
  rows: readonly HotFunction[],
): readonly HotspotGroup[] {
  const blames = namedBlames(blamed);
  if (rows.length + blames.length === 0) return [];
  const items = [
    ...rows.map((hot) => ({ hot, item: itemOf(analysis, folders, hot, { metric: 'worst', isBelowFile: false }) })),
    ...blames.map((hot) => ({ hot, item: blamedItem(analysis, folders, hot) })),
  ];
  // Functions come first only where another figure than the worst orders them: packages have no stacks and no total.
  const ordered = isByWorst ? items.toSorted((a, b) => b.hot.worstUs - a.hot.worstUs) : items;
  const group = groupOf(
    kind,
    label,
    [label, ...tooltip].join('\n'),
    ordered.map(({ item }) => item),
  );
  return [withFigure({ ...group, description: where })];
}
