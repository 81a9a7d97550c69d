import type { NodeRuntime, NodeWorker, Profiler, Runtime } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';
import { type RawData, WebSocket } from 'ws';
import { isRecord } from '../../../protocol/json-value.ts';

/** A connection to a V8 inspector. Only this file uses the package `ws`: Node 20 has no WebSocket. */
export interface Inspector {
  /** Resolves with the answer, or with an error in the words of the inspector. */
  readonly send: <Method extends keyof Methods>(method: Method, params?: Methods[Method]) => Promise<Answer | Error>;
  /** Aborted when the other side has gone. */
  readonly isOver: AbortSignal;
  /** All requests without an answer get an error, and so do all later ones. */
  readonly giveUp: () => void;
  /** Evaluates `last` first, for `limit` ms at most. Resolves with false where that is known to have failed. */
  readonly close: (last: string | null, limit?: number) => Promise<boolean>;
}

/** The methods that are called, with Node's types of their parameters. */
export interface Methods {
  readonly 'Profiler.enable': None;
  readonly 'Profiler.setSamplingInterval': Profiler.SetSamplingIntervalParameterType;
  readonly 'Profiler.start': None;
  readonly 'Profiler.stop': None;
  readonly 'Runtime.evaluate': Runtime.EvaluateParameterType;
  readonly 'NodeRuntime.notifyWhenWaitingForDisconnect': NodeRuntime.NotifyWhenWaitingForDisconnectParameterType;
  readonly 'NodeWorker.enable': NodeWorker.EnableParameterType;
  readonly 'NodeWorker.sendMessageToWorker': NodeWorker.SendMessageToWorkerParameterType;
}

type None = Readonly<Record<string, never>>;

/** The fields of answers that are read here. */
export type Answer = Unchecked<Profiler.StopReturnType & Runtime.EvaluateReturnType>;

/** The fields of events that are read here. */
export type EventFacts = Unchecked<NodeWorker.ReceivedMessageFromWorkerEventDataType>;

/** A value that came over the network: any field may be missing, or have another type. */
export type Unchecked<Value extends object> = { readonly [Key in keyof Value]?: unknown };

export type Fields = Readonly<Record<string, unknown>>;

