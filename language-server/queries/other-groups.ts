import type { Analysis } from '../../engine/analysis.ts';
import { filePathOf } from '../../engine/files/file-path.ts';
import { duration } from '../../words/formats/figures.ts';
import type { HotspotGroup, HotspotItem } from '../../protocol/requests.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { HotFunction } from '../../engine/hot-functions.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { locate } from './locate.ts';
import { importedAt, placeText, shortPath } from '../../words/places.ts';
import { leftOutThreads } from '../../words/left-out.ts';
import { blameName, isOfProgram } from '../../words/summary.ts';
import { type WorstFigure, durationClassOf } from '../../protocol/figures.ts';
import { type BlamedOperation, longBlames } from '../../engine/hotspots/blame.ts';

/**
 * What held the loop in operations without a culprit: own code in many short calls; then packages, Node and
 * collections, without the person's code on the stack. The runner is left out, and loading has a group of its own.
 */
export function blamedGroups(analysis: Analysis, folders: readonly string[]): readonly HotspotGroup[] {
  const blames = longBlames(analysis).filter(({ blame }) => isOfProgram(blame));
  const [own, others] = [true, false].map((isOwn) => blames.filter(({ blame }) => (blame.kind === 'own') === isOwn));
  const group = (blamed: readonly BlamedOperation[], label: string, explanation: string): readonly HotspotGroup[] =>
    blamedGroup(blamed, label, explanation, (name) => importOf(analysis, folders, name));
  return [
    ...group(own ?? [], 'Your code, in short calls', 'no single function of yours holds the loop that long'),
    ...group(others ?? [], 'Not in your code', 'no line of yours on the stack'),
  ];
}

/** The place where a package is imported, and the words about it in a tooltip; empty for what is no package. */
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
 * Modules, by the time to find, read, compile and evaluate them alone; then functions that load something when they are
 * called first.
 */
export function loadingGroup(
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
export function leftOutGroup(analysis: Analysis): readonly HotspotGroup[] {
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

export const noTime: WorstFigure = { worstUs: microseconds(0), estimated: false };

export interface Row {
  readonly hot: HotFunction;
  readonly item: HotspotItem;
}
