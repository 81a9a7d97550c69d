import { type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../engine/analyze-failure.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { filePathOf } from '../../engine/sourcemap/file-path.ts';
import type { World } from '../../engine/world.ts';
import { nodeWorld } from '../../node-world/node-world.ts';
import type { AnalysisOptions, OpenAnswer } from '../../protocol/requests.ts';
import { summaryOf } from '../../engine/report/summary.ts';
import { type AnalysedRecording, type QuestionName, answers } from './questions.ts';

/** First request to a worker; the only one before which no question can be answered. */
export interface OpenInWorker {
  readonly recording: string;
  readonly roots: readonly string[];
  readonly options: AnalysisOptions;
}

export const openMethod = 'open';
export const progressMethod = 'progress';

const notOpen = -32_001;

/** Answers `open` and then every question, or fails: a bug in an answer is an error there, not the end of the thread. */
export function answerQuestions(connection: MessageConnection): void {
  const state: State = { recording: null };

  connection.onRequest<unknown, void>(openMethod, async (params: OpenInWorker): Promise<OpenAnswer> => {
    const result = await analyze([params.recording], nodeWorld, {
      roots: params.roots,
      thresholdUs: params.options.thresholdUs,
      testPatterns: params.options.testPatterns,
      sourceMaps: true,
      onProgress: (progress) => void connection.sendNotification(progressMethod, progress),
    });
    if (result.type === 'failed') return { type: 'failed', message: describeFailure(result.failure) };
    state.recording = {
      analysis: result.analysis,
      folders: params.roots,
      texts: await ownTexts(result.analysis, nodeWorld),
    };
    return { type: 'opened', summary: summaryOf(result.analysis, params.recording) };
  });

  for (const name of questionNames()) answerQuestion(connection, state, name);
}

interface State {
  recording: AnalysedRecording | null;
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

/** The texts that lines and functions are found again by, as they are right after the run. */
async function ownTexts({ functions, packages }: Analysis, world: World): Promise<ReadonlyMap<string, string>> {
  const imports = packages.flatMap((one) => one.imports.map(({ url }) => filePathOf(url)));
  const sampled = functions.functions.filter(({ own }) => own).map(({ path }) => path);
  const paths = new Set([...sampled, ...imports].filter((path) => path !== null));
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = await world.readFile(path);
    if (bytes !== undefined) texts.set(path, new TextDecoder().decode(bytes));
  }
  return texts;
}
