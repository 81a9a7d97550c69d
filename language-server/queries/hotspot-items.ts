import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { type HotspotItem, type HotspotGroup, withFigure } from '../../protocol/list-rows.ts';
import type { Metric } from '../../protocol/requests.ts';
import {
  builtFile,
  changedSince,
  firstTimeRowFigures,
  functionFigures,
  rowFigures,
  type RowFigures,
  totalFigures,
  totalRowFigures,
  blameFigures,
  blameRowFigures,
  duration,
} from '../../words/formats/figures.ts';
import { placeOf, placeText, importedAt, shortPath } from '../../words/places.ts';
import { noTiersText, optimizedText, secondRunText, tierLines } from '../../words/tier-words.ts';
import { locateHottestLine, locate, whyNoLine } from './locate.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { leftOutThreads } from '../../words/loop-texts.ts';
import { blameName, blamesByName, isOfProgram, type NamedBlame } from '../../words/summary.ts';
import { durationClassOf } from '../../protocol/figures.ts';
import type { HotFunction } from '../../engine/hot-functions.ts';

export interface ItemOptions {
  readonly metric: Metric;
  /** Whether the row is below its file: then the line alone is its place. */
  readonly isBelowFile: boolean;
}

export function itemOf(
  analysis: Analysis,
  folders: readonly string[],
  hot: HotFunction,
  { metric, isBelowFile }: ItemOptions,
): HotspotItem {
  const fn = analysis.functions.functions[hot.functionId];
  const place = fn === undefined ? '' : placeOf(fn, analysis);
  const optimized = optimizedText(analysis.tiers?.functions.get(hot.functionId));
  const isChanged = analysis.changed.functionIds.has(hot.functionId);
  const others = [...(optimized === null ? [] : [optimized]), ...(isChanged ? [changedSince] : [])];
  const { figure, rest } = shortFigures(hot, metric);
  const [name, within] = splitName(fn?.label ?? '');
  const shown = [wholeFigures(hot, metric, analysis), ...others].join(' · ');
  return {
    functionId: hot.functionId,
    figure,
    label: name,
    description: [...within, ...rest, shortPlace(place, isBelowFile), ...others].join(' · '),
    tooltip: [place, ...whyNoLine(analysis, hot.functionId), shown, ...notesOf(analysis, fn, hot)].join('\n'),
    class: durationClassOf(hot.worstUs),
    tone: hot.tone,
    worstUs: hot.worstUs,
    ...(metric === 'total' ? { totalUs: hot.totalUs } : {}),
    location: locateHottestLine(analysis, folders, hot.functionId),
    place,
  };
}

function shortFigures(hot: HotFunction, metric: Metric): RowFigures {
  if (metric === 'total') return totalRowFigures(hot.totalUs, hot);
  return hot.firstTime === null ? rowFigures(hot) : firstTimeRowFigures(hot, hot.firstTime);
}

function wholeFigures(hot: HotFunction, metric: Metric, { thresholdUs }: Analysis): string {
  return metric === 'total' ? totalFigures(hot.totalUs, hot) : functionFigures(hot, thresholdUs);
}

/** The name of a callback, and the function around it, which a narrow side bar may cut off. */
function splitName(label: string): readonly [name: string, within: readonly string[]] {
  const [, name, within] = /^(.+ callback) (in .+)$/.exec(label) ?? [];
  return name === undefined || within === undefined ? [label, []] : [name, [within]];
}

/** `src/catalogue.js:12` as `catalogue.js:12`, and below its file as `:12`. */
export function shortPlace(place: string, isBelowFile = false): string {
  const short = place.slice(Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1);
  const [, line] = /:(\d+)$/.exec(short) ?? [];
  return isBelowFile && line !== undefined ? `:${line}` : short;
}

function notesOf(
  analysis: Analysis,
  fn: FunctionInfo | undefined,
  { tone, functionId }: HotFunction,
): readonly string[] {
  const tiers = analysis.tiers?.functions.get(functionId);
  return [
    tone === 'background' ? ['in a worker of the program: nothing waits for its event loop'] : [],
    fn?.role === 'test' ? ['test code'] : [],
    fn?.role === 'built' ? [builtFile] : [],
    tiers === undefined ? [] : tierLines(tiers, analysis, (place) => placeText(place, analysis)).slice(0, 2),
    tiers !== undefined || analysis.tiers === null ? [] : [noTiersText(functionId, analysis)],
    secondRunText(analysis, Date.now()) ?? [],
  ].flat();
}

