import { getHeapStatistics } from 'node:v8';
import { type CancellationToken, type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { withSecondRun } from '../../engine/analyze.ts';
import { findElsewhere } from '../../engine/read/texts/find-elsewhere.ts';
import { analyzeSeveral } from '../../engine/compare/runs/analyze-several.ts';
import { describeFailure, refusalText } from '../../words/failures.ts';
import type { Analysis } from '../../engine/analysis.ts';
import {
  keepTexts,
  ownTexts,
  type MarkedFunction,
  keepMarkedBefore,
  readMarkedBefore,
} from '../../recordings/kept-files.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import type { PathSuggestion } from '../../protocol/path-rules.ts';
import type { OpenDiffAnswer } from '../../protocol/requests.ts';
import { noRunsText } from '../../words/given-recordings.ts';
import { summaryOf } from '../../words/summary.ts';
import { type KeptMarks, keptMarks, markedFunctions } from '../queries/kept-marks.ts';
import {
  type AllQuestions,
  type DiffQuestionName,
  type QuestionName,
  type OpenDiffInWorker,
  type OpenInWorker,
  type OpenedInWorker,
  openDiffMethod,
  openMethod,
  progressMethod,
  takeTiersMethod,
  type Questions,
  type DiffQuestions,
} from './worker-protocol.ts';
import { flameOf, searchFlame } from '../../show/flame/flame.ts';
import { timelineOf } from '../../show/flame/timeline.ts';
import { annotationsOf, markedFiles } from '../queries/file-annotations.ts';
import { calleesOf, detailsOf, stacksOf } from '../queries/function-details.ts';
import { hotspotsOf } from '../queries/hotspots.ts';
import { locate, locateFrame } from '../queries/locate.ts';
import { testRegex } from '../queries/test-regex.ts';
import { remediesFor } from '../../words/remedies.ts';
import { longOperations } from '../queries/long-operations.ts';
import { verdictOf } from '../queries/verdict.ts';
import { waitRows } from '../queries/waits.ts';
import { rulesInside } from '../queries/rules-inside.ts';
import { worstOfTest } from '../queries/worst-of-test.ts';
import { DiffFlame } from '../../show/diff-flame/diff-flame.ts';
import { type Diff, type DiffResult, readDiff } from '../../show/diff-flame/read-diff.ts';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import { diffVerdict } from '../../words/formats/diff-texts.ts';
import { commandTextIn } from '../../words/formats/command-text.ts';
import { findPlace, textBefore } from '../queries/diff-places.ts';

const diffAnswers: DiffAnswers = {
  flame: ({ flame }, query) => flame.answer(query, testRegex),
  search: ({ flame }, search) => flame.search(search, testRegex),
  locate: ({ folders }, place) => ('functionId' in place ? null : locateFrame(folders, place)),
  find: ({ diff }, place) => findPlace(diff, place),
  textBefore: ({ diff }, functionId) => textBefore(diff, functionId),
  textNow: ({ diff }, path) => diff.texts.head.get(path) ?? null,
};

/** Answers `open`, and then every question. A bug in an answer makes that answer fail; it does not end the thread. */
export function answerQuestions(connection: MessageConnection): void {
  const state: State = { recording: null, takeTiers: null, diff: null };

  connection.onRequest<unknown, void>(openMethod, async (params: OpenInWorker): Promise<OpenedInWorker> => {
    const options = { ...optionsOf(params), sourceMaps: true };
    const result = await analyzeSeveral([params.recording, ...params.more], diskWorld, {
      ...options,
      takenFor: null,
      onProgress: (progress) => void connection.sendNotification(progressMethod, progress),
    });
    if (result.type === 'failed') return failed(describeFailure(result.failure));
    if (result.type === 'otherCode') return failed(`${noRunsText(result.differing)}.`);
    const { analysis } = result;
    const texts = await ownTexts(result);
    if (params.isOurs) await keepTexts(params.recording, texts, result.kept);
    const before = params.isOurs ? await markedBefore(params.recording, params.marked) : [];
    const kept = await keptMarks(analysis, before, result.at);
    state.recording = { analysis, kept, folders: params.roots, texts };
    const { paths = [], middle = null } = analysis.several ?? {};
    const shown = (middle === null ? undefined : paths[middle]) ?? params.recording;
    state.takeTiers = async (now) => withSecondRun(now, shown, diskWorld, options);
    const summary = summaryOf(analysis, params.recording);
    const opened = { summary, marked: markedFunctions(analysis, kept), bytes: memoryOfThread() };
    const elsewhere = params.isShown ? await elsewhereOf(params, analysis, result.textOf) : null;
    return { type: 'opened', ...opened, ...(elsewhere === null ? {} : { elsewhere }) };
  });

  connection.onRequest<null, void>(takeTiersMethod, async (): Promise<null> => {
    const { recording, takeTiers } = state;
    if (recording === null || takeTiers === null)
      throw new ResponseError(notOpen, 'This recording is not open: open it again.');
    state.recording = { ...recording, analysis: await takeTiers(recording.analysis) };
    return null;
  });

  answerOpenDiff(connection, (diff) => {
    state.diff = diff;
  });
  for (const name of questionNames()) answerQuestion(connection, state, name);
}

/** Of the person's rules for paths only those count that lead into an open folder. */
function optionsOf({ roots, options }: OpenInWorker): Pick<OpenInWorker, 'roots'> & OpenInWorker['options'] {
  return { ...options, roots, pathRules: rulesInside(options.pathRules, roots) };
}

async function elsewhereOf(
  { roots }: OpenInWorker,
  { functions: { functions }, recording: { cwd } }: Analysis,
  textOf: (url: string) => Promise<string | null>,
): Promise<PathSuggestion | null> {
  return findElsewhere({ cwd, functions, textOf }, roots, diskWorld);
}

/** Reads both sides of a diff, which answers the questions from then on. */
function answerOpenDiff(connection: MessageConnection, keep: (diff: OpenDiff | null) => void): void {
  connection.onRequest<unknown, void>(openDiffMethod, async (params: OpenDiffInWorker): Promise<OpenDiffAnswer> => {
    const { answer, diff } = await openDiff(params, (progress) => {
      void connection.sendNotification(progressMethod, progress);
    });
    keep(diff);
    return answer;
  });
}

/**
 * Functions marked before. A recording that is read again, at another threshold or after a reload of the window, is not
 * another run.
 */
async function markedBefore(
  recording: string,
  lastMarked: readonly MarkedFunction[],
): Promise<readonly MarkedFunction[]> {
  const kept = await readMarkedBefore(recording);
  if (kept === null) await keepMarkedBefore(recording, lastMarked);
  return kept ?? lastMarked;
}

function memoryOfThread(): number {
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
}

function failed(message: string): OpenedInWorker {
  return { type: 'failed', message };
}

function answerQuestion(connection: MessageConnection, state: Readonly<State>, name: keyof AllQuestions): void {
  connection.onRequest<unknown, void>(name, (asked: never, token: CancellationToken): unknown => {
    if (token.isCancellationRequested) return new ResponseError(notWanted, 'cancelled');
    const { diff } = state;
    if (diff !== null && isDiffQuestion(name)) return diffAnswers[name](diff, asked);
    if (state.recording === null || !isQuestion(name))
      throw new ResponseError(notOpen, 'This recording is not open: open it again.');
    return answers[name](state.recording, asked);
  });
}

function questionNames(): readonly (keyof AllQuestions)[] {
  const names: (keyof AllQuestions)[] = [];
  for (const name in { ...answers, ...diffAnswers }) if (isQuestion(name) || isDiffQuestion(name)) names.push(name);
  return names;
}

function isQuestion(name: string): name is QuestionName {
  return name in answers;
}

function isDiffQuestion(name: string): name is DiffQuestionName {
  return name in diffAnswers;
}

const notOpen = -32_001;
/** LSP's `RequestCancelled`. */
const notWanted = -32_800;

interface State {
  recording: AnalysedRecording | null;
  /** Null while no recording is open. */
  takeTiers: ((analysis: Analysis) => Promise<Analysis>) | null;
  /** Both sides of a diff, where the worker has read such. */
  diff: OpenDiff | null;
}

/** An analysed recording, which answers questions. */
interface AnalysedRecording {
  readonly analysis: Analysis;
  /**
   * Absolute paths of the folders that are open in the editor. `analysis.roots` may come from the recording, which must
   * not say what may be opened without asking.
   */
  readonly folders: readonly string[];
  readonly kept: KeptMarks;
  /** Texts of own files when the recording was read, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

export const answers: Answers = {
  file: ({ analysis, kept, texts }, path) => {
    const text = texts.get(path);
    return text === undefined ? null : annotationsOf(analysis, kept, path, text);
  },
  markedFiles: ({ analysis, texts }) => markedFiles(analysis).filter((path) => texts.has(path)),
  hotspots: ({ analysis, folders }, { params, metric }) => hotspotsOf(analysis, folders, params, metric),
  verdict: ({ analysis, folders }) => verdictOf(analysis, folders),
  flame: ({ analysis }, query) => flameOf(analysis, query, testRegex),
  search: ({ analysis }, search) => searchFlame(analysis, search, testRegex),
  timeline: ({ analysis }, asked) => timelineOf(analysis, asked),
  operations: ({ analysis }, asked) => longOperations(analysis, asked),
  waits: ({ analysis }) => waitRows(analysis),
  locate: ({ analysis, folders }, place) => locate(analysis, folders, place),
  details: ({ analysis }, functionId) => detailsOf(analysis, functionId),
  callees: ({ analysis }, functionId) => calleesOf(analysis, functionId, mostStacks),
  remedies: (_, line) => remediesFor(line),
  worstOfTest: ({ analysis }, test) => worstOfTest(analysis, test),
  stacks: ({ analysis }, functionId) => stacksOf(analysis, functionId, mostStacks),
};

type Answers = {
  readonly [Name in QuestionName]: (
    recording: AnalysedRecording,
    asked: Questions[Name]['asked'],
  ) => Questions[Name]['answer'];
};

const mostStacks = 20;

/** Both sides of a diff, which answer questions. */
interface OpenDiff {
  readonly diff: Diff;
  readonly flame: DiffFlame;
  /** Absolute paths of the folders that are open in the editor. */
  readonly folders: readonly string[];
}

/** Reads both sides. Progress counts recordings. */
async function openDiff(
  { base, head, roots, options }: OpenDiffInWorker,
  onProgress: (progress: Progress) => void,
): Promise<{ readonly answer: OpenDiffAnswer; readonly diff: OpenDiff | null }> {
  const result = await readDiff({ base, head }, diskWorld, {
    ...options,
    pathRules: rulesInside(options.pathRules, roots),
    onRun: (done, total) => onProgress({ done, total, percent: Math.floor((100 * done) / total) }),
  });
  if (result.type !== 'read') return { answer: { type: 'failed', message: whyNot(result) }, diff: null };
  const { diff } = result;
  const title = titleOf(diff.recording) ?? 'two recordings';
  const runs = { base: base.length, head: head.length, order: diff.order };
  const answer = { type: 'opened', summary: { title, verdict: diffVerdict(runs) } } as const;
  return { answer, diff: { diff, flame: new DiffFlame(diff), folders: roots } };
}

function titleOf({ command, cwd }: Diff['recording']): string | null {
  return command === null ? null : commandTextIn(cwd, command);
}

function whyNot(result: Exclude<DiffResult, { readonly type: 'read' }>): string {
  return result.type === 'failed' ? describeFailure(result.failure) : refusalText(result.refusal);
}

type DiffAnswers = {
  readonly [Name in DiffQuestionName]: (
    open: OpenDiff,
    asked: DiffQuestions[Name]['asked'],
  ) => DiffQuestions[Name]['answer'];
};
