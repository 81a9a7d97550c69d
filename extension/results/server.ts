import * as vscode from 'vscode';
import type { Answer, Asked, QuestionName, QuestionRequest } from '../../language-server/recordings/questions.ts';
import * as requests from '../../protocol/requests.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { serverEndedTwice, serverGivenUp } from '../../words/editor/notifications.ts';
import { inLog, showFailure } from '../ui/failures.ts';
import { type ShownPaths, analysisOptions, displayOptions } from '../ui/settings.ts';
import type { AskOptions, Client, ClientOptions } from './client.ts';
import { nameOfDiff } from '../../protocol/diff.ts';

/** Stop restarting after this many crashes within this window (ms). */
const MAX_CRASHES = 5;
const endsWithin = 3 * 60_000;
/** How often a question is asked if the server crashes. */
const MAX_ATTEMPTS = 2;

/**
 * The language server. The first question starts it. If it crashes (the system may end a large process), another one
 * starts, gets its state, and answers the waiting questions.
 */
export class Server implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #shown: ShownPaths;
  readonly #startClient: StartClient;
  readonly #restarted = new vscode.EventEmitter<Restart>();
  /** A new server has started. It answers nothing until the listeners have restored its state. */
  readonly onDidRestart = this.#restarted.event;
  readonly #columnsChanged = new vscode.EventEmitter<void>();
  /** The visible part of lines in the editors has changed. */
  readonly onDidChangeColumns = this.#columnsChanged.event;
  readonly #memory = new ServerMemory();
  #life: Promise<Life> | undefined;
  /** Times of the last crashes, in ms since the epoch. */
  #ends: readonly number[] = [];
  #hadLife = false;
  #isDisposed = false;

  /** The client library takes 80 ms to load, so its bundle is loaded only with the first server. */
  constructor(
    context: vscode.ExtensionContext,
    log: vscode.LogOutputChannel,
    shown: ShownPaths,
    startClient: StartClient = async (options) => (await import('./client.ts')).startClient(options),
  ) {
    this.#context = context;
    this.#log = log;
    this.#shown = shown;
    this.#startClient = startClient;
  }

  get isStarted(): boolean {
    return this.#life !== undefined;
  }

  /** Starts the server and a thread of it ahead of time: the end of a run needs both at once. */
  prepare(running: requests.PrepareParams['running'] = null): void {
    this.#forgive();
    const failed = 'The language server could not be started ahead of time; it is tried again when it is needed.';
    this.ask(requests.prepareRequest, { running }).catch((error: unknown) => this.#log.warn(failed, error));
  }

  /** Rejects with a sentence for the person, or when the token is cancelled. */
  async ask<Params, Result>(
    request: requests.Request<Params, Result>,
    params: Params,
    options: AskOptions = {},
  ): Promise<Result> {
    if (isWish(request)) this.#forgive();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      if (this.#isGivenUp) throw new Error(serverGivenUp);
      const life = await this.#current().catch(() => null);
      if (life === null) continue;
      try {
        return await this.#askIn(life, request, params, options);
      } catch (error) {
        if (!life.hasEnded || options.token?.isCancellationRequested === true) throw error;
      }
    }
    throw new Error(this.#isGivenUp ? serverGivenUp : serverEndedTwice);
  }

  async about<Name extends QuestionName>(
    recording: string,
    name: Name,
    asked: Asked<Name>,
    options: AskOptions = {},
  ): Promise<Answer<Name>> {
    const request: QuestionRequest<Name> = { method: requests.questionMethod };
    return this.ask(request, { recording, name, asked }, options);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#restarted.dispose();
    this.#columnsChanged.dispose();
    const stopped = this.#life?.then(async ({ client }) => client.stop());
    if (stopped !== undefined) inLog(stopped, this.#log);
  }

  async #askIn<Params, Result>(
    life: Life,
    request: requests.Request<Params, Result>,
    params: Params,
    options: AskOptions,
  ): Promise<Result> {
    if (dependsOnState(request)) {
      await life.restored;
      await this.#memory.restoreFor(life.client, params);
    }
    const answer = await life.client.ask(request, params, options);
    this.#memory.keep(life.client, request, params, answer);
    return answer;
  }

  /** The running server. The first question starts it, and so does the next one after a failed start. */
  async #current(): Promise<Life> {
    this.#life ??= this.#start();
    return this.#life;
  }

  async #start(): Promise<Life> {
    const state = { hasEnded: false };
    const onDidEnd = (): void => {
      if (state.hasEnded) return;
      state.hasEnded = true;
      this.#ended();
    };
    try {
      const client = await this.#startClient({
        serverModule: this.#context.asAbsolutePath('dist/server.cjs'),
        log: this.#log,
        display: displayOptions(),
        isAnnotated: (uri) => this.#shown.has(uri),
        onDidChangeColumns: () => this.#columnsChanged.fire(),
        onDidEnd,
      });
      // A client that has ended restores nothing: reading results would bring a server back that was given up.
      const restored = this.#hadLife && !state.hasEnded ? this.#restore() : Promise.resolve();
      this.#hadLife = true;
      return {
        client,
        restored,
        get hasEnded() {
          return state.hasEnded;
        },
      };
    } catch (error) {
      this.#log.error('The language server could not be started.', error);
      onDidEnd();
      throw error;
    }
  }

  /** Restores a new server's state. Failures are logged. */
  async #restore(): Promise<void> {
    const restoring: Promise<unknown>[] = [];
    this.#restarted.fire({ waitUntil: (work) => void restoring.push(work) });
    for (const one of await Promise.allSettled(restoring))
      if (one.status === 'rejected') this.#log.warn(String(one.reason));
  }

  get #isGivenUp(): boolean {
    return this.#ends.length >= MAX_CRASHES;
  }

  #ended(): void {
    if (this.#isDisposed) return;
    const now = Date.now();
    this.#ends = [...this.#ends.filter((at) => now - at < endsWithin), now];
    this.#life = undefined;
    this.#log.error(`The language server ended by itself, ${this.#ends.length} of ${MAX_CRASHES} times.`);
    const startAgain = { label: 'Start Again', run: () => this.prepare() };
    if (this.#isGivenUp) showFailure(serverGivenUp, this.#log, startAgain);
    else this.#current().catch((error: unknown) => this.#log.warn(String(error)));
  }

  #forgive(): void {
    if (this.#isGivenUp) this.#ends = [];
  }
}