/** Connects to an inspector; null where nothing answers there. `onEvent` gets the messages that are not answers. */
export async function connectInspector(
  url: string,
  onEvent: (method: string, params: EventFacts) => void,
): Promise<Inspector | null> {
  // No limit: the profile of an hour is one message.
  const socket = new WebSocket(url, { maxPayload: 0, handshakeTimeout: 5000, perMessageDeflate: false });
  const [over, givenUp] = [new AbortController(), new AbortController()];
  const requests = openRequests(async (text) => {
    if (over.signal.aborted) return new Error('the connection was closed');
    socket.send(text);
    return null;
  });
  socket.on('message', (data) => {
    const message = fieldsOf(parse(textOf(data)));
    if (!requests.answer(message)) onEvent(String(message['method']), fieldsOf(message['params']));
  });
  socket.on('close', () => {
    over.abort();
    requests.fail('the connection was closed');
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  if (!isOpen) return null;
  return {
    send: async (method, params) =>
      givenUp.signal.aborted ? new Error('it was given up') : requests.send(method, params),
    isOver: over.signal,
    giveUp: () => {
      givenUp.abort();
      requests.fail('it was given up');
    },
    close: async (last, limit) => close(socket, requests.send, last, limit),
  };
}

async function close(socket: WebSocket, send: Inspector['send'], last: string | null, limit = 0): Promise<boolean> {
  const answered = new AbortController();
  // Node handles what was sent before it notices the disconnection, however long that takes.
  const asked = last === null ? null : send('Runtime.evaluate', { expression: last, includeCommandLineAPI: true });
  const answer = await Promise.race([asked, delay(limit, null, { signal: answered.signal }).catch(() => null)]);
  answered.abort();
  socket.close();
  return answer instanceof Error || answer?.exceptionDetails === undefined;
}

/** Requests that wait for their answers. `post` sends one as JSON; an error that it resolves with is the answer. */
function openRequests(post: (text: string) => Promise<Answer | Error | null>) {
  const waiting = new Map<number, (answer: Answer | Error) => void>();
  const state = { id: 0 };
  const send: Inspector['send'] = async (method, params) => {
    state.id += 1;
    const { id } = state;
    const answer = new Promise<Answer | Error>((resolve) => {
      waiting.set(id, resolve);
    });
    const sent = await post(JSON.stringify({ id, method, params }));
    if (sent instanceof Error) waiting.get(id)?.(sent);
    return answer;
  };
  return {
    send,
    /** Passes the answer in a message to its request; false where the message is not an answer. */
    answer: ({ id, error, result }: Fields): boolean => {
      const resolve = waiting.get(Number(id));
      waiting.delete(Number(id));
      resolve?.(error === undefined ? fieldsOf(result) : new Error(String(fieldsOf(error)['message'])));
      return resolve !== undefined;
    },
    /** All that wait get an error. */
    fail: (reason: string): void => {
      for (const resolve of waiting.values()) resolve(new Error(reason));
      waiting.clear();
    },
  };
}

/** Evaluates an expression in the process; undefined where it has no value. */
export async function evaluate(send: Inspector['send'], expression: string): Promise<unknown> {
  const answer = await send('Runtime.evaluate', { expression, returnByValue: true, includeCommandLineAPI: true });
  const result: Unchecked<Runtime.RemoteObject> = answer instanceof Error ? {} : fieldsOf(answer.result);
  return result.value;
}

/** The value as an object with unknown fields; without any where it is not an object. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
}

/** Parses a message of any size; null where it is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A worker thread. Messages to it go through its main thread. */
export interface AttachedWorker {
  /** Answers with an error where the worker ends before it does. */
  readonly send: Inspector['send'];
  readonly receive: (message: Fields) => void;
  readonly end: () => void;
}

/** The worker threads of a process. Each is profiled from the moment that it is reported. */
export class AttachedWorkers {
  readonly running = new Map<string, AttachedWorker>();
  /** Number of workers that have ended since the attachment. */
  ended = 0;

  /** Handles an event of the inspector; events that are not about workers are ignored. */
  hear(
    { send, isOver }: Pick<Inspector, 'send' | 'isOver'>,
    method: string,
    { sessionId, message }: EventFacts,
    intervalUs: number,
  ): void {
    const id = String(sessionId);
    if (method === 'NodeWorker.attachedToWorker') {
      const worker = throughMain(send, isOver, id);
      this.running.set(id, worker);
      void startProfiler(worker.send, intervalUs);
    }
    if (method === 'NodeWorker.detachedFromWorker') {
      this.running.get(id)?.end();
      if (this.running.delete(id)) this.ended += 1;
    }
    if (method === 'NodeWorker.receivedMessageFromWorker')
      this.running.get(id)?.receive(fieldsOf(parse(String(message))));
  }

  /** Answers all requests to workers with an error. */
  giveUp(): void {
    for (const worker of this.running.values()) worker.end();
  }
}

/** Starts the CPU profiler. Null where it runs; else why not. */
export async function startProfiler(send: Inspector['send'], interval: number): Promise<string | null> {
  for (const [method, params] of [
    ['Profiler.enable', {}],
    ['Profiler.setSamplingInterval', { interval }],
    ['Profiler.start', {}],
  ] as const) {
    const answer = await send(method, params);
    if (answer instanceof Error) return answer.message;
  }
  return null;
}

/** A worker thread to which messages go through its main thread. It ends when `isOver` is aborted. */
export function throughMain(send: Inspector['send'], isOver: AbortSignal, sessionId: string): AttachedWorker {
  const gone = new AbortController();
  const requests = openRequests(async (message) =>
    gone.signal.aborted
      ? new Error('the worker ended')
      : send('NodeWorker.sendMessageToWorker', { sessionId, message }),
  );
  const end = (): void => {
    gone.abort();
    requests.fail('the worker ended');
  };
  isOver.addEventListener('abort', end, { once: true });
  return { end, receive: (message) => void requests.answer(message), send: requests.send };
}
