import type { Analysis } from '../../engine/analysis.ts';
import { loopSummaries } from '../../words/loop-summaries.ts';
import type { FunctionInfo } from '../../engine/functions/function-table.ts';
import type { HotLine } from '../../engine/lines/hot-line.ts';
import { filePathOf } from '../../engine/files/file-path.ts';
import { type HotFunction, hotFunctions, stretchedTime } from '../../engine/hot-functions.ts';
import { leftOutText } from '../../words/left-out.ts';
import { changedFilesText, secondRunText, tierLines } from '../../words/tier-words.ts';
import { worstPart } from '../../engine/hotspots/worst-part.ts';
import { summaryOf } from '../../words/summary.ts';
import type { CodePlace } from '../../engine/tiers/tiers.ts';
import { type DurationClass, durationClassOf } from '../../protocol/duration-class.ts';
import {
  byClockText,
  changedSince,
  firstTimeFigures,
  lensFigures,
  lineFigures,
  oneOfSeveral,
  plural,
  workerFigures,
  worstTime,
} from '../../words/formats/figures.ts';
import { type Line1, line1, type Microseconds, toLine1 } from '../../protocol/units.ts';
import { describeForeign } from './describe-foreign.ts';
import { plainText } from './terminal-text.ts';
import { processViews } from './process-views.ts';
import { routeViews } from './route-views.ts';
import { cut, longestPath, shownPlace, textOf } from './shown-code.ts';
import type { Sources } from './sources.ts';
import { blamedTexts, shortCallsText } from './blamed-texts.ts';
import { warningText } from '../../words/warnings/warning-text.ts';

/** What the table and the Markdown show. All texts are plain: one line, nothing that a terminal would obey. */
export interface ResultView {
  /** Hotspots in the order in which they are shown: application, tests, workers, what was long the first time only. */
  readonly hotspots: readonly HotspotView[];
  /** With `--all`, every function that is over the threshold with what it calls, whoever wrote it. Else empty. */
  readonly functions: readonly FunctionView[];
  /** What held the loop without the person's code on the stack, worst first: `bcryptjs up to 118 ms (6 ×)`. */
  readonly blamed: readonly string[];
  /**
   * Operations that many short calls of own code fill together, such as `up to 35 ms (3 ×)`; null where there are none.
   */
  readonly shortCalls: string | null;
  /**
   * A sentence such as `Tiers are from a second run, 2 minutes ago.`; null where they are of this run, or not known.
   */
  readonly tiersFrom: string | null;
  /**
   * A sentence such as `src/cart.ts changed since it was recorded: …`; null where no file with a hotspot has changed,
   * as far as is known.
   */
  readonly changed: string | null;
  /**
   * Sentences such as `Event loop busy 62 % of 12.3 s · …`, one for each program; empty where turns were not measured.
   */
  readonly eventLoop: readonly string[];
  /** What ran and is in no figure; null where all is. */
  readonly leftOut: string | null;
  /** Who waited behind others, by route, worst first. Without `--all`, the first few. */
  readonly routes: readonly string[];
  /** The result in one sentence; null where a hotspot on an event loop says it. */
  readonly verdict: string | null;
  /** With `--all`, a line for each process and thread, where there are several. Else empty. */
  readonly processes: readonly string[];
  readonly warnings: readonly string[];
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
  /** Figures of this line alone; null where it is the only line, or also has time of other functions. */
  readonly figures: string | null;
}

export interface ViewOptions {
  readonly all: boolean;
  readonly sources: Sources;
}

/** `sources` must have those of `shownUrlsOf(analysis)`. */
export function resultView(analysis: Analysis, { all, sources }: ViewOptions): ResultView {
  const hotspots = hotFunctions(analysis).flatMap((hot): readonly HotspotView[] => {
    const fn = analysis.functions.functions[hot.functionId];
    return fn === undefined ? [] : [hotspotView(hot, fn, analysis, { all, sources })];
  });
  const routes = routeViews(analysis);
  return {
    hotspots,
    functions: all ? functionViews(analysis, sources) : [],
    blamed: blamedTexts(analysis, sources),
    shortCalls: shortCallsText(analysis),
    tiersFrom: tiersFromText(analysis),
    changed: changedText(analysis, sources),
    eventLoop: shownLoops(loopSummaries(analysis.streams).map(plainText), all),
    leftOut: leftOutOf(analysis, all),
    routes: all ? routes : routes.slice(0, mostRoutes),
    verdict: verdictOf(analysis),
    processes: all ? processViews(analysis).map(plainText) : [],
    warnings: analysis.warnings.map((warning) => plainText(warningText(warning))),
  };
}

