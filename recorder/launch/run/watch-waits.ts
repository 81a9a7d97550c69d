import { closeSync, openSync, readSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { appending } from '../../../recordings/private-files.ts';
import { waitsSuffix } from '../../../protocol/recording.ts';
import { type EventNews, openEventNews } from '../../../recordings/event-log.ts';
import type { RecordingEvent, WaitLine } from '../../../protocol/recording-lines.ts';

/**
 * Runs a command, and notes meanwhile how long each recorded thread has waited for a processor so far: a program that computes
 * cannot be asked meanwhile, and where in a long turn it waited is known to nobody else. From outside, since a thread of our
 * own in the program would cost it. Nothing happens but on Linux, whose scheduler counts that.
 * Measured, beside 8 spinning processes on 2 processors: 1.1 ms between two readings in nine of ten, 0.7 % of a processor.
 */
export async function watchingWaits<Result>(directory: string, run: () => Promise<Result>): Promise<Result> {
  if (process.platform !== 'linux') return run();
  const stop = watch(new WatchedThreads(directory));
  try {
    return await run();
  } finally {
    await stop();
  }
}

function watch(threads: WatchedThreads): () => Promise<void> {
  const state = { isOver: false, lookedAt: -Infinity, wroteAt: 0, timer: setTimeout(() => {}, 0) };
  const turn = (): void => {
    const now = performance.now();
    if (now - state.lookedAt >= looking) {
      state.lookedAt = now;
      threads.look();
    }
    if (now - state.wroteAt >= writing) {
      state.wroteAt = now;
      void threads.write();
    }
    const pause = threads.read();
    if (!state.isOver) state.timer = setTimeout(turn, pause);
  };
  turn();
  return async () => {
    state.isOver = true;
    clearTimeout(state.timer);
    threads.close();
    await threads.write();
  };
}

/**
 * Time in ms between two looks for new threads, between two writes, and between two readings where nobody waits for a
 * processor.
 */
const looking = 50;
const writing = 250;
const resting = 10;
/** Pause between two readings, in ms for each thread that is read: reading one takes a few µs. */
const share = 0.25;
/** At a time: descriptors are few. */
const mostThreads = 256;

/** The threads of all processes of the run. */
class WatchedThreads {
  private readonly directory: string;
  private readonly news: EventNews;
  private readonly threads = new Map<string, WatchedThread>();
  private writing = Promise.resolve();

  constructor(directory: string) {
    this.directory = directory;
    this.news = openEventNews(directory);
  }

  /** Looks for new threads, and for those that are recorded no longer. */
  look(): void {
    for (const event of this.news.read()) {
      if (event.type === 'start' && event.tid !== undefined && this.open().length < mostThreads)
        this.threads.set(event.isolate, new WatchedThread(event.pid, event.tid));
      if ('isolate' in event && isLast(event)) this.threads.get(event.isolate)?.close();
    }
  }

  /** Answers when to read again, in ms. */
  read(): number {
    const open = this.open();
    const isBusy = open.map((thread) => thread.read()).includes(true);
    return isBusy ? Math.max(1, open.length * share) : resting;
  }

  /** One write after the other: lines of one file stand in the order of time. */
  async write(): Promise<void> {
    const texts = [...this.threads].map(([isolate, thread]) => [isolate, thread.take()] as const);
    for (const [isolate, thread] of this.threads) if (!thread.isOpen()) this.threads.delete(isolate);
    const before = this.writing;
    this.writing = this.append(texts, before);
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
      // A full disk is told of by the program's own recorder.
      if (text !== '') await appendFile(file, text, appending).catch(() => {});
    }
  }
}

/** Nothing of the thread is recorded from here on. */
function isLast({ type }: RecordingEvent): boolean {
  return type === 'end' || type === 'full' || type === 'lost' || type === 'leaves';
}

class WatchedThread {
  private descriptor: number;
  private lines = '';
  /** At the last reading, in µs. */
  private time = 0;
  private wait = -1;
  private busyUntil = 0;

  constructor(pid: number, tid: number) {
    this.descriptor = opened(`/proc/${pid}/task/${tid}/schedstat`);
  }

  isOpen(): boolean {
    return this.descriptor >= 0;
  }

  /** Answers whether it has waited for long lately. */
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

  /** Its last line says up to when its last count held. */
  close(): void {
    if (this.descriptor < 0) return;
    if (this.wait >= 0) this.lines += `${JSON.stringify([this.time, this.time, this.wait] satisfies WaitLine)}\n`;
    closeSync(this.descriptor);
    this.descriptor = -1;
  }

  /** Wait of a thread in µs; −1 where it has ended, or nobody counts. */
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
/** Wait in µs between two readings from which on the machine counts as busy, for some time. */
const noticed = 500;
const lately = 300_000;

function opened(file: string): number {
  try {
    return openSync(file, 'r');
  } catch {
    return -1; // It has ended, or is of another user.
  }
}
