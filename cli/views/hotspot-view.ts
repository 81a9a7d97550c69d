import type { Analysis } from '../../engine/analysis.ts';
import { furtherRuns } from '../../engine/compare/runs/make-sure.ts';
import { type HotFunction, hotFunctions } from '../../engine/hot-functions.ts';
import type { Finding } from '../../engine/judge/findings/finding.ts';
import { stretchedTime } from '../../engine/judge/function-figures/estimates.ts';
import { worstPart } from '../../engine/judge/hotspots/function-details.ts';
import type { HotLine } from '../../engine/judge/lines/hot-lines.ts';
import { inlinedOn } from '../../engine/judge/lines/line-shares.ts';
import { isRecorder } from '../../engine/read/files/file-path.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { type DurationClass, durationClassOf } from '../../protocol/figures.ts';
import { type Line1, line1, toLine1 } from '../../protocol/units.ts';
import {
  createWhereabouts,
  findingName,
  findingSentences,
  leftText,
  makeSureHint,
  mostIn,
  reasonNames,
} from '../../words/findings.ts';
import {
  byClockText,
  duration,
  functionFigures,
  lineFigures,
  packageFigures,
  plural,
  ranTime,
  worstTime,
} from '../../words/formats/figures.ts';
import { hasAllOf, oneOfSeveral } from '../../words/formats/mark-texts.ts';
import { markedLines } from '../../words/places.ts';
import type { ShownFigure } from '../../words/order-and-doubt.ts';
import { quietFactsOf } from '../../words/summary.ts';
import { tierLines } from '../../words/tier-words.ts';
import { cut, shownPlace, type Sources, textOf } from './shown-code.ts';
import { plainText } from './terminal.ts';

export interface ViewOptions {
  readonly all: boolean;
  readonly sources: Sources;
}

export interface FunctionView {
  readonly label: string;
  /** Place of its hottest line, such as `src/rules.ts:13`, relative to the current folder if it is below that. */
  readonly place: string;
  readonly figures: string;
}

export interface HotspotView extends FunctionView {
  readonly class: DurationClass;
  /** `dim`: test code, or long the first time only. `background`: in a worker, for whose event loop nothing waits. */
  readonly tone: HotFunction['tone'];
  readonly role: FunctionInfo['role'];
  /** Whether its text has changed since. */
  readonly isChanged: boolean;
  /** What its thread ran itself, its time by the clock, how V8 ran it; a sentence each. */
  readonly details: readonly string[];
  /** Its hottest lines, at most three, the hottest first. */
  readonly lines: readonly LineView[];
}

export interface LineView {
  /** The file, if it is not the one of the hotspot's place; else null. */
  readonly file: string | null;
  readonly line: Line1;
  /** Text of the line as it was recorded; null if it is not known. */
  readonly text: string | null;
  /** Figures of this line alone; null if it has all of the function's time, or also time of other functions. */
  readonly figures: string | null;
}

/** One row of the verdict. */
export interface FindingView extends HotspotView {
  /** Its cause and callers, who waits, and what to do. */
  readonly sentences: readonly string[];
  /** Whether its place is in a function of a file, by which `hotspan recheck` finds it. */
  readonly isInFunction: boolean;
}

export interface VerdictView {
  readonly findings: readonly FindingView[];
  /** What is not shown, with the reasons; `''` if nothing is left out. */
  readonly left: string;
  /** How to be sure of the uncertain ones, and what that costs; `''` if there are none, or nothing can run again. */
  readonly makeSure: string;
}

/** The open findings, and what is left out. */
export function verdictView(analysis: Analysis, options: ViewOptions): VerdictView {
  const hot = new Map(hotFunctions(analysis).map((one) => [one.functionId, one]));
  const whoWaits = createWhereabouts(analysis);
  const findings = analysis.findings.all.flatMap((finding): readonly FindingView[] => {
    const view = finding.open ? findingView(finding, hot, analysis, options) : null;
    if (view === null) return [];
    const sentences = findingSentences(finding, whoWaits(finding), analysis, (place) =>
      shownPlace(place, options.sources),
    );
    const shown = sentences.map((text) => cut(plainText(text), MAX_SENTENCE));
    return [{ ...view, sentences: shown, isInFunction: isInFunction(finding, analysis) }];
  });
  const further = analysis.recording.command === null ? null : furtherRuns(analysis);
  const named = findings.length === 0 ? quietFactsOf(analysis).blame?.name : '';
  return {
    findings,
    left: plainText(leftText(analysis.findings, named) ?? ''),
    makeSure: further === null ? '' : makeSureHint(further),
  };
}

