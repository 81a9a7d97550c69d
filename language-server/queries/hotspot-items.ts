import type { Analysis } from '../../engine/analysis.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import type { HotFunction } from '../../engine/hot-functions.ts';
import { durationClassOf } from '../../protocol/figures.ts';
import type { HotspotItem } from '../../protocol/list-rows.ts';
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
} from '../../words/formats/figures.ts';
import { placeOf, placeText } from '../../words/places.ts';
import { noTiersText, optimizedText, secondRunText, tierLines } from '../../words/tier-words.ts';
import { locateHottestLine } from './locate.ts';

export interface ItemOptions {
  readonly metric: Metric;
  /** Whether the row stands below its file, so that the line alone says where it is. */
  readonly isBelowFile: boolean;
}

/** The row of a hot function. */
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
    tooltip: [place, shown, ...notesOf(analysis, fn, hot)].join('\n'),
    class: durationClassOf(hot.worstUs),
    tone: hot.tone,
    worstUs: hot.worstUs,
    location: locateHottestLine(analysis, folders, hot.functionId),
  };
}

function shortFigures(hot: HotFunction, metric: Metric): RowFigures {
  if (metric === 'total') return totalRowFigures(hot.totalUs, hot);
  return hot.firstTime === null ? rowFigures(hot) : firstTimeRowFigures(hot, hot.firstTime);
}

function wholeFigures(hot: HotFunction, metric: Metric, { thresholdUs }: Analysis): string {
  return metric === 'total' ? totalFigures(hot.totalUs, hot) : functionFigures(hot, thresholdUs);
}

/** The name of a callback, and behind it in which function it is: in a narrow side bar that may be cut off. */
function splitName(label: string): readonly [name: string, within: readonly string[]] {
  const [, name, within] = /^(.+ callback) (in .+)$/.exec(label) ?? [];
  return name === undefined || within === undefined ? [label, []] : [name, [within]];
}

/** A place such as `src/catalogue.js:12` as `catalogue.js:12`, and below its file as `:12`. */
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
    tone === 'background' ? ['in a worker of the program: no event loop waits on it'] : [],
    fn?.role === 'test' ? ['test code'] : [],
    fn?.role === 'built' ? [builtFile] : [],
    tiers === undefined ? [] : tierLines(tiers, analysis, (place) => placeText(place, analysis)).slice(0, 2),
    tiers !== undefined || analysis.tiers === null ? [] : [noTiersText(fn?.path ?? null, analysis)],
    secondRunText(analysis, Date.now()) ?? [],
  ].flat();
}
