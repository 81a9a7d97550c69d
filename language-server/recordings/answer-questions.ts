import { type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { analyze, withSecondRun } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { type MarkedFunction, keepMarkedBefore, readMarkedBefore } from '../../recordings/kept-marked.ts';
import { keepTexts, ownTexts } from '../../recordings/kept-texts.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import type { AnalysisOptions, OpenAnswer } from '../../protocol/requests.ts';
import { summaryOf } from '../../words/summary.ts';
import { keptMarks, markedFunctions } from '../queries/kept-marks.ts';
import { type AnalysedRecording, type QuestionName, answers } from './worker-protocol.ts';

/** The first request to a worker. Before it, no question can be answered. */
export interface OpenInWorker {
  readonly recording: string;
  /** True for the editor's own recordings: texts are kept beside one when it is read first. */
  readonly isOurs: boolean;
  /**
   * Functions marked in the run of the same target before. What is kept beside a recording that was opened before is
   * more certain.
   */
  readonly marked: readonly MarkedFunction[];
  readonly roots: readonly string[];
  readonly options: AnalysisOptions;
}

export interface OpenedInWorker {
  readonly answer: OpenAnswer;
  readonly marked: readonly MarkedFunction[];
}

export const openMethod = 'open';
export const progressMethod = 'progress';

/** Takes over tiers that were recorded meanwhile. */
export const takeTiersMethod = 'takeTiers';

const notOpen = -32_001;

/** Answers `open` and then every question, or fails: a bug in an answer is an error there, not the end of the thread. */
export function answerQuestions(connection: MessageConnection): void {
  const state: State = { recording: null, takeTiers: null };

  connection.onRequest<unknown, void>(openMethod, async (params: OpenInWorker): Promise<OpenedInWorker> => {
    const options = {
      roots: params.roots,
      thresholdUs: params.options.thresholdUs,
      testPatterns: params.options.testPatterns,
      sourceMaps: true,
    };
    const result = await analyze([params.recording], diskWorld, {
      ...options,
      onProgress: (progress) => void connection.sendNotification(progressMethod, progress),
    });
    if (result.type === 'failed') return failed(describeFailure(result.failure));
    const { analysis } = result;
    const texts = await ownTexts(result);
    if (params.isOurs) await keepTexts(params.recording, texts, result.kept);
    const before = params.isOurs ? await markedBefore(params.recording, params.marked) : [];
    const kept = await keptMarks(analysis, before, result.at);
    state.recording = { analysis, kept, folders: params.roots, texts };
    state.takeTiers = async (now) => withSecondRun(now, params.recording, diskWorld, options);
    const answer: OpenAnswer = { type: 'opened', summary: summaryOf(analysis, params.recording) };
    return { answer, marked: markedFunctions(analysis, kept) };
  });

  connection.onRequest<null, void>(takeTiersMethod, async (): Promise<null> => {
    const { recording, takeTiers } = state;
    if (recording === null || takeTiers === null) throw new ResponseError(notOpen, 'The recording is not open.');
    state.recording = { ...recording, analysis: await takeTiers(recording.analysis) };
    return null;
  });

  for (const name of questionNames()) answerQuestion(connection, state, name);
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

function failed(message: string): OpenedInWorker {
  return { answer: { type: 'failed', message }, marked: [] };
}

interface State {
  recording: AnalysedRecording | null;
  /** Null as long as no recording is open. */
  takeTiers: ((analysis: Analysis) => Promise<Analysis>) | null;
}

function answerQuestion(connection: MessageConnection, state: Readonly<State>, name: QuestionName): void {
  connection.onRequest<unknown, void>(name, (asked: never): unknown => {
    if (state.recording === null) throw new ResponseError(notOpen, 'The recording is not open.');
    return answers[name](state.recording, asked);
  });
}

function questionNames(): readonly QuestionName[] {
  const names: QuestionName[] = [];
  for (const name in answers) if (isQuestion(name)) names.push(name);
  return names;
}

function isQuestion(name: string): name is QuestionName {
  return name in answers;
}