function isInFunction({ subject }: Finding, { functions: { functions } }: Analysis): boolean {
  const fn = subject.type === 'function' ? functions[subject.functionId] : undefined;
  return fn !== undefined && !fn.moduleBody && fn.path !== null;
}

/** What the verdict leaves out, in its order: each with the reason, or what little it removes. */
export function otherViews(analysis: Analysis, options: ViewOptions): readonly FunctionView[] {
  const hot = new Map(hotFunctions(analysis).map((one) => [one.functionId, one]));
  return analysis.findings.all.flatMap((finding): readonly FunctionView[] => {
    const { open, closedBecause, removesUs } = finding;
    const view =
      open || (closedBecause === null && removesUs === 0) ? null : findingView(finding, hot, analysis, options);
    if (view === null) return [];
    const reason = closedBecause === null ? `removes only ${duration(removesUs)}` : reasonNames[closedBecause];
    const most = mostIn(finding, analysis);
    const place = most === null ? view.place : `most in ${shownPlace(most, options.sources)}`;
    return [{ label: view.label, place, figures: `${view.figures} · ${reason}` }];
  });
}

/** The figures of the verdict; with `all`, of all hotspots. */
export function shownFigures(analysis: Analysis, all: boolean): readonly ShownFigure[] {
  const hot = hotFunctions(analysis);
  if (all) return hot;
  return analysis.findings.all
    .filter(({ open }) => open)
    .map(({ subject, parts, worstUs, estimated }) => {
      const functionId = subject.type === 'function' ? subject.functionId : -1;
      const alone = parts.length === 0 ? hot.find((one) => one.functionId === functionId) : undefined;
      return alone ?? { functionId, worstUs, estimated, tone: 'plain' };
    });
}

/** In columns. */
const MAX_SENTENCE = 400;

function findingView(
  finding: Finding,
  hot: ReadonlyMap<number, HotFunction>,
  analysis: Analysis,
  options: ViewOptions,
): HotspotView | null {
  const { subject, worstUs, longCount, distinctStacks, estimated } = finding;
  if (subject.type !== 'function') return packageView(finding, analysis, options);
  const fn = analysis.functions.functions[subject.functionId];
  if (fn === undefined) return null;
  const alone = finding.parts.length === 0 ? hot.get(fn.id) : undefined;
  if (alone !== undefined) return hotspotView(alone, fn, analysis, options);
  const figures = { worstUs, longCount, distinctStacks, estimated };
  const shown = { ...figures, functionId: fn.id, tone: 'plain', firstTime: null, totalUs: worstUs } as const;
  return {
    ...hotspotView(shown, fn, analysis, options, linesOfFinding(finding, analysis)),
    label: cut(plainText(findingName(finding, analysis))),
    figures: lineFigures(figures, analysis.thresholdUs),
    details: tierTexts(fn, analysis, options.sources), // Its time by the clock is that of its own part.
  };
}

/** The marked lines of all its functions, the hottest first. */
function linesOfFinding({ parts }: Finding, analysis: Analysis): readonly HotLine[] {
  const lines = new Set(parts.flatMap(({ functionId }) => markedLines(analysis, functionId)));
  return [...lines].toSorted((a, b) => b.worst - a.worst);
}

/** Collections and loading are in many places. */
function unplaced({ subject }: Finding): string {
  return subject.type === 'package' ? 'no line of yours on the stack' : 'no place has over half of it';
}

