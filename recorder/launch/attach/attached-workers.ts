import { type Answer, errorOf, type EventFacts, type Fields, fieldsOf, type Inspector, parse } from './inspector.ts';

/** A worker thread. Messages to it go through its main thread. */
export interface AttachedWorker {
  /** Answers with an error where the worker ends before it does. */
  readonly send: Inspector['send'];
  readonly receive: (message: Fields) => void;
  readonly end: () => void;
}

/** The worker threads of a process. They come and go; each is profiled from the moment that it is reported. */
export class AttachedWorkers {
  readonly running = new Map<string, AttachedWorker>();
  /** Number of workers that have ended since we listen. */
  ended = 0;

  /** Takes an event of the inspector; events that are not about workers are ignored. */
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

  /** Nobody waits for further answers of the workers. */
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
  const waiting = new Map<number, (answer: Answer | Error) => void>();
  const gone = new AbortController();
  const end = (): void => {
    gone.abort();
    for (const answer of waiting.values()) answer(new Error('the worker ended'));
    waiting.clear();
  };
  isOver.addEventListener('abort', end, { once: true });
  const state = { id: 0 };
  return {
    end,
    receive: (message) => {
      const id = Number(message['id']);
      const { error, result } = message;
      waiting.get(id)?.(error === undefined ? fieldsOf(result) : errorOf(error));
      waiting.delete(id);
    },
    send: async (method, params) => {
      if (gone.signal.aborted) return new Error('the worker ended');
      state.id += 1;
      const { id } = state;
      const answer = new Promise<Answer | Error>((resolve) => {
        waiting.set(id, resolve);
      });
      const message = JSON.stringify({ id, method, params });
      const sent = await send('NodeWorker.sendMessageToWorker', { sessionId, message });
      if (sent instanceof Error) waiting.get(id)?.(sent);
      return answer;
    },
  };
}
