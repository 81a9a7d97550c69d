import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { TimesToRead } from '../../recordings/run-processes.ts';
import type { Output } from '../views/terminal.ts';
import type { Found } from './analyze.ts';

/** What the thread is asked, and what it says (`cli/thread.ts`). */
export type ToThread =
  | { readonly type: 'readAhead'; readonly directory: string; readonly cwd: string }
  | {
      readonly type: 'list';
      readonly directory: string;
      readonly cwd: string;
      /** Those of the terminal; a thread has none of its own. */
      readonly isTerminal: boolean;
      readonly columns: number;
    };
export type FromThread =
  | { readonly type: 'done' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'listed'; readonly found: Found };

/**
 * Reads a recording while its command runs, in a thread that makes the table at the end: most of what that takes is to
 * compile code, to index sources for the first time, and to decode files that were whole. It works only while a CPU is
 * idle, and at most for as long as two tables take.
 */
export class ReadingThread {
  readonly #file: string;
  readonly #cwd: string;
  #worker: Worker | null = null;
  readonly #times: TimesToRead;

  /** `folder` is that of Hotspan's bundles. */
  constructor(folder: string, cwd: string, hasIdleProcessor?: (ms: number) => boolean) {
    this.#file = path.join(folder, 'thread.cjs');
    this.#cwd = cwd;
    this.#times = new TimesToRead(hasIdleProcessor);
  }

  /** Reads ahead where it is time to. */
  look(directory: string): void {
    if (!this.#times.isNow(process.uptime() * 1000)) return;
    this.#worker ??= this.#start();
    this.#ask({ type: 'readAhead', directory, cwd: this.#cwd });
  }

  /** Prints the table. Null where the thread has not read anything, still does, or fails. */
  async list(directory: string, { write, isTerminal, columns }: Output): Promise<Found | null> {
    const worker = this.#worker;
    if (worker === null || this.#times.isReading) {
      this.#stop();
      return null;
    }
    const found = new Promise<Found | null>((resolve) => {
      worker.on('message', (said: FromThread) => {
        if (said.type === 'text') write(said.text);
        if (said.type === 'listed') resolve(said.found);
      });
      worker.once('exit', () => resolve(null));
    });
    worker.ref(); // The command waits for its answer, after which the thread ends.
    this.#ask({ type: 'list', directory, cwd: this.#cwd, isTerminal, columns });
    return found;
  }

  #start(): Worker {
    const worker = new Worker(this.#file);
    worker.on('message', ({ type }: FromThread) => {
      if (type === 'done') this.#times.ended();
    });
    worker.once('error', () => this.#stop()); // The table is made without it.
    worker.unref(); // After the listener, which would keep the command alive.
    return worker;
  }

  #stop(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }

  #ask(asked: ToThread): void {
    this.#worker?.postMessage(asked);
  }
}
