import { Worker } from 'node:worker_threads';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { PortMessageReader, PortMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import type { OpenDiffAnswer, AnalysisOptions, OpenAnswer } from '../../protocol/requests.ts';
import type { Answer, Asked, QuestionName } from './questions.ts';
import type { DiffSides } from '../../protocol/diff.ts';
import type { PathSuggestion } from '../../protocol/path-spelling.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { MarkedFunction } from '../../recordings/kept-files.ts';
import { readManifest } from '../../recordings/recording-folders.ts';
import { TimesToRead } from '../../recordings/run-processes.ts';

export interface AnalysisProcess {
  /** Reads a recording that may still grow, so that `open` has less to do. */
  readonly readAhead: (params: ReadAheadInWorker) => Promise<null>;
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
  const { died, hasEnded, end } = endOf(worker);
  died.catch(() => undefined); // No request may be waiting for it.

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
    readAhead: async (params) => Promise.race([connection.sendRequest<null>(methods.readAhead, params), died]),
    open: async (params, onProgress) => opened<OpenedInWorker>(methods.open, params, onProgress),
    openDiff: async (params, onProgress) => opened<OpenDiffAnswer>(methods.openDiff, params, onProgress),
    ask: async <Name extends QuestionName>(name: Name, asked: Asked<Name>, token?: CancellationToken) => {
      // A token that is undefined would be sent as a parameter.
      const tokens = token === undefined ? [] : [token];
      return Promise.race([connection.sendRequest<Answer<Name>>(name, asked, ...tokens), died]);
    },
    takeTiers: async () => Promise.race([connection.sendRequest<null>(methods.takeTiers), died]),
    dispose: () => {
      end(closed); // At once: an answer that is on its way comes from a thread that ends.
      void worker.terminate();
    },
    hasEnded,
  };
}

/**
 * Reads a recording while its command runs, in a thread of its own. At the end, files that were whole are decoded, sources
 * are indexed, and code is compiled. It works only while a CPU is idle, and at most for as long as two readings take.
 */
export class ReadingAhead {
  readonly asked: ReadAheadInWorker;
  readonly #workerFile: string;
  readonly #times: TimesToRead;
  readonly #beganMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #process: AnalysisProcess | null = null;

  constructor(workerFile: string, asked: ReadAheadInWorker, times = new TimesToRead(undefined, SHORT_RUN_MS)) {
    this.#workerFile = workerFile;
    this.asked = asked;
    this.#times = times;
    this.#timer = setInterval(() => void this.#look(), LOOKS_MS).unref();
  }

  /** Gives the thread to its next owner; null where it has read nothing, still reads, or has ended. */
  take(): AnalysisProcess | null {
    const process = this.#times.isReading || this.#process?.hasEnded() === true ? null : this.#process;
    if (process !== null) this.#process = null;
    this.dispose();
    return process;
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#process?.dispose();
    this.#process = null;
  }

  async #look(): Promise<void> {
    if (!this.#times.isNow(performance.now() - this.#beganMs)) return;
    this.#process ??= startAnalysis(this.#workerFile);
    // Where this fails, the recording is read without it.
    await this.#process.readAhead(this.asked).catch(() => this.dispose());
    this.#times.ended();
    // A run that ended without a result, because it was stopped, needs no thread.
    const isOver = ((await readManifest(this.asked.recording))?.endedAt ?? null) !== null;
    if (isOver) setTimeout(() => this.dispose(), UNWANTED_MS).unref();
  }
}

/** Shorter runs have little to read. */
const SHORT_RUN_MS = 4000;
const LOOKS_MS = 1000;
/** After the end of a run whose result is not asked for. */
const UNWANTED_MS = 10_000;

/** `died` rejects with why the thread has ended, first by `end` or by itself. */
function endOf(worker: Worker) {
  const ending = new AbortController();
  const { signal } = ending;
  const end = (why: string): void => ending.abort(why);
  const died = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(String(signal.reason))), { once: true });
  });
  worker.once('error', (error) => end(describeDeath(error)));
  worker.once('exit', () => end(closed));
  return { died, hasEnded: () => signal.aborted, end };
}

const closed = 'The recording has been closed.';

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
export const methods = {
  readAhead: 'readAhead',
  open: 'open',
  openDiff: 'openDiff',
  takeTiers: 'takeTiers',
  progress: 'progress',
} as const;

/** A recording that is read ahead. `open` uses what was read only if it has the same folders and options. */
export interface ReadAheadInWorker {
  readonly recording: string;
  readonly roots: readonly string[];
  readonly options: AnalysisOptions;
}

/** The first request to a worker, before any question. */
export interface OpenInWorker extends ReadAheadInWorker {
  readonly more: readonly string[];
  /** True for the editor's own recordings: the first reading keeps texts beside one. */
  readonly isOurs: boolean;
  /** Whether it is to be a result on screen: then files under other paths are looked for. */
  readonly isShown: boolean;
  /** Functions marked in the target's run before. What is kept beside a recording that was opened before wins. */
  readonly marked: readonly MarkedFunction[];
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
