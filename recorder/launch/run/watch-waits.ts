import { close, closeSync, open, openSync, readSync, writeFile } from 'node:fs';
import { appending } from '../../../recordings/private-files.ts';
import type { WaitLine } from '../../../protocol/recording-lines.ts';
import { waitsSuffix } from '../../../protocol/recording.ts';
import { type EventLog, openEventNews } from '../../../recordings/run-processes.ts';
import path from 'node:path';

/**
 * Runs a command, and meanwhile notes how long each recorded thread has waited for a CPU so far: this shows where in a
 * long turn it waited, while it cannot read that itself. A further thread in the program would cost the program time.
 * Only on Linux, whose scheduler counts the waits.
 *
 * Measured beside 8 spinning processes on 2 CPUs: in nine of ten cases 1.1 ms between two readings, and 0.7 % of a CPU.
 *
 * Calls `onCalm` over and over while no recorded thread has waited lately.
 */
export async function watchingWaits<Result>(
  directory: string,
  run: () => Promise<Result>,
  onCalm = (): void => {},
): Promise<Result> {
  if (process.platform !== 'linux') return run();
  const stop = watch(new WatchedThreads(directory), onCalm);
  try {
    return await run();
  } finally {
    await stop();
  }
}

function watch(threads: WatchedThreads, onCalm: () => void): () => Promise<void> {
  const state = { isOver: false, lookedAt: -Infinity, wroteAt: 0, timer: setTimeout(() => {}, 0) };
  const turn = (): void => {
    const now = process.uptime() * 1000;
    const isBusy = threads.read();
    if (now - state.lookedAt >= looking) {
      state.lookedAt = now;
      threads.look();
      if (!isBusy) onCalm();
    }
    if (now - state.wroteAt >= writing) {
      state.wroteAt = now;
      void threads.write();
    }
    if (!state.isOver) state.timer = setTimeout(turn, isBusy ? threads.pause() : resting);
  };
  turn();
  return async () => {
    state.isOver = true;
    clearTimeout(state.timer);
    threads.close();
    await threads.write();
  };
}

/** In ms: between two searches for threads, between two writes, and between two readings without waits. */
const looking = 50;
const writing = 250;
const resting = 10;
/** Pause between two readings, in ms for each open thread: reading one takes a few µs. */
const share = 0.25;
/** Limit for the file descriptors. */
const MAX_THREADS = 256;

/** The threads of all processes of the run. */
class WatchedThreads {
  private readonly directory: string;
  private readonly news: EventLog;
  private readonly threads = new Map<string, WatchedThread>();
  private writing = Promise.resolve();

  constructor(directory: string) {
    this.directory = directory;
    this.news = openEventNews(directory);
  }

  /** Finds new threads, and closes those that are no longer recorded. */
  look(): void {
    for (const event of this.news.read()) {
      if (event.type === 'start' && event.tid !== undefined && this.open().length < MAX_THREADS)
        this.threads.set(event.isolate, new WatchedThread(event.pid, event.tid));
      if ('isolate' in event && /^(end|full|lost|leaves)$/.test(event.type)) this.threads.get(event.isolate)?.close();
    }
  }

  /** Reads all threads. Returns whether one has waited for long lately. */
  read(): boolean {
    const open = this.open();
    return open.map((thread) => thread.read()).includes(true);
  }

  /** When to read again while threads wait, in ms. */
  pause(): number {
    return Math.max(1, this.open().length * share);
  }

  /** Writes wait for each other, so that the lines of a file are in the order of time. */
  async write(): Promise<void> {
    const texts = [...this.threads].map(([isolate, thread]) => [isolate, thread.take()] as const);
    for (const [isolate, thread] of this.threads) if (!thread.isOpen()) this.threads.delete(isolate);
    this.writing = this.append(texts, this.writing);
    return this.writing;
  }

  close(): void {
    for (const thread of this.threads.values()) thread.close();
  }

  private open(): readonly WatchedThread[] {
    return [...this.threads.values()].filter((thread) => thread.isOpen());
  }

  private async append(
    texts: readonly (readonly [isolate: string, text: string])[],
    before: Promise<void>,
  ): Promise<void> {
    await before;
    for (const [isolate, text] of texts) {
      const file = path.join(this.directory, `${isolate}${waitsSuffix}`);
      if (text !== '') await appended(file, text).catch(() => {}); // No file can have this name.
    }
  }
}

/** Appends in another thread, as the disk may be slow. The recorder in the program reports a full disk. */
async function appended(file: string, text: string): Promise<void> {
  return new Promise((resolve) => {
    open(file, appending.flag, appending.mode, (error, descriptor) => {
      if (error === null) writeFile(descriptor, text, () => close(descriptor, () => resolve()));
      else resolve();
    });
  });
}

class WatchedThread {
  private descriptor: number;
  private lines = '';
  /** The time of the last reading, and the wait up to then (−1 before the first), in µs. */
  private time = 0;
  private wait = -1;
  private busyUntil = 0;

  constructor(pid: number, tid: number) {
    this.descriptor = opened(`/proc/${pid}/task/${tid}/schedstat`);
  }

  isOpen(): boolean {
    return this.descriptor >= 0;
  }

  /** Reads how long the thread has waited so far. Returns whether it has waited for long lately. */
  read(): boolean {
    const wait = this.waitNow();
    const time = Number(process.hrtime.bigint() / 1000n);
    if (wait < 0) {
      this.close();
      return false;
    }
    if (wait !== this.wait) {
      if (wait - this.wait > noticed) this.busyUntil = time + lately;
      this.lines += `${JSON.stringify([this.time, time, wait] satisfies WaitLine)}\n`;
      this.wait = wait;
    }
    this.time = time;
    return time < this.busyUntil;
  }

  take(): string {
    const { lines } = this;
    this.lines = '';
    return lines;
  }

  /** Stops reading. The last line says until when the last count was right. */
  close(): void {
    if (this.descriptor < 0) return;
    if (this.wait >= 0) this.lines += `${JSON.stringify([this.time, this.time, this.wait] satisfies WaitLine)}\n`;
    closeSync(this.descriptor);
    this.descriptor = -1;
  }

  /** How long the thread has waited so far, in µs; −1 where it has ended, or the kernel does not count waits. */
  private waitNow(): number {
    try {
      const length = readSync(this.descriptor, bytes, 0, bytes.length, 0);
      const [, wait = '', times = '0'] = bytes.toString('latin1', 0, length).split(' ');
      return Number(times) > 0 ? Math.round(Number(wait) / 1000) : -1;
    } catch {
      return -1;
    }
  }
}

const bytes = Buffer.alloc(96);
/** A wait in µs between two readings from which the machine counts as busy, and for how long, in µs. */
const noticed = 500;
const lately = 300_000;

function opened(file: string): number {
  try {
    return openSync(file, 'r');
  } catch {
    return -1; // The thread has ended, or belongs to another user.
  }
}