/** Which files have changed, of those with hotspots: no line of other files is shown. */
function changedText(analysis: Analysis, sources: Sources): string | null {
  const paths = new Set(shownUrlsOf(analysis).flatMap((url) => filePathOf(url) ?? []));
  const [first, ...others] = [...paths].filter((path) => analysis.changed.paths.has(path));
  if (first === undefined) return null;
  const shown = cut(plainText(sources.shownPath(first)), longestPath);
  const rest = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  return `${shown}${rest} ${changedSince}: lines are those of the text that ran.`;
}

function shownLoops(loops: readonly string[], all: boolean): readonly string[] {
  const rest = loops.length - mostLoops;
  return all || rest <= 0 ? loops : [...loops.slice(0, mostLoops), `and ${plural(rest, 'more program')}: --all`];
}

const mostLoops = 3;

function leftOutOf(analysis: Analysis, all: boolean): string | null {
  const text = leftOutText(analysis);
  return text === null ? null : plainText(all ? text : `${text} --all lists them.`);
}

function tiersFromText(analysis: Analysis): string | null {
  const sentences = [secondRunText(analysis, Date.now()), changedFilesText(analysis)].filter((text) => text !== null);
  return sentences.length === 0 ? null : plainText(sentences.join(' '));
}

function verdictOf(analysis: Analysis): string | null {
  const { worst, isForeign, verdict } = summaryOf(analysis, '');
  if (isForeign) return plainText(describeForeign(analysis));
  return worst === null ? plainText(verdict) : null;
}

/** Urls of the functions and lines that are shown. */
export function shownUrlsOf(analysis: Analysis): readonly string[] {
  const functions = hotFunctions(analysis).map(({ functionId }) => analysis.functions.functions[functionId]?.url ?? '');
  const lines = analysis.lines.filter(({ decorated }) => decorated).map(({ url }) => url);
  return [...new Set([...functions, ...lines])];
}

function hotspotView(
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
  const shown = lines.slice(0, mostLines).map((line) => lineView(line, first.url, lines.length === 1, sources));
  return {
    label: cut(plainText(fn.label)),
    place: shownPlace(first, sources),
    figures: figuresOf(hot, analysis.thresholdUs),
    class: durationClassOf(hot.worstUs),
    tone: hot.tone,
    role: fn.role,
    isChanged: analysis.changed.functionIds.has(fn.id),
    byClock: all ? byClockOf(fn, analysis) : null,
    tiers: tierTexts(fn, analysis, sources),
    lines: shown.length > 0 ? shown : [{ file: null, line: first.line, text: textOf(first, sources), figures: null }],
  };
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
const mostRoutes = 10;

function figuresOf(hot: HotFunction, thresholdUs: Microseconds): string {
  if (hot.firstTime !== null) return firstTimeFigures(hot, hot.firstTime);
  if (hot.tone === 'background') return workerFigures(hot);
  return lineFigures(hot, thresholdUs);
}

function lineView(
  { url, line, worst, precision, estimated, functionIds }: HotLine,
  firstUrl: string,
  isOnly: boolean,
  sources: Sources,
): LineView {
  const time = worstTime({ worstUs: worst, estimated });
  const share = precision === 'oneOf' ? `${oneOfSeveral}: ${time}` : time;
  const isSaidAbove = (isOnly && precision === 'exact') || functionIds.length > 1;
  const file = url === firstUrl ? null : sources.shownPath(filePathOf(url) ?? url);
  return { file, line, text: textOf({ url, line }, sources), figures: isSaidAbove ? null : share };
}

/** All functions, without whole modules, whose loading is no hotspot. */
function functionViews({ functions, figures, thresholdUs }: Analysis, sources: Sources): readonly FunctionView[] {
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
      figures: [lensFigures({ ...presence, worstUs: presence.worst }, thresholdUs), ...testCount(presence.tests)].join(
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
