import { type RawData, WebSocket } from 'ws';

/** A connection to a V8 inspector. One file knows `ws`: Node 20 has no WebSocket of its own. */
export interface Inspector {
  /** The answer, or an error in the words of the inspector. */
  readonly send: (method: string, params?: object) => Promise<Fields | Error>;
  /** Aborted when the other side has gone. */
  readonly isOver: AbortSignal;
  readonly close: () => void;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Null where nobody answers there. `onEvent` gets what was not asked for. */
export async function connectInspector(
  url: string,
  onEvent: (method: string, params: Fields) => void,
): Promise<Inspector | null> {
  // A profile of an hour is one message.
  const socket = new WebSocket(url, { maxPayload: 0, handshakeTimeout: 5000, perMessageDeflate: false });
  const over = new AbortController();
  const waiting = new Map<number, (answer: Fields | Error) => void>();
  socket.on('message', (data) => {
    const message = fieldsOf(parse(textOf(data)));
    const answer = waiting.get(Number(message['id']));
    waiting.delete(Number(message['id']));
    if (answer === undefined) onEvent(String(message['method']), fieldsOf(message['params']));
    else answer(message['error'] === undefined ? fieldsOf(message['result']) : errorOf(message['error']));
  });
  socket.on('close', () => {
    over.abort();
    for (const answer of waiting.values()) answer(new Error('the connection was closed'));
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  if (!isOpen) return null;
  const state = { id: 0 };
  return {
    send: async (method, params = {}) => {
      if (over.signal.aborted) return new Error('the connection was closed');
      state.id += 1;
      const { id } = state;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      });
    },
    isOver: over.signal,
    close: () => socket.close(),
  };
}

/** The value of an expression in the process; undefined where there is none. */
export async function evaluate(send: Inspector['send'], expression: string): Promise<unknown> {
  const answer = await send('Runtime.evaluate', { expression, returnByValue: true, includeCommandLineAPI: true });
  return answer instanceof Error ? undefined : fieldsOf(answer['result'])['value'];
}

/** What is no object has no fields. */
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // No inspector: it has no answers.
  }
}

function errorOf(error: unknown): Error {
  return new Error(String(fieldsOf(error)['message']));
}
