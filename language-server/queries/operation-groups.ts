import type { Analysis } from '../../engine/analysis.ts';
import { firstDifference } from '../../engine/basics/lists.ts';
import type { BlamedOperation } from '../../engine/judge/hotspots/blame.ts';
import { type HotFunction, hotFunctions, hotFunctionsIn } from '../../engine/hot-functions.ts';
import { operationRoutes } from '../../engine/judge/requests/route-waits.ts';
import { isBackground } from '../../engine/read/samples/sample-stream.ts';
import type { HotspotGroup, HotspotGrouping } from '../../protocol/list-rows.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { worstTime } from '../../words/formats/figures.ts';
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
import { itemOf } from './hotspot-items.ts';
import { blamedItem, groupOf } from './other-groups.ts';

/** Groupings by what an operation belongs to, not by what a function does. */
export type OperationGrouping = Extract<HotspotGrouping, 'test' | 'process' | 'route'>;

export function isByOperation(grouping: HotspotGrouping): grouping is OperationGrouping {
  return grouping in nothingToGroupBy;
}

/**
 * Each test, thread or route with those that held the loop in its operations, and their figures there; the worst group
 * first. Where nothing belongs to any, one row says why, and all functions follow.
 */
export function operationGroups(
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
    .slice(0, mostGroups)
    .flatMap((group) => groupOfRows({ analysis, folders, isByWorst: order.isByWorst }, group, rowsOf(group.parts)));
  if (sorted.every(({ isRest }) => isRest)) {
    const why = isAnyKnown(analysis, grouping) ? noneWasLong[grouping] : nothingToGroupBy[grouping];
    return [groupOf('note', why, '', []), ...groups.map((group): HotspotGroup => ({ ...group, kind: 'functions' }))];
  }
  const more = sorted.length - mostGroups;
  const rest = more <= 0 ? [] : [groupOf('note', `+${more} more, with shorter operations`, '', [])];
  return [...ofOneRun(analysis).map((text) => groupOf('note', text, '', [])), ...groups, ...rest];
}

/** Whether the recording has tests or requests at all. */
function isAnyKnown({ streams }: Analysis, grouping: OperationGrouping): boolean {
  if (grouping === 'test') return streams.some(({ tests }) => tests !== null && tests.changes.length > 0);
  return grouping === 'process' || streams.some(({ requests }) => (requests?.requests.length ?? 0) > 0);
}

/** Most groups: there may be ten thousand tests. */
const mostGroups = 300;

interface GrowingGroup {
  readonly kind: OperationGrouping;
  readonly label: string;
  readonly where: string;
  readonly tooltip: readonly string[];
  /** True for the group of all that belongs to no test or route. */
  readonly isRest: boolean;
  /** Numbers of own parts. */
  readonly parts: number[];
  readonly blamed: BlamedOperation[];
  /** The longest of these. */
  worstUs: Microseconds;
}

type NewGroup = Pick<GrowingGroup, 'label' | 'where' | 'tooltip' | 'isRest'> & { readonly key: string };

/** Groups with the own parts and the blamed operations in them. An operation may belong to several routes. */
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
    const durationUs = analysis.operations[operation]?.held ?? blame.us;
    for (const group of found(operation)) add(group, blame.us).blamed.push({ blame, durationUs });
  }
  return growing;
}

/** What an operation belongs to. Threads that nobody waits for are in groups of threads alone. */
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
    return [{ key: `${test.file}\n${test.name}`, label: title, where: suites, tooltip, isRest: false }];
  };
}

interface Shown {
  readonly analysis: Analysis;
  readonly folders: readonly string[];
  readonly isByWorst: boolean;
}

/** The rows of a group; empty where nothing in it is over the threshold. */
function groupOfRows(
  { analysis, folders, isByWorst }: Shown,
  { kind, label, where, tooltip, blamed }: GrowingGroup,
  rows: readonly HotFunction[],
): readonly HotspotGroup[] {
  const blames = namedBlames(blamed);
  const weighed = [...rows, ...blames.map(({ worstUs }) => ({ worstUs, estimated: false }))];
  const [first] = weighed;
  if (first === undefined) return [];
  const { worstUs, estimated } = weighed.reduce((most, row) => (row.worstUs > most.worstUs ? row : most), first);
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
  return [{ ...group, figure: worstTime({ worstUs, estimated }), description: where }];
}
