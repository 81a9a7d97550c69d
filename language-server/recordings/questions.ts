import type { DiffFlame } from '../../show/diff-flame/diff-flame.ts';
import { flameOf, searchFlame } from '../../show/flame/flame.ts';
import { timelineOf } from '../../show/flame/timeline.ts';
import type { Diff } from '../../show/diff-flame/read-diff.ts';
import type { AskedLine } from '../../engine/judge/remedies/remedies.ts';
import type {
  CalledFunction,
  FoundFunction,
  Metric,
  Request,
  StackText,
  TestPlace,
  TextBefore,
} from '../../protocol/requests.ts';
import type { DiffPlace } from '../../protocol/rechecks.ts';
import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import type { DetailRow, HotspotGroup, HotspotsParams, OperationsParams, Verdict } from '../../protocol/list-rows.ts';
import type { FunctionPlace, Location, NoLocation } from '../../protocol/places.ts';
import type { Timeline, TimelineQuery } from '../../protocol/time.ts';
import { type Remedy, remediesFor } from '../../words/remedies.ts';
import { findPlace, textBefore, locate, whyNowhere } from '../queries/locate.ts';
import { markedFiles, type AnalysedRecording, annotationsIn } from '../queries/file-annotations.ts';
import { agentQuestions } from '../../agents/answers.ts';
import { calleesOf, detailsOf, type FunctionDetails, stacksOf } from '../queries/function-details.ts';
import { type CodeBelow, codeBelow, findingsIn } from '../../engine/compare/code-below.ts';
import { testFilesOf } from '../../engine/compare/side.ts';
import { fewestTestFiles, runTimes, timeOf } from '../../engine/compare/tests-to-run.ts';
import { MIN_RUNS, planText } from '../../words/findings.ts';
import { type Line0, type Microseconds, microseconds } from '../../protocol/units.ts';
import { hotspotsOf } from '../queries/hotspots.ts';
import { longOperations, waitRows } from '../queries/long-operations.ts';
import { verdictOf } from '../queries/verdict.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { hotFunctions } from '../../engine/hot-functions.ts';
import type { Test } from '../../engine/read/samples/sample-stream.ts';
import type { NamedTime, Summary } from '../../protocol/summary.ts';
import { fileKey } from '../../engine/read/files/file-path.ts';
import { isAtOrBelow } from '../../protocol/path-spelling.ts';
import { placeOf } from '../../words/places.ts';
import { summaryOf } from '../../words/summary.ts';
import type { RegexTest } from '../../show/flame/matches.ts';
import { runInNewContext } from 'node:vm';

/**
 * The questions about a recording, and those about a diff: name, question and answer, all plain data. `Server.about`,
 * `Recordings.ask` and `Diffs.ask` forward them by name.
 */
export const questions = {
  file: annotationsIn,
  markedFiles: ({ analysis, texts }: AnalysedRecording): readonly string[] =>
    markedFiles(analysis).filter((path) => texts.has(path)),
  hotspots: (
    { analysis, folders }: AnalysedRecording,
    { params, metric }: { readonly params: HotspotsParams; readonly metric: Metric },
  ): readonly HotspotGroup[] => hotspotsOf(analysis, folders, params, metric),
  verdict: ({ analysis, folders }: AnalysedRecording): Verdict => verdictOf(analysis, folders),
  /** `fixed`: functions that a re-check has shown to be fast, which are left out. */
  summary: (
    { analysis }: AnalysedRecording,
    { recording, fixed }: { readonly recording: string; readonly fixed: readonly number[] },
  ): Summary => summaryOf(analysis, recording, new Set(fixed)),
  flame: ({ analysis }: AnalysedRecording, query: FlameQuery): FlameAnswer => flameOf(analysis, query, testRegex),
  search: ({ analysis }: AnalysedRecording, search: FlameSearch): FlameSearchAnswer =>
    searchFlame(analysis, search, testRegex),
  timeline: ({ analysis }: AnalysedRecording, asked: TimelineQuery): Timeline => timelineOf(analysis, asked),
  operations: ({ analysis }: AnalysedRecording, asked: OperationsParams): readonly DetailRow[] =>
    longOperations(analysis, asked),
  waits: ({ analysis }: AnalysedRecording): readonly DetailRow[] => waitRows(analysis),
  locate: ({ analysis, folders }: AnalysedRecording, place: FunctionPlace): Location | NoLocation =>
    locate(analysis, folders, place) ?? { why: whyNowhere(analysis, place) },
  details: ({ analysis }: AnalysedRecording, functionId: number): FunctionDetails | null =>
    detailsOf(analysis, functionId),
  recheckCost: ({ analysis }: AnalysedRecording, functionId: number): RecheckCost => {
    const files = fewestTestFiles(testFilesOf(analysis, functionId));
    const us = timeOf(files, runTimes(analysis));
    return { text: planText({ files, us }), us: us === null ? null : microseconds(us * MIN_RUNS) };
  },
  codeBelow: ({ analysis }: AnalysedRecording, functionId: number): CodeBelow => codeBelow(analysis, functionId),
  findingsIn: ({ analysis }: AnalysedRecording, path: string): readonly number[] => findingsIn(analysis, path),
  callees: ({ analysis }: AnalysedRecording, functionId: number): readonly CalledFunction[] =>
    calleesOf(analysis, functionId, MAX_STACKS),
  stacks: ({ analysis }: AnalysedRecording, functionId: number): readonly StackText[] =>
    stacksOf(analysis, functionId, MAX_STACKS),
  remedies: (
    { analysis }: AnalysedRecording,
    { owner, ...line }: Omit<AskedLine, 'fn'> & { readonly owner: FunctionNow | null },
  ): readonly Remedy[] => {
    const fn = analysis.functions.functions[owner?.functionId ?? -1];
    return remediesFor({ ...line, fn: fn === undefined || owner === null ? null : { ...fn, line: owner.line } });
  },
  worstOfTest: ({ analysis }: AnalysedRecording, test: TestPlace): NamedTime | null => worstOfTest(analysis, test),
  ...agentQuestions,
};

