import type { NodeRuntime, NodeWorker, Profiler, Runtime } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';
import { type RawData, WebSocket } from 'ws';

/** A connection to a V8 inspector. Only this file uses the package `ws`: Node 20 has no WebSocket of its own. */
export interface Inspector {
  /** Resolves with the answer, or with an error in the words of the inspector. */
  readonly send: <Method extends keyof Questions>(
    method: Method,
    params?: Questions[Method],
  ) => Promise<Answer | Error>;
  /** Aborted when the other side has gone. */
  readonly isOver: AbortSignal;
  /** All requests without an answer get an error, and so do all later ones. */
  readonly giveUp: () => void;
  /**
   * Evaluates `last` and disconnects when it is answered, or after `limit` ms. Null: disconnects at once. Resolves with
   * false where the evaluation is known to have failed.
   */
  readonly close: (last: string | null, limit?: number) => Promise<boolean>;
}

/** The methods that are called, with the types of their parameters from Node. */
export interface Questions {
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
export type Answer = Told<Profiler.StopReturnType & Runtime.EvaluateReturnType>;

/** The fields of events that are read here. */
export type EventFacts = Told<NodeWorker.ReceivedMessageFromWorkerEventDataType>;

/** A value that came over the network: any field may be missing, or have another type. */
export type Told<Value extends object> = { readonly [Key in keyof Value]?: unknown };

export type Fields = Readonly<Record<string, unknown>>;

/** Connects to an inspector; null where nothing answers there. `onEvent` gets the messages that are not answers. */
export async function connectInspector(
  url: string,
  onEvent: (method: string, params: EventFacts) => void,
): Promise<Inspector | null> {
  // No limit: the profile of an hour is one message.
  const socket = new WebSocket(url, { maxPayload: 0, handshakeTimeout: 5000, perMessageDeflate: false });
  const over = new AbortController();
  const waiting = new Map<number, (answer: Answer | Error) => void>();
  socket.on('message', (data) => {
    const message = fieldsOf(parse(textOf(data)));
    const answer = waiting.get(Number(message['id']));
    waiting.delete(Number(message['id']));
    if (answer === undefined) onEvent(String(message['method']), fieldsOf(message['params']));
    else answer(message['error'] === undefined ? fieldsOf(message['result']) : errorOf(message['error']));
  });
  const answerAll = (error: Error): void => {
    for (const answer of waiting.values()) answer(error);
    waiting.clear();
  };
  socket.on('close', () => {
    over.abort();
    answerAll(new Error('the connection was closed'));
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  if (!isOpen) return null;
  return inspectorOn(socket, waiting, over.signal, answerAll);
}

function inspectorOn(
  socket: WebSocket,
  waiting: Map<number, (answer: Answer | Error) => void>,
  isOver: AbortSignal,
  answerAll: (error: Error) => void,
): Inspector {
  const givenUp = new AbortController();
  const state = { id: 0 };
  const ask: Inspector['send'] = async (method, params) => {
    if (isOver.aborted) return new Error('the connection was closed');
    state.id += 1;
    const { id } = state;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  return {
    send: async (method, params) => (givenUp.signal.aborted ? new Error('it was given up') : ask(method, params)),
    isOver,
    giveUp: () => {
      givenUp.abort();
      answerAll(new Error('it was given up'));
    },
    close: async (last, limit = 0) => {
      const answered = new AbortController();
      // Node handles what was sent before it notices that we disconnect, however long that takes.
      const told = last === null ? null : ask('Runtime.evaluate', { expression: last, includeCommandLineAPI: true });
      const answer = await Promise.race([told, delay(limit, null, { signal: answered.signal }).catch(() => null)]);
      answered.abort();
      socket.close();
      return answer instanceof Error || answer?.exceptionDetails === undefined;
    },
  };
}

/** Evaluates an expression in the process; undefined where it has no value. */
export async function evaluate(send: Inspector['send'], expression: string): Promise<unknown> {
  const answer = await send('Runtime.evaluate', { expression, returnByValue: true, includeCommandLineAPI: true });
  const result: Told<Runtime.RemoteObject> = answer instanceof Error ? {} : fieldsOf(answer.result);
  return result.value;
}

/** The value as an object with unknown fields; without any where it is not an object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
}

/** Parses a message; null where it is not JSON, which no inspector sends. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An error with the message of the inspector. */
export function errorOf(error: unknown): Error {
  return new Error(String(fieldsOf(error)['message']));
}
