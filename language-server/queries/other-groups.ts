import type { Analysis } from '../../engine/analysis.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import { blameFigures, blameRowFigures, duration, type RowFigures, worstTime } from '../../words/formats/figures.ts';
import type { HotspotGroup, HotspotItem } from '../../protocol/list-rows.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { shortPlace } from './hotspot-items.ts';
import { locate } from './locate.ts';
import { importedAt, placeText, shortPath } from '../../words/places.ts';
import { leftOutThreads } from '../../words/loop-texts.ts';
import { blameName, blamesByName, isOfProgram, type NamedBlame } from '../../words/summary.ts';
import { durationClassOf, type WorstFigure } from '../../protocol/figures.ts';
import type { HotFunction } from '../../engine/hot-functions.ts';

/**
 * What held the loop in operations without a culprit: own code in many short calls; then packages, Node and
 * collections, without the person's code on the stack. The runner is left out, and loading has a group of its own.
 */
export function blamedGroups(analysis: Analysis, folders: readonly string[]): readonly HotspotGroup[] {
  const blames = blamesByName(analysis).filter((blame) => isOfProgram(blame));
  const [own = [], others = []] = [true, false].map((isOwn) => blames.filter(({ kind }) => (kind === 'own') === isOwn));
  const items = (blamed: readonly NamedBlame[]): readonly HotspotItem[] =>
    blamed.map((blame) => blamedItem(analysis, folders, blame));
  return [
    ...(own.length === 0 ? [] : [withWorst(groupOf('package', 'Your code, in short calls', inShortCalls, items(own)))]),
    ...(others.length === 0 ? [] : [withWorst(groupOf('package', 'Not in your code', notInYours, items(others)))]),
  ];
}

const inShortCalls = 'no single function of yours holds the loop that long';
const notInYours = 'no line of yours on the stack';

/** The row of what held the loop with no function of the person's to blame. */
export function blamedItem(analysis: Analysis, folders: readonly string[], blame: NamedBlame): HotspotItem {
  const name = blameName(blame);
  const { location, text, place } = importOf(analysis, folders, name);
  const tooltip = [blameFigures(blame), `${blame.kind === 'own' ? inShortCalls : notInYours}${text}`];
  const row = rowWithoutPlace({ name, figures: blameRowFigures(blame), tooltip, worstUs: blame.worstUs });
  return { ...row, description: [row.description, ...place].join(' · '), location };
}

/** The place where a package is imported, and the words about it in a tooltip; empty for what is no package. */
function importOf(analysis: Analysis, folders: readonly string[], name: string): Imported {
  const [first] = analysis.packages.find((one) => one.name === name)?.imports ?? [];
  if (first === undefined) return { location: null, text: '', place: [] };
  const imported = importedAt(analysis, name, (place) => placeText(place, analysis));
  return {
    location: locate(analysis, folders, first),
    text: imported === null ? '' : `, ${imported}`,
    place: [`imported at ${shortPlace(placeText(first, analysis))}`],
  };
}

interface Imported extends Pick<HotspotItem, 'location'> {
  readonly text: string;
  /** The first place, in short. */
  readonly place: readonly string[];
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
    const name = shortPath(filePathOf(url) ?? url, analysis.roots);
    const figures = { figure: duration(self), rest: [`${duration(total)} with what it loads`] };
    const row = rowWithoutPlace({ name, figures, tooltip: ['time to load this module'], worstUs: self });
    return { ...row, location: locate(analysis, folders, { url, line: 1 }) };
  });
  const rows = [...items, ...loaders.map(({ item }) => item)];
  return [withWorst(groupOf('loading', 'Module loading', 'what loading modules took', rows))];
}

/** Threads whose figures are in no other group. */
export function leftOutGroup(analysis: Analysis): readonly HotspotGroup[] {
  const items = leftOutThreads(analysis).map(({ label: name, longestUs }): HotspotItem => {
    const figures = { figure: duration(longestUs), rest: ['longest operation'] };
    return { ...rowWithoutPlace({ name, figures, tooltip: [leftOutWhy], worstUs: longestUs }), tone: 'background' };
  });
  return items.length === 0 ? [] : [groupOf('leftOut', 'Left out', leftOutWhy, items)];
}

const leftOutWhy = 'nobody waits on its event loop: no figure counts it, but the flamegraph shows it';

/** The row of what is no function. The explanations of the tooltip stand behind its name and figures. */
function rowWithoutPlace({ name, figures, tooltip, worstUs }: OtherRow): HotspotItem {
  const shown = figures.rest.join(' · ');
  return {
    functionId: -1,
    figure: figures.figure,
    label: name,
    description: shown,
    tooltip: [name, ...tooltip].join('\n'),
    class: durationClassOf(worstUs),
    tone: 'plain',
    worstUs,
    location: null,
  };
}

interface OtherRow {
  readonly name: string;
  readonly figures: RowFigures;
  readonly tooltip: readonly string[];
  readonly worstUs: Microseconds;
}

/** The same group, which begins with the figure of its worst row: it says whether a closed one is worth opening. */
function withWorst(group: HotspotGroup): HotspotGroup {
  const [worst] = group.items.toSorted((a, b) => b.worstUs - a.worstUs);
  return { ...group, figure: worst?.figure ?? '' };
}

export function groupOf(
  kind: HotspotGroup['kind'],
  label: string,
  tooltip: string,
  items: readonly HotspotItem[],
): HotspotGroup {
  return { kind, figure: '', label, description: '', tooltip, uri: null, items };
}

/** A hot function, and what the tree shows of it. */
export interface Row {
  readonly hot: HotFunction;
  readonly item: HotspotItem;
}

/** Functions below one row, which begins with the worst of them. */
export function functionsGroup(
  kind: 'file' | 'functions',
  label: string,
  rows: readonly Row[],
  description = '',
): HotspotGroup {
  const worst = rows.map(({ hot }) => hot).reduce((most, hot) => (hot.worstUs > most.worstUs ? hot : most), noTime);
  return {
    kind,
    figure: worstTime(worst),
    label,
    description,
    tooltip: label,
    uri: null,
    items: rows.map(({ item }) => item),
  };
}

const noTime: WorstFigure = { worstUs: microseconds(0), estimated: false };
