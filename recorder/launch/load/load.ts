import { failed, type Failure, messageOf } from '../../../protocol/failure.ts';
import type { Socket } from 'node:net';
import autocannon from 'autocannon';
import type { AnswerFigures, LoadFigures } from '../../../protocol/recording.ts';
import { type Microseconds, microseconds, milliseconds } from '../../../protocol/units.ts';
import { filledIn, isDynamic } from './placeholders.ts';
import { originOf, type PlannedRequest, type RequestPlan } from './request-plan.ts';

export type LoadOutcome =
  | { readonly type: 'done'; readonly figures: LoadFigures }
  /** One sentence. */
  | Failure;

/** How far the sending is. */
export interface LoadProgress {
  readonly isWarmUp: boolean;
  /** From 0 to 1. */
  readonly done: number;
  /** Answers so far. */
  readonly requests: number;
  /** Since the last progress; `p99Us` is null without an answer in it. */
  readonly requestsPerSecond: number;
  readonly p99Us: Microseconds | null;
}

export interface LoadWatch {
  /** Ends the load: the server has ended, or the user wants no more. What was answered before counts. */
  readonly isOver: AbortSignal;
  /** Called twice a second. */
  readonly onProgress?: (progress: LoadProgress) => void;
}

/** Sends all requests by autocannon, after the warm-up; fails when none is answered. */
export async function sendLoad(plan: RequestPlan, { isOver, onProgress }: LoadWatch): Promise<LoadOutcome> {
  const [origin = '', other] = new Set(plan.requests.map(({ url }) => originOf(url)));
  if (other !== undefined)
    return failed(`The requests go to ${origin} and ${other}: one server can be measured at a time.`);
  const { warmUpS } = plan;
  const warmUp = warmUpS > 0 ? { ...plan, amount: null, durationS: warmUpS } : null;
  const reason = warmUp === null ? null : await send(warmUp, new Answers(warmUp, onProgress, true), isOver);
  const answers = new Answers(plan, onProgress, false);
  const error = reason ?? (isOver.aborted ? null : await send(plan, answers, isOver));
  if (error !== null) return failed(`The load could not be sent to ${origin}: ${error}.`);
  if (answers.count === 0) return failed(`No request to ${origin} was answered${answers.whyNone()}.`);
  return { type: 'done', figures: answers.figures() };
}

/** Gives the reason where nothing can be sent. */
async function send(plan: RequestPlan, answers: Answers, isOver: AbortSignal): Promise<string | null> {
  const { requests, amount, durationS } = plan;
  // Below one request a connection autocannon refuses to start.
  const connections = Math.min(plan.connections, amount ?? Infinity);
  const built = requests.map(asSent);
  let started = 0;
  const options: autocannon.Options = {
    ...{ url: originOf(requests[0]?.url ?? ''), connections },
    ...(amount === null ? { duration: durationS ?? 1 } : { amount }),
    ...(plan.rate === null ? {} : { overallRate: plan.rate }),
    // How often autocannon checks whether it is done, in ms.
    sampleInt: 100,
    setupClient: (client) => answers.watch(client, started++, built),
  };
  try {
    return await new Promise<string | null>((resolve) => {
      const run = autocannon(options, (error: Error | null) => resolve(error === null ? null : error.message));
      isOver.addEventListener('abort', () => run.stop(), { once: true });
    });
  } catch (error) {
    return messageOf(error);
  } finally {
    answers.end();
  }
}

/** A request as autocannon wants it, which builds it once, or at each sending where it has placeholders. */
function asSent(request: PlannedRequest): autocannon.Request {
  const { method } = request;
  return isDynamic(request)
    ? { method, setupRequest: (sent) => ({ ...sent, ...partsOf(filledIn(request)) }) }
    : { method, ...partsOf(request) };
}

function partsOf({ url, headers, body }: PlannedRequest) {
  const { pathname, search } = new URL(url);
  return { path: pathname + search, headers: { ...headers }, ...(body === null ? {} : { body }) };
}

// What its types leave out of the client, which sends one request at a time.
declare module 'autocannon' {
  interface Client {
    /** Undefined before the first connection. */
    readonly conn?: Socket;
    readonly destroyed: boolean;
    readonly parser: {
      readonly type: string;
      readonly info: { readonly statusCode?: number; readonly shouldKeepAlive?: boolean };
      nextRequest: () => void;
      readonly reinitialize: (type: string) => void;
      readonly finish: () => void;
    };
    readonly reqsMade: number;
    /** 0 or undefined: no limit. */
    readonly responseMax?: number;
    readonly _connect: () => void;
    readonly _doRequest: () => void;
    readonly _destroyConnection: () => void;
  }
}

/**
 * Corrects the client where the server closes connections or sends 1xx, and calls `onLost` for each request without an
 * answer. By itself the client sends the next request on the closing connection, measures later answers from the start of
 * the lost request, takes a 1xx for the answer, and never sees the end of a body that ends with the connection.
 */
function followConnections(client: autocannon.Client, onLost: (isTimeout: boolean) => void): void {
  const { parser, _connect: connect, _doRequest: ask } = client;
  const { nextRequest } = parser;
  let isPending = false;
  const emitter: NodeJS.EventEmitter = client;
  emitter.on('request', () => (isPending = true));
  emitter.on('response', () => (isPending = false));
  const lose = (isTimeout: boolean): void => {
    if (isPending) onLost(isTimeout);
    isPending = false;
  };
  emitter.on('connError', () => lose(false));
  Object.assign(client, {
    _doRequest: () => {
      const { reqsMade, responseMax = 0 } = client;
      const isLast = responseMax > 0 && reqsMade >= responseMax;
      if (parser.info.shouldKeepAlive === false && !isLast) client.conn?.end();
      else ask.call(client);
    },
    // Called for the first connection, and after each end, error or timeout of one.
    _connect: () => {
      const isClosed = client.conn?.readableEnded === true;
      if (isClosed) parser.finish();
      if (client.destroyed) return;
      lose(!isClosed);
      if (client.conn !== undefined) client._destroyConnection();
      parser.reinitialize(parser.type);
      connect.call(client);
    },
  });
  parser.nextRequest = () => {
    const { statusCode = 0 } = parser.info;
    if (statusCode < 200 && statusCode !== 101) parser.reinitialize(parser.type);
    else nextRequest.call(parser);
  };
}