type StartClient = (options: ClientOptions) => Promise<Client>;

export interface Restart {
  /** The new server gets no other question until this work is done. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** One process of the server. */
interface Life {
  readonly client: Client;
  /** Resolves when the state of the one before is restored. */
  readonly restored: Promise<void>;
  readonly hasEnded: boolean;
}

type AnyRequest = Pick<requests.Request<unknown, unknown>, 'method'>;

/** Requests of the person to read something: they start a server even after too many crashes. */
function isWish({ method }: AnyRequest): boolean {
  return method === requests.openRequest.method || method === requests.openDiffRequest.method;
}

/** Whether the answer depends on the server's state. */
function dependsOnState(request: AnyRequest): boolean {
  const others = [requests.forgetRequest, requests.configureRequest, requests.prepareRequest];
  return !isWish(request) && others.every(({ method }) => method !== request.method);
}

/** Something that was read for its flamegraph, and can be read again. */
interface Opened {
  readonly read: (client: Client) => Promise<unknown>;
  client: Client;
  done: Promise<unknown>;
}

/** The recordings that a new server has to open. `Results` restores those on screen. */
class ServerMemory {
  /** By name, least recently opened first. */
  readonly #opened = new Map<string, Opened>();

  /** Remembers a request that changed the server's state. */
  keep<Params, Result>(
    client: Client,
    { method }: requests.Request<Params, Result>,
    params: Params,
    answer: Result,
  ): void {
    if (!isRecord(answer) || answer['type'] !== 'opened') return;
    if (method === requests.openRequest.method && isOpening(params)) {
      const quietly = { ...params, shownAs: null };
      this.#keepOpened(params.recording, client, async (other) => other.ask(requests.openRequest, quietly, {}));
    }
    if (method === requests.openDiffRequest.method && isDiffOpening(params))
      this.#keepOpened(nameOfDiff(params), client, async (other) => other.ask(requests.openDiffRequest, params, {}));
  }

