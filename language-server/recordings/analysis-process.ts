import { Worker } from 'node:worker_threads';
import { PortMessageReader, PortMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node';
import type { Progress } from '../../engine/isolates/load-isolates.ts';
import {
  type QuestionName,
  type Questions,
  type OpenInWorker,
  type OpenedInWorker,
  openMethod,
  progressMethod,
  takeTiersMethod,
} from './worker-protocol.ts';

/** One worker thread with one analysis. */
export interface AnalysisProcess {
  readonly open: (params: OpenInWorker, onProgress: (progress: Progress) => void) => Promise<OpenedInWorker>;
  /** Rejects when the thread has died, with a sentence for the person. */
  readonly ask: <Name extends QuestionName>(
    name: Name,
    asked: Questions[Name]['asked'],
  ) => Promise<Questions[Name]['answer']>;
  /** Takes over tiers that were recorded meanwhile. Until then, answers stay as before. */
  readonly takeTiers: () => Promise<void>;
  /** Ends the thread, whatever it is doing. All requests to it that are open are rejected. */
  readonly dispose: () => void;
}

/** Most memory of an analysis, in MB. An analysis that needs more ends its own thread, and nothing else. */
const mostMemory = 4_096;

/** `workerFile` is the absolute path of the worker's bundle. */
export function startAnalysis(workerFile: string): AnalysisProcess {
  const worker = new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: mostMemory } });
  const connection = createMessageConnection(new PortMessageReader(worker), new PortMessageWriter(worker));
  connection.listen();
  const died = new Promise<never>((_, reject) => {
    worker.once('error', (error) => reject(new Error(describeDeath(error))));
    worker.once('exit', () => reject(new Error('The recording has been closed.')));
  });
  died.catch(() => connection.dispose()); // This handles a death for which nobody waits.

  return {
    open: async (params, onProgress) => {
      const listening = connection.onNotification(progressMethod, onProgress);
      try {
        return await Promise.race([connection.sendRequest<OpenedInWorker>(openMethod, params), died]);
      } finally {
        listening.dispose();
      }
    },
    ask: async <Name extends QuestionName>(name: Name, asked: Questions[Name]['asked']) =>
      Promise.race([connection.sendRequest<Questions[Name]['answer']>(name, asked), died]),
    takeTiers: async () => {
      await Promise.race([connection.sendRequest<null>(takeTiersMethod), died]);
    },
    dispose: () => void worker.terminate(),
  };
}

function describeDeath(error: Error): string {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? 'The recording is too large for the memory that there is: record a shorter run, or with a longer interval.'
    : `The recording could not be analysed, because of an error of Hotspan: ${error.message}`;
}
