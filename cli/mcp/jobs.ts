import { type Failure, messageOf } from '../../protocol/failure.ts';
import type { ChildProcess } from 'node:child_process';
import { type Answer, data, dataNote } from '../../agents/tools.ts';
import type { OwnCommandLine, EndedCommandLine } from '../../recorder/launch/run/own-command-line.ts';
import { interrupt, onSentence, resultOf, startCommandLine } from '../../recorder/launch/run/own-command-line.ts';
import { clientGone } from './project.ts';

/** A command line that runs, or has run since the last answer. */
interface Job {
  /** `recheck src/cart.ts:12`. */
  readonly name: string;
  readonly child: ChildProcess;
  /** The last sentence; `''` before the first. */
  said: string;
  /** `2 of 5`; null before the first. */
  pairs: string | null;
  /** Get each sentence from now on. */
  readonly listeners: Set<(sentence: string) => void>;
  /** Ends it so that it keeps what it has, once; null where it has to be interrupted. */
  stop: (() => Promise<void>) | null;
  /** Its answer; never rejects. */
  readonly answer: Promise<JobAnswer>;
}

/** What a job has found, or why it has found nothing. */
export type JobAnswer = { readonly type: 'done'; readonly answer: object } | Failure;

/** The answer of a job that goes on. */
interface Running extends Answer {
  readonly job: string;
  /** `2 of 5`; absent before the first. */
  readonly pairs?: string;
  readonly said: string;
}

/**
 * Command lines, one at a time, for clients that give up a call after a minute: an answer comes in time, and `wait` asks
 * for the rest.
 */
export class Jobs {
  readonly #timeUp: (signal: AbortSignal) => Promise<void>;
  #job: Job | null = null;
  /** Settles when the job that is about to begin runs, or does not. */
  #starting: Promise<unknown> | null = null;
  #isOver = false;

  /** `timeUp` resolves when a call must be answered; it is aborted where the job ends before. */
  constructor(timeUp: (signal: AbortSignal) => Promise<void>) {
    this.#timeUp = timeUp;
  }

  /** What runs, `recheck src/cart.ts:12`; null for nothing. */
  get running(): string | null {
    return this.#job?.name ?? null;
  }

  /**
   * Has `start` begin a job, unless one runs, waits to be asked for, or is about to begin: a client may call twice at once.
   * Gives why there is none, as a sentence; else null.
   */
  async startOne(start: () => Promise<string | null>): Promise<string | null> {
    if (this.#starting !== null || this.#job !== null)
      return `${this.running ?? 'Another one'} runs, or its answer waits: call job first.`;
    const starting = start();
    this.#starting = starting.catch(() => undefined);
    try {
      return await starting;
    } finally {
      this.#starting = null;
    }
  }

  /**
   * Starts a job; `read` makes its answer. Only in `startOne`. `stop`: a gentler end than an interrupt. Throws where the
   * client has gone meanwhile: nothing would end the job.
   */
  start(
    name: string,
    run: OwnCommandLine,
    read: (ended: EndedCommandLine) => Promise<JobAnswer>,
    stop: (() => Promise<void>) | null = null,
  ): void {
    if (this.#isOver) throw new Error(clientGone);
    const child = startCommandLine(run);
    const answer = resultOf(child)
      .then(async (result) => read({ ...result, said: job.said }))
      .catch((error: unknown): JobAnswer => ({ type: 'failed', message: messageOf(error) }));
    const job: Job = { name, child, said: '', pairs: null, listeners: new Set(), stop, answer };
    onSentence(child, (sentence, isOurs) => {
      if (!isOurs) return;
      job.said = sentence;
      job.pairs = /\d+ of (?:at least )?\d+/.exec(sentence)?.[0] ?? job.pairs;
      for (const listen of job.listeners) listen(sentence);
    });
    this.#job = job;
  }

  /** The answer of the job, or how far it is. `signal`: the client has cancelled the call, which ends the job. */
  async wait(signal: AbortSignal, onSaid: (sentence: string) => void): Promise<JobAnswer> {
    await this.#starting;
    const job = this.#job;
    if (job === null) return { type: 'failed', message: 'No job runs: recheck, compare and profile start one.' };
    const inTime = new AbortController();
    const stop = (): void => void this.#stop();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    job.listeners.add(onSaid);
    try {
      const late = this.#timeUp(inTime.signal).then(() => null);
      const answer = await Promise.race([job.answer, late]);
      if (answer === null) return { type: 'done', answer: runningAnswer(job) };
      this.#job = null;
      return answer;
    } finally {
      inTime.abort();
      job.listeners.delete(onSaid);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends the job with all that it has started. One that keeps what it has answers with that. */
  async cancel(signal: AbortSignal, onSaid: (sentence: string) => void): Promise<JobAnswer> {
    await this.#starting;
    const job = this.#job;
    if (job === null) return { type: 'failed', message: 'No job runs.' };
    if (await this.#stop()) return this.wait(signal, onSaid);
    await job.answer;
    this.#job = null;
    const stopped = { job: data(job.name), said: 'It was stopped.', data: dataNote, next: 'status' };
    return { type: 'done', answer: stopped };
  }

  /** The client has gone: no job goes on, and none that is about to begin does. */
  async end(): Promise<void> {
    this.#isOver = true;
    const job = this.#job;
    if (job === null) return;
    const inTime = new AbortController();
    await this.#stop();
    await Promise.race([job.answer, this.#timeUp(inTime.signal)]);
    inTime.abort();
    interrupt(job.child);
    await job.answer;
  }

  /** Has the job keep what it has, and end; true. One that cannot, or was asked before, is interrupted; false. */
  async #stop(): Promise<boolean> {
    const job = this.#job;
    if (job === null) return false;
    const { stop, child } = job;
    job.stop = null;
    const isAsked = stop !== null && (await succeeds(stop()));
    if (isAsked) child.once('exit', () => interrupt(child)); // A process that it leaves would keep the answer waiting.
    else interrupt(child);
    return isAsked;
  }
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

function runningAnswer({ name, said, pairs }: Job): Running {
  return {
    job: data(name),
    ...(pairs === null ? {} : { pairs }),
    said: data(said === '' ? 'It has begun.' : said, 200),
    data: dataNote,
    next: 'job: it waits for the answer',
  };
}