  /** Has this server read the question's recording, if only an earlier server did. */
  async restoreFor(client: Client, params: unknown): Promise<void> {
    const opened = isAboutRecording(params) ? this.#opened.get(params.recording) : undefined;
    if (opened === undefined) return;
    if (opened.client !== client) {
      opened.client = client;
      opened.done = opened.read(client);
    }
    await opened.done;
  }

  #keepOpened(name: string, client: Client, read: Opened['read']): void {
    this.#opened.delete(name);
    this.#opened.set(name, { read, client, done: Promise.resolve() });
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > MAX_OPENED && oldest !== undefined) this.#opened.delete(oldest);
  }
}

const MAX_OPENED = 8;

function isAboutRecording(params: unknown): params is { readonly recording: string } {
  return isRecord(params) && typeof params['recording'] === 'string';
}

function isOpening(params: unknown): params is requests.OpenParams {
  return isAboutRecording(params) && 'shownAs' in params;
}

function isDiffOpening(params: unknown): params is requests.OpenDiffParams {
  return isRecord(params) && 'base' in params && 'head' in params;
}

/** A reading that is shorter has no message: one that is gone at once says nothing, and VS Code hides the fourth in 800 ms. */
const NOTICE_MS = 500;

/**
 * Has the server read a recording, with progress in the status bar, and where it takes long in a message that can cancel
 * it. `isQuiet`: without that message. Null where it is cancelled.
 */
export async function readRecording(
  server: Server,
  asked: Pick<requests.OpenParams, 'recording' | 'more' | 'shownAs'>,
  owner: vscode.CancellationToken,
  isQuiet = false,
): Promise<requests.OpenAnswer | null> {
  const source = new vscode.CancellationTokenSource();
  const { token } = source;
  const said = new SaidProgress();
  const options: AskOptions = { token, onProgress: (progress) => said.say(progress) };
  if (owner.isCancellationRequested) source.cancel();
  const listening = owner.onCancellationRequested(() => source.cancel());
  const reading = Promise.resolve(server.ask(requests.openRequest, { ...asked, options: analysisOptions() }, options));
  const ended = reading.catch(() => undefined);
  const show = (location: vscode.ProgressLocation, cancellable: boolean): void => {
    const title = 'Hotspan: reading the recording';
    void vscode.window.withProgress({ location, title, cancellable }, async (progress, cancel) => {
      const cancelling = cancel.onCancellationRequested(() => source.cancel());
      said.to(progress);
      await ended;
      cancelling.dispose();
    });
  };
  show(vscode.ProgressLocation.Window, false);
  const notice = isQuiet ? undefined : setTimeout(() => show(vscode.ProgressLocation.Notification, true), NOTICE_MS);
  try {
    const answer = await reading;
    // The person may cancel too late: then it is on screen in the server.
    const isWanted = !(answer.type === 'opened' ? owner : token).isCancellationRequested;
    return isWanted ? answer : null;
  } catch (error) {
    if (token.isCancellationRequested) return null;
    throw error;
  } finally {
    clearTimeout(notice);
    vscode.Disposable.from(source, listening).dispose();
  }
}

type Told = Parameters<NonNullable<AskOptions['onProgress']>>[0];

/** Progress that is shown in several places, also in one that comes later. */
class SaidProgress {
  readonly #places: ((told: Told) => void)[] = [];
  #last: Told | null = null;

  say(told: Told): void {
    this.#last = told;
    for (const place of this.#places) place(told);
  }

  /** Reports increments, because VS Code adds up what it gets. */
  to(progress: vscode.Progress<{ message: string; increment: number }>): void {
    let shown = 0;
    const place = ({ message, percentage }: Told): void => {
      progress.report({ message, increment: percentage - shown });
      shown = percentage;
    };
    this.#places.push(place);
    if (this.#last !== null) place(this.#last);
  }
}
