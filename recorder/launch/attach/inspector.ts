import type { NodeRuntime, NodeWorker, Profiler, Runtime } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';
import { type RawData, WebSocket } from 'ws';
import { fieldsOf, type Fields } from '../../../protocol/json-value.ts';

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
  readonly 'Runtime.callFunctionOn': Runtime.CallFunctionOnParameterType;
  /** Node's types have no bindings. */
  readonly 'Runtime.addBinding': { readonly name: string };
  readonly 'NodeRuntime.notifyWhenWaitingForDisconnect': NodeRuntime.NotifyWhenWaitingForDisconnectParameterType;
  readonly 'NodeWorker.enable': NodeWorker.EnableParameterType;
  readonly 'NodeWorker.sendMessageToWorker': NodeWorker.SendMessageToWorkerParameterType;
}

type None = Readonly<Record<string, never>>;

/** The fields of answers that are read here. */
export type Answer = Unchecked<Profiler.StopReturnType & Runtime.EvaluateReturnType>;

/** The fields of events that are read here. */
export type EventFacts = Unchecked<
  NodeWorker.ReceivedMessageFromWorkerEventDataType & { readonly name: string; readonly payload: string }
>;

/** A value that came over the network: any field may be missing, or have another type. */
export type Unchecked<Value extends object> = { readonly [Key in keyof Value]?: unknown };

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
  return answer instanceof Error ? undefined : fieldsOf(answer.result)['value'];
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

/** A thread of the process. */
export interface ThreadInspector {
  readonly send: Inspector['send'];
  /** What the thread says by the binding of this name goes to `hear`. */
  readonly onBinding: (name: string, hear: (text: string) => void) => void;
}

/** A worker thread. Messages to it go through its main thread. */
interface AttachedWorker {
  /** Answers with an error where the worker ends before it does. */
  readonly send: Inspector['send'];
  readonly receive: (message: Fields) => boolean;
  readonly end: () => void;
}

/** The threads of a process that say something. */
export class ThreadEvents {
  private readonly workers = new Map<string, AttachedWorker>();
  private readonly bindings = new Map<string, (text: string) => void>();
  private readonly onWorker: (id: string, worker: ThreadInspector) => void;
  private readonly onWorkerEnd: (id: string) => void;

  constructor(onWorker: (id: string, worker: ThreadInspector) => void, onWorkerEnd: (id: string) => void) {
    this.onWorker = onWorker;
    this.onWorkerEnd = onWorkerEnd;
  }

  readonly onBinding: ThreadInspector['onBinding'] = (name, hear) => void this.bindings.set(name, hear);

  /** Handles an event of the main thread's inspector; those that are not about threads are ignored. */
  hear(inspector: Pick<Inspector, 'send' | 'isOver'>, method: string, params: EventFacts): void {
    const id = String(params.sessionId);
    if (method === 'Runtime.bindingCalled') this.bindings.get(String(params.name))?.(String(params.payload));
    if (method === 'NodeWorker.attachedToWorker') {
      const worker = throughMain(inspector.send, inspector.isOver, id);
      this.workers.set(id, worker);
      this.onWorker(id, { send: worker.send, onBinding: this.onBinding });
    }
    if (method === 'NodeWorker.detachedFromWorker') {
      this.workers.get(id)?.end();
      if (this.workers.delete(id)) this.onWorkerEnd(id);
    }
    if (method === 'NodeWorker.receivedMessageFromWorker') {
      const message = fieldsOf(parse(String(params.message)));
      const isAnswer = this.workers.get(id)?.receive(message) ?? true;
      if (!isAnswer && message['method'] === 'Runtime.bindingCalled')
        this.hear(inspector, 'Runtime.bindingCalled', fieldsOf(message['params']));
    }
  }

  /** Answers all requests to workers with an error. */
  giveUp(): void {
    for (const worker of this.workers.values()) worker.end();
  }
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
  return { end, receive: requests.answer, send: requests.send };
}
