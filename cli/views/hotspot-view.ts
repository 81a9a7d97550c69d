import type { Analysis } from '../../engine/analysis.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import type { HotLine } from '../../engine/judge/lines/hot-lines.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import { type HotFunction, hotFunctions, stretchedTime } from '../../engine/hot-functions.ts';
import { tierLines } from '../../words/tier-words.ts';
import { worstPart } from '../../engine/judge/hotspots/function-details.ts';
import type { CodePlace } from '../../engine/judge/tiers/tiers.ts';
import { byClockText, functionFigures, lineFigures, plural, ranTime, worstTime } from '../../words/formats/figures.ts';
import { hasAllOf, oneOfSeveral } from '../../words/formats/line-texts.ts';
import { type Line1, line1, toLine1 } from '../../protocol/units.ts';
import { cut, shownPlace, textOf, type Sources } from './shown-code.ts';
import { plainText } from './terminal.ts';
import { type DurationClass, durationClassOf } from '../../protocol/figures.ts';

export interface ViewOptions {
  readonly all: boolean;
  readonly sources: Sources;
}

export interface FunctionView {
  readonly label: string;
  /** Place of its hottest line, such as `src/rules.ts:13`, relative to the current folder where it is below that. */
  readonly place: string;
  readonly figures: string;
}

export interface HotspotView extends FunctionView {
  readonly class: DurationClass;
  /** `dim`: test code, or long the first time only. `background`: in a worker, for whose event loop nobody waits. */
  readonly tone: HotFunction['tone'];
  readonly role: FunctionInfo['role'];
  /** True where its text has changed since. */
  readonly isChanged: boolean;
  /**
   * With `--all`, a text such as `410 ms by the clock: the machine was busy` about its worst operation; null where it
   * was not busy.
   */
  readonly byClock: string | null;
  /** What its thread ran itself, where it waited: `22 ms of it CPU, the rest waited`; else null. */
  readonly ran: string | null;
  /** How V8 ran it, and what to do about that, a sentence each; empty where tiers are not known. */
  readonly tiers: readonly string[];
  /** Its hottest lines, at most three, the hottest first. */
  readonly lines: readonly LineView[];
}

export interface LineView {
  /** The file, where that is not the one of the hotspot's place; else null. */
  readonly file: string | null;
  readonly line: Line1;
  /** Text of the line as it was recorded; null where that is not known. */
  readonly text: string | null;
  /** Figures of this line alone; null where it has all of the function's time, or also time of other functions. */
  readonly figures: string | null;
}

/** Urls of the functions and lines that are shown. */
export function shownUrlsOf(analysis: Analysis): readonly string[] {
  const found = analysis.findings.all.flatMap(({ open, subject }) =>
    open && subject.type === 'function' ? [subject.functionId] : [],
  );
  const hot = hotFunctions(analysis).map(({ functionId }) => functionId);
  const functions = [...hot, ...found].map((id) => analysis.functions.functions[id]?.url ?? '');
  const lines = analysis.lines.filter(({ decorated }) => decorated).map(({ url }) => url);
  return [...new Set([...functions, ...lines])];
}

export function hotspotView(
  hot: HotFunction,
  fn: FunctionInfo,
  analysis: Analysis,
  { all, sources }: ViewOptions,
): HotspotView {
  const isBackground = hot.tone === 'background';
  const lines = analysis.lines.filter(
    ({ decorated, background, functionIds }) => decorated && background === isBackground && functionIds.includes(fn.id),
  );
  const [first = { url: fn.url, line: firstLineOf(fn) }] = lines;
  const shown = lines
    .slice(0, mostLines)
    .map((line) => lineView(line, first.url, lines.length === 1 ? hot : null, sources));
  return {
    label: cut(plainText(fn.label)),
    place: shownPlace(first, sources),
    figures: functionFigures(hot, analysis.thresholdUs),
    class: durationClassOf(hot.worstUs),
    tone: hot.tone,
    role: fn.role,
    isChanged: analysis.changed.functionIds.has(fn.id),
    ran: ranText(hot),
    byClock: all ? byClockOf(fn, analysis) : null,
    tiers: tierTexts(fn, analysis, sources),
    lines: shown.length > 0 ? shown : [{ file: null, line: first.line, text: textOf(first, sources), figures: null }],
  };
}

function ranText(hot: HotFunction): string | null {
  const ran = ranTime(hot);
  return ran === null ? null : `at most ${ran} of it CPU, the rest waited`;
}

function byClockOf({ id }: FunctionInfo, analysis: Analysis): string | null {
  const operation = analysis.operations[worstPart(analysis, id)?.operation ?? -1];
  const byClock = operation === undefined ? null : stretchedTime(operation);
  return byClock === null ? null : byClockText(byClock);
}

function tierTexts({ id }: FunctionInfo, analysis: Analysis, sources: Sources): readonly string[] {
  const found = analysis.tiers?.functions.get(id);
  const placeText = (place: CodePlace): string => shownPlace(place, sources);
  return found === undefined
    ? []
    : tierLines(found, analysis, placeText).map((text) => cut(plainText(text), longestTier));
}

const longestTier = 300;
const mostLines = 3;

/** `whole` is the function where this is its only line. */
function lineView(
  { url, line, worst, precision, estimated, functionIds, runs }: HotLine,
  firstUrl: string,
  whole: HotFunction | null,
  sources: Sources,
): LineView {
  const figure = { worstUs: worst, estimated, ...(runs === undefined ? {} : { runs }) };
  const time = worstTime(figure);
  const share = precision === 'oneOf' ? `${oneOfSeveral}: ${time}` : time;
  const isWhole = whole !== null && precision === 'exact' && hasAllOf(whole, figure);
  const isSaidAbove = isWhole || functionIds.length > 1;
  const file = url === firstUrl ? null : sources.shownPath(filePathOf(url) ?? url);
  return { file, line, text: textOf({ url, line }, sources), figures: isSaidAbove ? null : share };
}

/** All functions over the threshold, except bodies of modules: their loading is no hotspot. */
export function functionViews(
  { functions, figures, thresholdUs }: Analysis,
  sources: Sources,
): readonly FunctionView[] {
  return functions.functions
    .filter(({ moduleBody }) => !moduleBody)
    .flatMap((fn) => {
      const presence = figures[fn.id]?.presence;
      return presence === undefined || presence.worst <= thresholdUs ? [] : [{ fn, presence }];
    })
    .toSorted((a, b) => b.presence.worst - a.presence.worst)
    .map(({ fn, presence }) => ({
      label: cut(plainText(fn.label)),
      place: shownPlace({ url: fn.url, line: firstLineOf(fn) }, sources),
      figures: [lineFigures({ ...presence, worstUs: presence.worst }, thresholdUs), ...testCount(presence.tests)].join(
        ' · ',
      ),
    }));
}

function testCount({ length }: readonly unknown[]): readonly string[] {
  return length === 0 ? [] : [plural(length, 'test')];
}

function firstLineOf({ line }: FunctionInfo): Line1 {
  return line < 0 ? line1(0) : toLine1(line);
}