/** Collects the answers. Autocannon's own histogram has only whole ms and counts idle time at the end. */
class Answers {
  readonly #plan: RequestPlan;
  readonly #start = performance.now();
  readonly #byRequest: readonly RequestAnswers[];
  readonly #progress: NodeJS.Timeout | undefined;
  readonly #isWatched: boolean;
  #end = this.#start;
  #bytes = 0;
  #timeouts = 0;
  /** Latencies since the last progress, in ms. */
  #recent: number[] = [];

  constructor(plan: RequestPlan, onProgress: LoadWatch['onProgress'], isWarmUp: boolean) {
    this.#plan = plan;
    this.#byRequest = plan.requests.map(() => new RequestAnswers());
    this.#isWatched = onProgress !== undefined;
    if (onProgress !== undefined) this.#progress = setInterval(() => onProgress(this.#read(isWarmUp)), PROGRESS_MS);
  }

  get count(): number {
    return this.#byRequest.reduce((sum, { latencies }) => sum + latencies.length, 0);
  }

  get errors(): number {
    return this.#byRequest.reduce((sum, { errors }) => sum + errors, 0);
  }

  /** Why nothing was answered; continues a sentence. */
  whyNone(): string {
    const { errors } = this;
    if (errors === 0) return ' before the end of the load: let it go on for longer, as by --duration 60s or -d 60';
    if (errors === this.#timeouts) return `: ${errors} took longer than 10 s`;
    return `: ${errors} failed, as nothing listens there, or it closes the connections`;
  }

  /** Lets a connection begin with the request of its number, so that a few requests over many connections are all sent. */
  watch(client: autocannon.Client, number: number, requests: readonly autocannon.Request[]): void {
    const first = number % requests.length;
    client.setRequests([...requests.slice(first), ...requests.slice(0, first)].map((one) => ({ ...one })));
    let sent = first - 1;
    const requestAt = (index: number): RequestAnswers | undefined =>
      this.#byRequest[(index + requests.length) % requests.length];
    // The types of autocannon have only some of its events.
    const emitter: NodeJS.EventEmitter = client;
    emitter.on('request', () => sent++);
    emitter.on('response', (status: number, bytes: number, ms: number) => {
      requestAt(sent)?.add(status, ms);
      if (this.#isWatched) this.#recent.push(ms);
      this.#end = performance.now();
      this.#bytes += bytes;
    });
    followConnections(client, (isTimeout) => {
      requestAt(sent)?.fail();
      if (isTimeout) this.#timeouts += 1;
    });
  }

  /** No more progress. */
  end(): void {
    clearInterval(this.#progress);
  }

  #read(isWarmUp: boolean): LoadProgress {
    const { amount, durationS } = this.#plan;
    const sorted = this.#recent.toSorted((a, b) => a - b);
    this.#recent = [];
    const elapsedS = (performance.now() - this.#start) / 1000;
    const done = amount === null ? elapsedS / (durationS ?? 1) : (this.count + this.errors) / amount;
    return {
      ...{ isWarmUp, done: Math.min(1, done), requests: this.count },
      requestsPerSecond: Math.round((sorted.length * 1000) / PROGRESS_MS),
      p99Us: sorted.length === 0 ? null : percentile(sorted, 0.99),
    };
  }

  figures(): LoadFigures {
    const all = this.#byRequest.flatMap(({ latencies }) => latencies).toSorted((a, b) => a - b);
    const seconds = Math.max(this.#end - this.#start, 1) / 1000;
    const sum = all.reduce((total, ms) => total + ms, 0);
    const byRequest = this.#byRequest.map((one) => one.figures());
    return {
      ...{ requests: all.length, errors: this.errors, timeouts: this.#timeouts, byRequest },
      refused: byRequest.reduce((total, { refused }) => total + refused, 0),
      durationUs: milliseconds(Math.round(seconds * 1000)),
      requestsPerSecond: Math.round((all.length / seconds) * 10) / 10,
      bytesPerSecond: Math.round(this.#bytes / seconds),
      latencyUs: {
        mean: inUs(sum / all.length),
        p90: percentile(all, 0.9),
        max: percentile(all, 1),
        ...latencyOf(all),
      },
    };
  }
}

const PROGRESS_MS = 500;

/** The answers to one request of the plan. */
class RequestAnswers {
  readonly latencies: number[] = [];
  errors = 0;
  #refused = 0;

  add(status: number, ms: number): void {
    this.latencies.push(ms);
    if (status >= 400) this.#refused += 1;
  }

  fail(): void {
    this.errors += 1;
  }

  figures(): AnswerFigures {
    const sorted = this.latencies.toSorted((a, b) => a - b);
    return { requests: sorted.length, errors: this.errors, refused: this.#refused, latencyUs: latencyOf(sorted) };
  }
}

function latencyOf(sorted: readonly number[]): AnswerFigures['latencyUs'] {
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

/** Of ascending ms; 0 where there are none. */
function percentile(sorted: readonly number[], share: number): Microseconds {
  return inUs(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
}

function inUs(ms: number): Microseconds {
  return microseconds(Math.round(ms * 1000));
}