function packageView(finding: Finding, analysis: Analysis, { sources }: ViewOptions): HotspotView {
  const name = findingName(finding, analysis);
  const { imports: [first] = [], runs } = analysis.packages.find((one) => one.name === name) ?? {};
  return {
    label: cut(plainText(name)),
    place: first === undefined ? unplaced(finding) : shownPlace(first, sources),
    figures: packageFigures({ ...finding, ...(runs === undefined ? {} : { runs }) }, analysis.thresholdUs),
    class: durationClassOf(finding.worstUs),
    ...{ tone: 'plain', role: 'app', isChanged: false, details: [], lines: [] },
  };
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
  ofMore: readonly HotLine[] = [],
): HotspotView {
  const isBackground = hot.tone === 'background';
  const own = markedLines(analysis, fn.id).filter(({ background }) => background === isBackground);
  // A line of a function that V8 inlined is shown below.
  const first = own.find((line) => inlinedOn(line) === null) ?? { url: fn.url, line: firstLineOf(fn) };
  const lines = ofMore.length === 0 ? own : ofMore;
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => lineView(line, first.url, lines.length === 1 ? hot : null, sources));
  const ran = ranTime(hot);
  return {
    label: cut(plainText(fn.label)),
    place: shownPlace(first, sources),
    figures: functionFigures(hot, analysis.thresholdUs),
    class: durationClassOf(hot.worstUs),
    tone: hot.tone,
    role: fn.role,
    isChanged: analysis.changed.functionIds.has(fn.id),
    details: [
      ...(ran === null ? [] : [`at most ${ran} of it CPU, the rest waited`]),
      ...(all ? byClockTexts(fn, analysis) : []),
      ...tierTexts(fn, analysis, sources),
    ],
    lines: shown.length > 0 ? shown : [{ file: null, line: first.line, text: textOf(first, sources), figures: null }],
  };
}

const MAX_LINES = 3;

/** `410 ms by the clock: the machine was busy`, about its worst; empty if it was not busy. */
function byClockTexts({ id }: FunctionInfo, analysis: Analysis): readonly string[] {
  const part = worstPart(analysis, id);
  const operation = analysis.operations[part?.operation ?? -1];
  const byClock = part === null || operation === undefined ? null : stretchedTime(part, operation);
  return byClock === null ? [] : [byClockText(byClock)];
}

function tierTexts({ id }: FunctionInfo, analysis: Analysis, sources: Sources): readonly string[] {
  const found = analysis.tiers?.functions.get(id);
  if (found === undefined) return [];
  const texts = tierLines(found, analysis, (place) => shownPlace(place, sources));
  return texts.map((text) => cut(plainText(text), MAX_TIER_TEXT));
}

/** In columns. */
const MAX_TIER_TEXT = 300;

/** `whole` is the function if this is its only line. */
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
  const file = url === firstUrl ? null : sources.shownPath(sources.pathOf(url) ?? url);
  return { file, line, text: textOf({ url, line }, sources), figures: isSaidAbove ? null : share };
}

/** All functions over the threshold but bodies of modules, whose loading is not a hotspot, and the recorder's; worst first. */
export function functionViews(
  { functions, figures, thresholdUs }: Analysis,
  sources: Sources,
): readonly FunctionView[] {
  return functions.functions
    .flatMap((fn) => {
      const presence = fn.moduleBody || isRecorder(fn.path) ? undefined : figures[fn.id]?.presence;
      return presence === undefined || presence.worst <= thresholdUs ? [] : [{ fn, presence }];
    })
    .toSorted((a, b) => b.presence.worst - a.presence.worst)
    .map(({ fn, presence }) => {
      const tests = presence.tests.length === 0 ? '' : ` · ${plural(presence.tests.length, 'test')}`;
      return {
        label: cut(plainText(fn.label)),
        place: shownPlace({ url: fn.url, line: firstLineOf(fn) }, sources),
        figures: `${lineFigures({ ...presence, worstUs: presence.worst }, thresholdUs)}${tests}`,
      };
    });
}

function firstLineOf({ line }: FunctionInfo): Line1 {
  return line < 0 ? line1(0) : toLine1(line);
}
