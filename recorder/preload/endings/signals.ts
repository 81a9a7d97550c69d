import { constants } from 'node:os';
import { attempt, call, host, internal, isFunction, isObject } from '../host/host.ts';
import { EventEmitter } from 'node:events';

export type Emit = (this: unknown, ...args: unknown[]) => unknown;

/** Signal handlers that are in no list of listeners. */
export interface HiddenHandlers {
  readonly arm: () => void;
  /** Restores the default action of every signal that the program does not handle. */
  readonly disarm: () => void;
  /** While a handler is being armed: the function that Node is to call when the signal comes. */
  readonly onSignal: () => Emit | null;
}

/** Signals whose default action ends a process, and that tools send for this. */
const watched: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Handles signals without a visible listener, because programs and packages (signal-exit) look whether there is another
 * listener, and then do not end the process themselves. Node keeps the handle of a signal open from `process.on` until
 * the last listener is removed; so the listener is added, and then taken out of the list by hand.
 */
export function hideHandlers(conduct: Conduct): HiddenHandlers {
  const state = { isArming: false, isLeaving: false };
  const onHandler = once(conduct.onHandler);
  const onSignal = signalEmit(conduct);
  const arm = (signal: NodeJS.Signals): void => {
    const events = internal(process, '_events');
    if (state.isLeaving || !isObject(events) || process.listenerCount(signal) > 0) return;
    try {
      state.isArming = true;
      process.on(signal, nothing);
    } finally {
      state.isArming = false;
    }
    Reflect.deleteProperty(events, signal);
    Reflect.set(process, '_eventsCount', Number(internal(process, '_eventsCount')) - 1);
  };
  const whenWatched = (work: (signal: NodeJS.Signals) => void) => (name: string | symbol) => {
    const signal = watched.find((other) => other === name);
    if (signal !== undefined && !state.isArming) attempt(() => work(signal));
  };
  return {
    arm: () => {
      for (const signal of watched) arm(signal);
      alsoTell('newListener', whenWatched(onHandler));
      alsoTell('removeListener', whenWatched(arm));
    },
    disarm: () => {
      state.isLeaving = true;
      // Node closes the handle of a signal when its last listener is removed, which restores the default action.
      for (const signal of watched.filter((name) => process.listenerCount(name) === 0)) {
        call(internal(process, 'emit'), process, ['removeListener', signal, nothing]);
      }
    },
    onSignal: () => (state.isArming ? onSignal : null),
  };
}

/**
 * Calls `listener` after the last listener of an event, from inside that one's function: so the number of listeners
 * stays the same.
 */
function alsoTell(event: string, listener: (name: string | symbol) => void): void {
  const events = internal(process, '_events');
  const found = isObject(events) ? internal(events, event) : undefined;
  const all: readonly unknown[] = Array.isArray(found) ? found : [found];
  const last = all.at(-1);
  if (!isObject(events) || !isFunction(last)) {
    process.on(event, listener);
    return;
  }
  const both = function (this: unknown, ...args: unknown[]): void {
    call(last, this, args);
    const [name] = args;
    if (typeof name === 'string') listener(name);
  };
  Object.defineProperty(both, 'name', { value: last.name, configurable: true });
  Reflect.set(events, event, listenerList([...all.slice(0, -1), both]));
}

/** Calls `work` only once for each signal: some programs add and remove a listener a thousand times. */
function once(work: (signal: NodeJS.Signals) => void): (signal: NodeJS.Signals) => void {
  const done = new Set<NodeJS.Signals>();
  return (signal) => {
    if (!done.has(signal)) work(signal);
    done.add(signal);
  };
}

/** The function that Node calls as `process.emit` when a signal has come. */
function signalEmit(conduct: Conduct): Emit {
  const emit = internal(process, 'emit');
  return (...args) => {
    const signal = watched.find((name) => name === args[0]);
    // `process.on` itself emits `newListener` while a handler is being armed.
    if (signal === undefined) return call(emit, process, args);
    if (process.listenerCount(signal) > 0) {
      attempt(() => conduct.onHandledSignal(signal));
      return call(internal(process, 'emit'), process, args);
    }
    if (isFirstProcess()) {
      attempt(() => conduct.onHandledSignal(signal));
      return true;
    }
    attempt(() => conduct.onFatalSignal(signal));
    return host.kill(process.pid, signal);
  };
}

/** True for the number of a signal that ends this process by its default action, while nobody listens. */
export function endsProcess(signal: unknown): boolean {
  if (isFirstProcess()) return false;
  const found = Object.entries(constants.signals).find(([, number]) => number === signal);
  return found !== undefined && !harmless.test(found[0]) && process.listenerCount(found[0]) === 0;
}

/**
 * Whether this is the first process of a container: there the kernel ignores the default action of every signal, and
 * the program goes on.
 */
function isFirstProcess(): boolean {
  return process.pid === 1;
}

/** Signals that are ignored, only stop a process, or are used by Node. */
const harmless = /^SIG(CHLD|CONT|STOP|TSTP|TTIN|TTOU|URG|WINCH|USR1|PIPE|IO|INFO)$/;

function nothing(): void {}

/** What is called when the process is about to end, and at signals. */
export interface Conduct {
  /** Saves everything. May be called more than once. */
  readonly finish: (reason: 'exit' | 'signal') => void;
  /** The program has begun to handle a signal itself. */
  readonly onHandler: (signal: NodeJS.Signals) => void;
  /** A signal has come that the program handles itself. */
  readonly onHandledSignal: (signal: NodeJS.Signals) => void;
  /** The program is about to handle an uncaught error, and may fail in that. */
  readonly onUncaught: () => void;
  /** A signal has come that will end this process as soon as this returns. */
  readonly onFatalSignal: (signal: NodeJS.Signals) => void;
}

/**
 * The listeners in the form in which an emitter keeps them in `_events`. Node itself builds it: since Node 24 its
 * arrays have a counter, and without that a listener that removes itself (`once`) while it is called takes the next one
 * with it.
 */
export function listenerList(listeners: readonly unknown[]): unknown {
  // oxlint-disable-next-line unicorn/prefer-event-target -- It is a list of an emitter, `process`, that is wanted.
  const emitter = new EventEmitter().setMaxListeners(0);
  for (const listener of listeners) {
    if (isFunction(listener)) emitter.on('any', listener);
  }
  const events = internal(emitter, '_events');
  return isObject(events) ? internal(events, 'any') : undefined;
}
