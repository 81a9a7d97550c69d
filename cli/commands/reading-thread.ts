import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
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
  #isBusy = false;
  #nextMs = 0;
  readonly #hasIdleProcessor: (ms: number) => boolean;

  /** `folder` is that of Hotspan's bundles. */
  constructor(folder: string, cwd: string, hasIdleProcessor = createIdleCheck()) {
    this.#file = path.join(folder, 'thread.cjs');
    this.#cwd = cwd;
    this.#hasIdleProcessor = hasIdleProcessor;
  }

  /** Reads ahead, and again each time the run has become twice as long. */
  look(directory: string): void {
    const ms = process.uptime() * 1000;
    if (this.#isBusy || ms < this.#nextMs || !this.#hasIdleProcessor(ms)) return;
    this.#nextMs = ms * 2;
    this.#isBusy = true;
    this.#worker ??= this.#start();
    this.#ask({ type: 'readAhead', directory, cwd: this.#cwd });
  }

  /** Prints the table. Null where the thread has not read anything, still does, or fails. */
  async list(directory: string, { write, isTerminal, columns }: Output): Promise<Found | null> {
    const worker = this.#worker;
    if (worker === null || this.#isBusy) {
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
      if (type === 'done') this.#isBusy = false;
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

/** Gives whether nearly a whole CPU was idle for a second or more, up to the time of the question. */
function createIdleCheck(): (ms: number) => boolean {
  let before = { ms: 0, idleMs: 0 };
  return (ms) => {
    const last = before;
    // Where this process may not use all CPUs, their idle time is not its own.
    if (ms - last.ms < SECOND_MS || os.availableParallelism() < os.cpus().length) return false;
    const idleMs = os.cpus().reduce((sum, { times }) => sum + times.idle, 0);
    before = { ms, idleMs };
    return last.ms > 0 && ms - last.ms < 3 * SECOND_MS && idleMs - last.idleMs > IDLE * (ms - last.ms);
  };
}

const SECOND_MS = 1000;
const IDLE = 0.8;
