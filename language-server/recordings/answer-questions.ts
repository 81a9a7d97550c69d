import { type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { analyze, withSecondRun } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import type { Analysis } from '../../engine/analysis.ts';
import {
  keepTexts,
  ownTexts,
  type MarkedFunction,
  keepMarkedBefore,
  readMarkedBefore,
} from '../../recordings/kept-files.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import type { OpenAnswer } from '../../protocol/requests.ts';
import { summaryOf } from '../../words/summary.ts';
import { type KeptMarks, keptMarks, markedFunctions } from '../queries/kept-marks.ts';
import {
  type QuestionName,
  type OpenInWorker,
  type OpenedInWorker,
  openMethod,
  progressMethod,
  takeTiersMethod,
  type Questions,
} from './worker-protocol.ts';
import { flameOf, searchFlame } from '../../engine/flame/flame.ts';
import { annotationsOf } from '../queries/file-annotations.ts';
import { detailsOf, stacksOf } from '../queries/function-details.ts';
import { hotspotsOf } from '../queries/hotspots.ts';
import { locate } from '../queries/locate.ts';

/** Answers `open`, and then every question. A bug in an answer makes that answer fail; it does not end the thread. */
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

const notOpen = -32_001;

interface State {
  recording: AnalysedRecording | null;
  /** Null while no recording is open. */
  takeTiers: ((analysis: Analysis) => Promise<Analysis>) | null;
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
  hotspots: ({ analysis, folders }, { params, metric }) => hotspotsOf(analysis, folders, params, metric),
  flame: ({ analysis }, query) => flameOf(analysis, query),
  search: ({ analysis }, search) => searchFlame(analysis, search),
  locate: ({ analysis, folders }, place) => locate(analysis, folders, place),
  details: ({ analysis }, functionId) => detailsOf(analysis, functionId),
  stacks: ({ analysis }, functionId) => stacksOf(analysis, functionId, mostStacks),
};

type Answers = {
  readonly [Name in QuestionName]: (
    recording: AnalysedRecording,
    asked: Questions[Name]['asked'],
  ) => Questions[Name]['answer'];
};

const mostStacks = 20;
