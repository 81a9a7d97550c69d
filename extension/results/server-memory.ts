import {
  configureRequest,
  forgetRequest,
  type FunctionChange,
  type OfRecording,
  type OpenDiffParams,
  type OpenParams,
  openDiffRequest,
  openRequest,
  prepareRequest,
  type Request,
  showChangeRequest,
} from '../../protocol/requests.ts';
import { nameOfDiff } from '../../protocol/diff.ts';
import type { Client } from './client.ts';

type AnyRequest = Pick<Request<unknown, unknown>, 'method'>;

/** Whether the person wants something to be read: then a server is started even where too many have ended. */
export function isWish({ method }: AnyRequest): boolean {
  return method === openRequest.method || method === openDiffRequest.method;
}

/** Whether the answer depends on what the server was told before. */
export function isAboutWhatWasTold(request: AnyRequest): boolean {
  const others = [forgetRequest, configureRequest, prepareRequest];
  return !isWish(request) && others.every(({ method }) => method !== request.method);
}

/** Something that was read for its flamegraph, and can be read again. */
interface Opened {
  readonly read: (client: Client) => Promise<unknown>;
  /** The server that has read it, and when that is done. */
  client: Client;
  done: Promise<unknown>;
}

/**
 * What servers were told and a new one does not know: which recordings are open, and what re-checks say. What is shown
 * in the editor the results tell it themselves.
 */
export class ServerMemory {
  /** By name; the one that was opened longest ago comes first. */
  readonly #opened = new Map<string, Opened>();
  readonly #changes = new Map<string, OfRecording<FunctionChange>>();

  /** What re-checks say of functions. */
  get changes(): Iterable<OfRecording<FunctionChange>> {
    return this.#changes.values();
  }

  /** Keeps what a server was told and has taken over. */
  keep<Params, Result>(client: Client, { method }: Request<Params, Result>, params: Params, answer: Result): void {
    if (method === showChangeRequest.method && isChange(params)) this.#keepChange(params);
    if (!isOpened(answer)) return;
    if (method === openRequest.method && isOpening(params)) {
      const quietly = { ...params, shownAs: null };
      this.#keepOpened(params.recording, client, async (other) => other.ask(openRequest, quietly, {}));
    }
    if (method === openDiffRequest.method && isDiffOpening(params))
      this.#keepOpened(nameOfDiff(params), client, async (other) => other.ask(openDiffRequest, params, {}));
  }

  /** Has a server read the recording that a question is about, where only a server before it did. */
  async tellAbout(client: Client, params: unknown): Promise<void> {
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
    if (this.#opened.size > mostOpened && oldest !== undefined) this.#opened.delete(oldest);
  }

  #keepChange(change: OfRecording<FunctionChange>): void {
    const key = `${change.recording} ${change.functionId}`;
    this.#changes.delete(key);
    if (change.change !== null) this.#changes.set(key, change);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > mostChanges && oldest !== undefined) this.#changes.delete(oldest);
  }
}

const mostOpened = 8;
const mostChanges = 100;

function isAboutRecording(params: unknown): params is { readonly recording: string } {
  return typeof params === 'object' && params !== null && 'recording' in params && typeof params.recording === 'string';
}

function isOpening(params: unknown): params is OpenParams {
  return isAboutRecording(params) && 'shownAs' in params;
}

function isDiffOpening(params: unknown): params is OpenDiffParams {
  return typeof params === 'object' && params !== null && 'base' in params && 'head' in params;
}

function isChange(params: unknown): params is OfRecording<FunctionChange> {
  return isAboutRecording(params) && 'functionId' in params && 'change' in params;
}

function isOpened(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'type' in answer && answer.type === 'opened';
}