export const diffQuestions = {
  flame: ({ flame }: OpenDiff, query: FlameQuery): FlameAnswer => flame.answer(query, testRegex),
  search: ({ flame }: OpenDiff, search: FlameSearch): FlameSearchAnswer => flame.search(search, testRegex),
  find: ({ diff }: OpenDiff, place: DiffPlace): FoundFunction | null => findPlace(diff, place),
  textBefore: ({ diff }: OpenDiff, functionId: number): TextBefore | null => textBefore(diff, functionId),
  /** The text of a file (absolute path) that the head ran; null where none was kept. */
  textNow: ({ diff }: OpenDiff, path: string): string | null => diff.texts.head.get(fileKey(path))?.text ?? null,
};

/** What a re-check of a function costs at least: `6 to 16 × about 4 s, string.test.ts`, and the least of all runs together. */
export interface RecheckCost {
  readonly text: string;
  /** Null where the time of a test file is not known. */
  readonly us: Microseconds | null;
}

const MAX_STACKS = 20;

/** A function with its first line in the current text. */
export interface FunctionNow {
  readonly functionId: number;
  readonly line: Line0;
}

export interface OpenDiff {
  readonly diff: Diff;
  readonly flame: DiffFlame;
}

type Tables = typeof questions & typeof diffQuestions;
export type QuestionName = keyof Tables;
/** Question and answer of a name. */
export type Asked<Name extends QuestionName> = Parameters<Tables[Name]> extends [unknown, infer What] ? What : null;
export type Answer<Name extends QuestionName> = Settled<ReturnType<Tables[Name]>>;
type Settled<Value> = Value extends Promise<infer Inside> ? Inside : Value;

/** A question of the editor: `recording` names a recording or a diff. */
export type QuestionRequest<Name extends QuestionName> = Request<
  { readonly recording: string; readonly name: Name; readonly asked: Asked<Name> },
  Answer<Name>
>;

/** The worst hot app function that was long while this test, or one of this suite or file, ran. */
export function worstOfTest(analysis: Analysis, place: TestPlace): NamedTime | null {
  for (const { functionId, worstUs, estimated, firstTime, tone } of hotFunctions(analysis)) {
    const fn = analysis.functions.functions[functionId];
    const isApp = fn?.role === 'app' && typeof firstTime?.loads !== 'string';
    const tests = analysis.figures[functionId]?.presence.tests ?? [];
    if (fn !== undefined && isApp && tests.some((test) => isOf(test, place)))
      return { functionId, label: fn.label, place: placeOf(fn, analysis), us: worstUs, estimated, tone };
  }
  return null;
}

/** A suite or a folder matches its tests, a test without a file by titles. Test Explorers may omit outer titles. */
function isOf({ name, file }: Test, place: TestPlace): boolean {
  const title = place.titles.join(' > ');
  if (file === '' ? title === '' : !isAtOrBelow(file, place.file)) return false;
  return title === '' || ` > ${name} > `.includes(` > ${title} > `);
}

/** Time limit of one regular expression, in ms. */
const MAX_REGEX_MS = 250;

/** Tests texts with a regular expression of the person. V8 ends it after a time: `(a+)+$` may never end. */
export const testRegex: RegexTest = (pattern, texts) => {
  try {
    const expression = new RegExp(pattern, 'im');
    const found: unknown = runInNewContext(
      'texts.map((text) => expression.test(text))',
      { texts, expression },
      { timeout: MAX_REGEX_MS },
    );
    return texts.map((_, index) => Array.isArray(found) && found[index] === true);
  } catch (error) {
    if (error instanceof SyntaxError) return { type: 'wrong', message: reasonIn(error) };
    return { type: 'slow' };
  }
};

/** The reason in a message such as `Invalid regular expression: /(/im: Unterminated group`. */
function reasonIn({ message }: SyntaxError): string {
  return /: ([^:]+)$/.exec(message)?.[1] ?? message;
}
