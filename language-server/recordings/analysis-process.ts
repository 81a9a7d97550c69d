import { Worker } from 'node:worker_threads';
import {
  type CancellationToken,
  PortMessageReader,
  PortMessageWriter,
  createMessageConnection,
} from 'vscode-jsonrpc/node';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import type { OpenDiffAnswer, AnalysisOptions, OpenAnswer } from '../../protocol/requests.ts';
import type { Answer, Asked, QuestionName } from './questions.ts';
import type { DiffSides } from '../../protocol/diff.ts';
import type { PathSuggestion } from '../../protocol/path-spelling.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { MarkedFunction } from '../../recordings/kept-files.ts';

export interface AnalysisProcess {
  readonly open: (params: OpenInWorker, onProgress: (progress: Progress) => void) => Promise<OpenedInWorker>;
  readonly openDiff: (params: OpenDiffInWorker, onProgress: (progress: Progress) => void) => Promise<OpenDiffAnswer>;
  /** Rejects with a sentence for the person when the thread dies. A question cancelled in time costs nothing. */
  readonly ask: <Name extends QuestionName>(
    name: Name,
    asked: Asked<Name>,
    token?: CancellationToken,
  ) => Promise<Answer<Name>>;
  /** Adds tiers that were recorded meanwhile. */
  readonly takeTiers: () => Promise<null>;
  /** Ends the thread, and rejects its open requests. */
  readonly dispose: () => void;
  readonly hasEnded: () => boolean;
}

export interface OpenControl {
  readonly onProgress: (progress: Progress) => void;
  readonly onCancel: (callback: () => void) => void;
}

/** Memory limit of an analysis, in MB. Beyond it, only its own thread ends. */
const MAX_MEMORY_MB = 4_096;

/** Limit of the young generation, in MB (V8: 96). What is read stays, so a larger one saves no collection. */
const MAX_YOUNG_MB = 16;

/** `workerFile`: absolute path of the worker's bundle. `memory`: its limit, in MB. */
export function startAnalysis(workerFile: string, memory: number = MAX_MEMORY_MB): AnalysisProcess {
  const resourceLimits = { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: MAX_YOUNG_MB };
  const worker = new Worker(workerFile, { resourceLimits });
  const connection = createMessageConnection(new PortMessageReader(worker), new PortMessageWriter(worker));
  connection.listen();
  const { died, hasEnded } = endOf(worker);
  died.catch(() => connection.dispose()); // No request may be waiting for it.

  const opened = async <Answer>(
    method: string,
    params: OpenInWorker | OpenDiffInWorker,
    onProgress: (progress: Progress) => void,
  ): Promise<Answer> => {
    const listening = connection.onNotification(methods.progress, onProgress);
    try {
      return await Promise.race([connection.sendRequest<Answer>(method, params), died]);
    } catch (error) {
      throw isOfMemory(error) ? new Error(tooLarge) : error;
    } finally {
      listening.dispose();
    }
  };

  return {
    open: async (params, onProgress) => opened<OpenedInWorker>(methods.open, params, onProgress),
    openDiff: async (params, onProgress) => opened<OpenDiffAnswer>(methods.openDiff, params, onProgress),
    ask: async <Name extends QuestionName>(name: Name, asked: Asked<Name>, token?: CancellationToken) => {
      // A token that is undefined would be sent as a parameter.
      const tokens = token === undefined ? [] : [token];
      return Promise.race([connection.sendRequest<Answer<Name>>(name, asked, ...tokens), died]);
    },
    takeTiers: async () => Promise.race([connection.sendRequest<null>(methods.takeTiers), died]),
    dispose: () => void worker.terminate(),
    hasEnded,
  };
}

function endOf(worker: Worker): { readonly died: Promise<never>; readonly hasEnded: () => boolean } {
  const state = { hasEnded: false };
  const died = new Promise<never>((_, reject) => {
    worker.once('error', (error) => reject(new Error(describeDeath(error))));
    worker.once('exit', () => {
      state.hasEnded = true;
      reject(new Error('The recording has been closed.'));
    });
  });
  return { died, hasEnded: () => state.hasEnded };
}

const tooLarge =
  'The recording is too large for the memory that there is: record a shorter run, or with a longer interval.';

function describeDeath(error: Error): string {
  return isOfMemory(error)
    ? tooLarge
    : `The recording could not be analyzed, because of an error of Hotspan. Please report it: ${error.message}`;
}

/** V8 ends a thread whose memory is used up. If the system has none for an array, it throws. */
function isOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isEnded = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isEnded || /Array buffer allocation failed|could not allocate memory/i.test(error.message);
}

/** Requests to a worker, `progress`: its notifications. One opens something before any question. */
export const methods = { open: 'open', openDiff: 'openDiff', takeTiers: 'takeTiers', progress: 'progress' } as const;

/** The first request to a worker, before any question. */
export interface OpenInWorker {
  readonly recording: string;
  readonly more: readonly string[];
  /** True for the editor's own recordings: the first reading keeps texts beside one. */
  readonly isOurs: boolean;
  /** Whether it is to be a result on screen: then files under other paths are looked for. */
  readonly isShown: boolean;
  /** Functions marked in the target's run before. What is kept beside a recording that was opened before wins. */
  readonly marked: readonly MarkedFunction[];
  readonly roots: readonly string[];
  readonly options: AnalysisOptions;
}

export type OpenedInWorker =
  | {
      readonly type: 'opened';
      readonly summary: Summary;
      readonly marked: readonly MarkedFunction[];
      /** Memory of the thread, with what V8 may still give back. */
      readonly bytes: number;
      /** Only for a result to show. */
      readonly elsewhere?: PathSuggestion;
    }
  | Extract<OpenAnswer, { readonly type: 'failed' }>;

export interface OpenDiffInWorker extends DiffSides {
  readonly roots: readonly string[];
  readonly options: AnalysisOptions;
}