/** What held the loop beside culprits: many short own calls; then packages, Node.js and collections without own code. */
export function blamedGroups(analysis: Analysis, folders: readonly string[]): readonly HotspotGroup[] {
  const blames = blamesByName(analysis).filter((blame) => isOfProgram(blame));
  const [own = [], others = []] = [true, false].map((isOwn) => blames.filter(({ kind }) => (kind === 'own') === isOwn));
  const items = (blamed: readonly NamedBlame[]): readonly HotspotItem[] =>
    blamed.map((blame) => blamedItem(analysis, folders, blame));
  return [
    ...(own.length === 0
      ? []
      : [withFigure(groupOf('package', 'Your code, in short calls', inShortCalls, items(own)))]),
    ...(others.length === 0 ? [] : [withFigure(groupOf('package', 'Not in your code', notInYours, items(others)))]),
  ];
}

const inShortCalls = 'no single function of yours holds the loop that long';
const notInYours = 'no line of yours on the stack';

/** The row of what held the loop without a function to blame. */
export function blamedItem(analysis: Analysis, folders: readonly string[], blame: NamedBlame): HotspotItem {
  const name = blameName(blame);
  const { location, text, place } = importOf(analysis, folders, name);
  const short = place === '' ? [] : [`imported at ${shortPlace(place)}`];
  const tooltip = [blameFigures(blame), `${blame.kind === 'own' ? inShortCalls : notInYours}${text}`];
  const row = rowWithoutPlace({ name, figures: blameRowFigures(blame), tooltip, worstUs: blame.worstUs });
  return { ...row, description: [row.description, ...short].join(' · '), location, place };
}

/** Where a package is imported, with words for a tooltip; empty for anything else. */
export function importOf(analysis: Analysis, folders: readonly string[], name: string): Imported {
  const [first] = analysis.packages.find((one) => one.name === name)?.imports ?? [];
  if (first === undefined) return { location: null, text: '', place: '' };
  const imported = importedAt(analysis, name, (place) => placeText(place, analysis));
  return {
    location: locate(analysis, folders, first),
    text: imported === null ? '' : `, ${imported}`,
    place: placeText(first, analysis),
  };
}

interface Imported extends Required<Pick<HotspotItem, 'location' | 'place'>> {
  readonly text: string;
}

/** Modules by their own loading time; then functions that load something when first called. */
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
    const name = shortPath(filePathOf(url, analysis.roots) ?? url, analysis.roots);
    const figures = { figure: duration(self), rest: [`${duration(total)} with what it loads`] };
    const row = rowWithoutPlace({ name, figures, tooltip: ['time to load this module'], worstUs: self });
    return { ...row, location: locate(analysis, folders, { url, line: 1 }) };
  });
  const rows = [...items, ...loaders.map(({ item }) => item)];
  return [withFigure(groupOf('loading', 'Module loading', 'what loading modules took', rows))];
}

/** Threads that no other group counts. */
export function leftOutGroup(analysis: Analysis): readonly HotspotGroup[] {
  const items = leftOutThreads(analysis).map(({ label: name, longest }): HotspotItem => {
    const figures = { figure: longest.text, rest: ['longest operation'] };
    return { ...rowWithoutPlace({ name, figures, tooltip: [leftOutWhy], worstUs: longest.us }), tone: 'background' };
  });
  return items.length === 0 ? [] : [groupOf('leftOut', 'Left out', leftOutWhy, items)];
}

const leftOutWhy = 'nothing waits for its event loop: no figure counts it, but the flamegraph shows it';

/** A row without a function. The tooltip explains it below its name and figures. */
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

export function groupOf(
  kind: HotspotGroup['kind'],
  label: string,
  tooltip: string,
  items: readonly HotspotItem[],
): HotspotGroup {
  return { kind, figure: '', label, description: '', tooltip, uri: null, items };
}

export interface Row {
  readonly hot: HotFunction;
  readonly item: HotspotItem;
}

/** Functions below one row, which begins with the largest figure of them. */
export function functionsGroup(
  kind: 'file' | 'functions',
  label: string,
  rows: readonly Row[],
  description = '',
): HotspotGroup {
  const items = rows.map(({ item }) => item);
  return withFigure({ ...groupOf(kind, label, label, items), description });
}
