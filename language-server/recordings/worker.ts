import { parentPort } from 'node:worker_threads';
import {
  PortMessageReader,
  PortMessageWriter,
  createMessageConnection,
  type CancellationToken,
  type MessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
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
import type { PathSuggestion, PathRule } from '../../protocol/path-rules.ts';
import type { OpenDiffAnswer } from '../../protocol/requests.ts';
import { noRunsText } from '../../words/given-recordings.ts';
import { summaryOf } from '../../words/summary.ts';
import { keptMarks, markedFunctions } from '../queries/file-annotations.ts';
import {
  type OpenDiffInWorker,
  type OpenInWorker,
  type OpenedInWorker,
  openDiffMethod,
  openMethod,
  progressMethod,
  takeTiersMethod,
} from './analysis-process.ts';
import { type AnalysedRecording, diffQuestions, type OpenDiff, questions } from './questions.ts';
import { DiffFlame } from '../../show/diff-flame/diff-flame.ts';
import { type Diff, type DiffResult, readDiff } from '../../show/diff-flame/read-diff.ts';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import { diffVerdict } from '../../words/formats/diff-texts.ts';
import { commandTextIn } from '../../words/formats/command-text.ts';
import { isInside } from '../../engine/read/files/file-path.ts';
import { withoutDots } from '../../protocol/machine-path.ts';
import { getHeapStatistics } from 'node:v8';

/** The thread that reads one recording and then answers questions about it. */
if (parentPort !== null) {
  const connection = createMessageConnection(new PortMessageReader(parentPort), new PortMessageWriter(parentPort));
  answerQuestions(connection);
  connection.listen();
}

/** Answers `open`, then every question. A bug in an answer fails that answer, not the thread. */
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
  answerTables(connection, state);
}

/** Path rules count only if they lead into an open folder. */
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

/** Functions marked before. A recording that is read again (new threshold, reload) is not another run. */
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

/** Answers a question about the open diff, else about the recording. */
function answerTables(connection: MessageConnection, state: Readonly<State>): void {
  const ofRecording = new Map(Object.entries(questions));
  const ofDiff = new Map(Object.entries(diffQuestions));
  for (const name of new Set([...ofRecording.keys(), ...ofDiff.keys()]))
    connection.onRequest<unknown, void>(name, (asked: never, token: CancellationToken): unknown => {
      if (token.isCancellationRequested) return new ResponseError(requestCancelled, 'cancelled');
      const { recording, diff } = state;
      const [ofDiffs, ofRecordings] = [ofDiff.get(name), ofRecording.get(name)];
      if (diff !== null && ofDiffs !== undefined) return ofDiffs(diff, asked);
      if (recording !== null && ofRecordings !== undefined) return ofRecordings(recording, asked);
      throw new ResponseError(notOpen, 'This recording is not open: open it again.');
    });
}

const notOpen = -32_001;
/** LSP's `RequestCancelled`. */
const requestCancelled = -32_800;

interface State {
  recording: AnalysedRecording | null;
  /** Null while no recording is open. */
  takeTiers: ((analysis: Analysis) => Promise<Analysis>) | null;
  diff: OpenDiff | null;
}

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
  return { answer, diff: { diff, flame: new DiffFlame(diff) } };
}

function titleOf({ command, cwd }: Diff['recording']): string | null {
  return command === null ? null : commandTextIn(cwd, command);
}

function whyNot(result: Exclude<DiffResult, { readonly type: 'read' }>): string {
  return result.type === 'failed' ? describeFailure(result.failure) : refusalText(result.refusal);
}

/** Keeps the path rules that map into one of the open folders. */
function rulesInside(rules: readonly PathRule[] = [], folders: readonly string[]): readonly PathRule[] {
  return rules
    .map(({ from, to }) => ({ from, to: withoutDots(to) }))
    .filter(({ to }) => folders.includes(to) || isInside(to, folders));
}
