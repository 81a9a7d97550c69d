import { parentPort } from 'node:worker_threads';
import {
  type CancellationToken,
  type MessageConnection,
  PortMessageReader,
  PortMessageWriter,
  createMessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { analyze, type AnalyzeOptions, withSecondRun } from '../../engine/analyze.ts';
import { DecodedFiles } from '../../engine/read/isolates/decoded-files.ts';
import { IndexedTexts } from '../../engine/read/source-code/source-indexes.ts';
import { findElsewhere } from '../../engine/read/texts/find-elsewhere.ts';
import { analyzeSeveral } from '../../engine/compare/runs/analyze-several.ts';
import { describeFailure, refusalText } from '../../words/failures.ts';
import type { Analysis } from '../../engine/analysis.ts';
import {
  type Texts,
  type MarkedFunction,
  keepTexts,
  ownTexts,
  keepMarkedBefore,
  readMarkedBefore,
} from '../../recordings/kept-files.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { type PathRule, canonicalPath, isAtOrBelow } from '../../protocol/path-spelling.ts';
import type { OpenDiffAnswer } from '../../protocol/requests.ts';
import { noRunsText } from '../../words/given-recordings.ts';
import { summaryOf } from '../../words/summary.ts';
import { keptMarks, markedFunctions, type AnalysedRecording } from '../queries/file-annotations.ts';
import {
  type OpenDiffInWorker,
  type OpenInWorker,
  type OpenedInWorker,
  type ReadAheadInWorker,
  methods,
} from './analysis-process.ts';
import { diffQuestions, type OpenDiff, questions } from './questions.ts';
import { DiffFlame } from '../../show/diff-flame/diff-flame.ts';
import { readDiff } from '../../show/diff-flame/read-diff.ts';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import { diffVerdict } from '../../words/formats/diff-texts.ts';
import { commandTextIn } from '../../words/formats/command-text.ts';
import { withoutDots } from '../../protocol/machine-path.ts';
import { getHeapStatistics } from 'node:v8';

/** The thread that reads one recording and then answers questions about it. */
if (parentPort !== null) {
  const connection = createMessageConnection(new PortMessageReader(parentPort), new PortMessageWriter(parentPort));
  answerQuestions(connection);
  connection.listen();
}

interface State {
  /** What was read ahead; null once a recording is open. */
  ahead: { readonly options: string; readonly known: Pick<AnalyzeOptions, 'texts' | 'decoded'> } | null;
  recording: AnalysedRecording | null;
  /** Null while no recording is open. */
  takeTiers: ((analysis: Analysis) => Promise<Analysis>) | null;
  diff: OpenDiff | null;
}

/** Answers `open`, then every question. A bug in an answer fails that answer, not the thread. */
function answerQuestions(connection: MessageConnection): void {
  const state: State = { ahead: null, recording: null, takeTiers: null, diff: null };
  const onProgress = (progress: Progress): void => void connection.sendNotification(methods.progress, progress);
  connection.onRequest<null, void>(methods.readAhead, async (params: ReadAheadInWorker): Promise<null> => {
    const options = JSON.stringify(readingOptions(params));
    if (state.ahead?.options !== options)
      state.ahead = { options, known: { texts: new IndexedTexts(diskWorld.keptIndexes), decoded: new DecodedFiles() } };
    const result = await analyze([params.recording], diskWorld, { ...readingOptions(params), ...state.ahead.known });
    if (result.type === 'analyzed') await ownTexts(result);
    return null;
  });
  connection.onRequest<unknown, void>(methods.open, async (params: OpenInWorker): Promise<OpenedInWorker> => {
    const { ahead } = state;
    state.ahead = null;
    const isAhead = ahead?.options === JSON.stringify(readingOptions(params)) && params.more.length === 0;
    return open(params, isAhead ? ahead.known : {}, onProgress, (recording, takeTiers) =>
      Object.assign(state, { recording, takeTiers }),
    );
  });
  connection.onRequest<null, void>(methods.takeTiers, async (): Promise<null> => {
    const { recording, takeTiers } = state;
    if (recording === null || takeTiers === null) throw notOpen();
    state.recording = { ...recording, analysis: await takeTiers(recording.analysis) };
    return null;
  });
  connection.onRequest<unknown, void>(methods.openDiff, async (params: OpenDiffInWorker): Promise<OpenDiffAnswer> => {
    return openDiff(params, onProgress, (diff) => Object.assign(state, { diff }));
  });
  answerTables(connection, state);
}

function readingOptions({ options, roots }: ReadAheadInWorker): AnalyzeOptions {
  return { ...options, roots, pathRules: rulesInside(options.pathRules, roots), sourceMaps: true };
}

/** `known`: what was read ahead. */
async function open(
  params: OpenInWorker,
  known: Pick<AnalyzeOptions, 'texts' | 'decoded'>,
  onProgress: (progress: Progress) => void,
  keep: (recording: AnalysedRecording, takeTiers: State['takeTiers']) => void,
): Promise<OpenedInWorker> {
  const { recording, more, isOurs, isShown, roots } = params;
  const options = readingOptions(params);
  const reading = { ...options, ...known, takenFor: null, onProgress };
  const result = await analyzeSeveral([recording, ...more], diskWorld, reading);
  if (result.type === 'failed') return { type: 'failed', message: describeFailure(result.failure) };
  if (result.type === 'otherCode') return { type: 'failed', message: `${noRunsText(result.differing)}.` };
  const { analysis, textOf } = result;
  const texts = await ownTexts(result);
  if (isOurs) keepSoon(recording, texts, result);
  const kept = await keptMarks(analysis, isOurs ? await markedBefore(recording, params.marked) : [], result.at);
  const { paths = [], middle = null } = analysis.several ?? {};
  const shown = (middle === null ? undefined : paths[middle]) ?? recording;
  keep({ analysis, kept, folders: roots, texts }, async (now) => withSecondRun(now, shown, diskWorld, options));
  const { functions } = analysis.functions;
  const { cwd } = analysis.recording;
  const elsewhere = isShown ? await findElsewhere({ cwd, functions, textOf }, roots, diskWorld) : null;
  const memory = getHeapStatistics();
  return {
    type: 'opened',
    summary: summaryOf(analysis, recording),
    marked: markedFunctions(analysis, kept),
    bytes: memory.total_heap_size + memory.external_memory,
    ...(elsewhere === null ? {} : { elsewhere }),
  };
}

/** Keeps texts once the thread has answered: marks come first. What fails is read again by the next reader. */
function keepSoon(recording: string, texts: Texts, read: Parameters<typeof keepTexts>[2]): void {
  setImmediate(() => void keepTexts(recording, texts, read));
}

/** Functions marked before. A recording that is read again (new threshold, reload) is not another run. */
async function markedBefore(
  recording: string,
  lastMarked: readonly MarkedFunction[],
): Promise<readonly MarkedFunction[]> {
  const kept = await readMarkedBefore(recording);
  if (kept === null) await keepMarkedBefore(recording, lastMarked);
  return kept ?? lastMarked;
}

/** Reads both sides. Progress counts recordings. */
async function openDiff(
  { base, head, roots, options }: OpenDiffInWorker,
  onProgress: (progress: Progress) => void,
  keep: (diff: OpenDiff) => void,
): Promise<OpenDiffAnswer> {
  const result = await readDiff({ base, head }, diskWorld, {
    ...options,
    pathRules: rulesInside(options.pathRules, roots),
    onRun: (done, total) => onProgress({ done, total, percent: Math.floor((100 * done) / total) }),
  });
  if (result.type === 'failed') return { type: 'failed', message: describeFailure(result.failure) };
  if (result.type !== 'read') return { type: 'failed', message: refusalText(result.refusal) };
  const { diff } = result;
  keep({ diff, flame: new DiffFlame(diff) });
  const { command, cwd } = diff.recording;
  const title = command === null ? 'two recordings' : commandTextIn(cwd, command);
  const verdict = diffVerdict({ base: base.length, head: head.length, order: diff.order });
  return { type: 'opened', summary: { title, verdict } };
}

/** Path rules count only if they lead into an open folder. */
function rulesInside(rules: readonly PathRule[] = [], folders: readonly string[]): readonly PathRule[] {
  return rules
    .map(({ from, to }) => ({ from, to: withoutDots(canonicalPath(to)) }))
    .filter(({ to }) => folders.some((folder) => isAtOrBelow(to, folder)));
}

/** Answers a question about the open diff, else about the recording. */
function answerTables(connection: MessageConnection, state: Readonly<State>): void {
  const ofRecording = new Map(Object.entries(questions));
  const ofDiff = new Map(Object.entries(diffQuestions));
  for (const name of new Set([...ofRecording.keys(), ...ofDiff.keys()]))
    connection.onRequest<unknown, void>(name, (asked: never, token: CancellationToken): unknown => {
      if (token.isCancellationRequested) return new ResponseError(REQUEST_CANCELLED, 'cancelled');
      const { recording, diff } = state;
      const [ofDiffs, ofRecordings] = [ofDiff.get(name), ofRecording.get(name)];
      if (diff !== null && ofDiffs !== undefined) return ofDiffs(diff, asked);
      if (recording !== null && ofRecordings !== undefined) return ofRecordings(recording, asked);
      throw notOpen();
    });
}

function notOpen(): ResponseError {
  return new ResponseError(-32_001, 'This recording is not open: open it again.');
}

/** Of LSP. */
const REQUEST_CANCELLED = -32_800;
