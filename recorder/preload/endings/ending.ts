import {
  type AnyFunction,
  attempt,
  call,
  host,
  internal,
  isFunction,
  isObject,
  replace,
  setWithoutSetter,
} from '../host/host.ts';
import { constants } from 'node:os';
import { EventEmitter } from 'node:events';

/** What is called when the process is about to end, and at signals. */
export interface Conduct {
  /** Saves everything. May be called more than once. */
  readonly finish: (reason: 'exit' | 'signal') => void;
  /** The program has begun to handle a signal itself. */
  readonly onHandler: (signal: NodeJS.Signals) => void;
  /** A signal has come that the program handles itself: before its handlers. */
  readonly onHandledSignal: (signal: NodeJS.Signals) => void;
  /** After these. */
  readonly afterHandledSignal: () => void;
  /** The program is about to handle an uncaught error, and may fail in that. */
  readonly onUncaught: () => void;
  /**
   * Listeners of the process may be about to be called. `isLast`: those of `exit`. `isBetweenTurns`: Node calls them
   * between two turns.
   */
  readonly onEmit: (isLast: boolean, isBetweenTurns: boolean) => void;
  /** A signal has come that will end this process as soon as this returns. */
  readonly onFatalSignal: (signal: NodeJS.Signals) => void;
}

/**
 * Saves the recording at every end but SIGKILL: a natural end and an uncaught error (after the program's own `exit`
 * listeners), `process.exit`, `abort`, a signal to itself, `execve`, and the signals that tools send to end a process.
 */
export function watchEnding(conduct: Conduct, isMain: boolean): void {
  const endsByError = watchUncaught(conduct, isMain);
  watchEvents(conduct, endsByError);
  if (!isMain) return;
  const signals = process.platform === 'win32' ? null : hideHandlers(conduct);
  signals?.arm();
  for (const name of ['reallyExit', 'abort', 'execve']) {
    before(name, () => conduct.finish('exit'));
  }
  // `process.kill` calls this with the number of the signal; a test may have replaced `process.kill` itself. The pids 0
  // and −pid mean the whole process group.
  before('_kill', ([pid, signal]) => {
    const isSelf = pid === process.pid || pid === 0 || pid === -process.pid;
    if (!isSelf || !endsProcess(signal)) return;
    conduct.finish('signal');
    signals?.disarm();
  });
}

function before(name: string, work: (args: readonly unknown[]) => void): void {
  replace(
    process,
    name,
    (original) =>
      function (...args) {
        attempt(() => work(args));
        return call(original, this, args);
      },
  );
}

/**
 * Sees which listeners of `process` are read, even where the program has replaced `process.emit`: Node's own reads them in
 * `process._events`, which `removeAllListeners` replaces. So no frame of the recorder is in the stacks of listeners. When
 * those of `exit` are read while the process is exiting, one more is added, the last.
 */
function watchEvents(conduct: Conduct, endsByError: () => boolean): void {
  const finish = (): void => attempt(() => conduct.finish('exit'));
  const read = (events: object, name: PropertyKey): unknown => {
    attempt(() => {
      const isExiting = internal(process, '_exiting') === true;
      conduct.onEmit(isExiting, isExiting || name === 'beforeExit');
      if (isExiting && name === 'exit') addLast(events, finish, endsByError());
    });
    return internal(events, name);
  };
  const watched = (events: unknown): unknown => (isObject(events) ? new Proxy(events, { get: read }) : events);
  const state = { events: watched(internal(process, '_events')) };
  Object.defineProperty(process, '_events', {
    configurable: true,
    enumerable: true,
    get: () => state.events,
    set(value: unknown) {
      if (this === process) state.events = watched(value);
      else Object.defineProperty(this, '_events', { value, configurable: true, enumerable: true, writable: true });
    },
  });
}

/** Adds the last listener of `exit`, without `process.on`, which would emit `newListener`. */
function addLast(events: object, last: () => void, endsByError: boolean): void {
  const listeners = listenersOf('exit', events);
  if (listeners.at(-1) === last) return;
  const others = listeners.filter((one) => one !== last);
  Reflect.set(events, 'exit', endsByError ? callAll(others, last) : listenerList([...others, last]));
}

/**
 * A listener that calls all others, and `last` even if one throws: after an uncaught error Node swallows what a listener of
 * `exit` throws, and ends the process without calling JavaScript again.
 */
function callAll(others: readonly unknown[], last: () => void): AnyFunction {
  return function (...args) {
    try {
      for (const listener of others) call(listener, this, args);
    } finally {
      last();
    }
  };
}

/**
 * Node reads `process._fatalException` for each uncaught error, so a getter needs no frame in the stacks of the handlers.
 * V8 finds the function's name, for the same stacks, in the prototype. Where a handler of the program throws, or a listener
 * of `exit` has thrown, Node ends the process without calling JavaScript again. Returns whether the last error had no
 * handler, and so ends the process.
 */
function watchUncaught({ onUncaught, finish }: Conduct, isMain: boolean): () => boolean {
  const state = { isHandled: true };
  const onError = (): void => {
    state.isHandled = listenersOf('uncaughtException').length > 0 || process.hasUncaughtExceptionCaptureCallback();
    if (internal(process, '_exiting') === true) finish('exit');
    else if (state.isHandled && isMain) onUncaught();
  };
  const name = '_fatalException';
  const prototype = Reflect.getPrototypeOf(process);
  const descriptor = Reflect.getOwnPropertyDescriptor(process, name);
  if (prototype === null || descriptor === undefined) return () => false;
  Reflect.defineProperty(prototype, name, descriptor);
  Reflect.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get() {
      if (this === process) attempt(onError);
      return internal(prototype, name);
    },
    set(value: unknown) {
      if (this === process) Reflect.defineProperty(prototype, name, { ...descriptor, value });
      else Object.defineProperty(this, name, { ...descriptor, value });
    },
  });
  return () => !state.isHandled;
}

/**
 * The listeners of an event, also those that `process.listenerCount` does not count: tsx hides its own. An emitter keeps
 * a single one without a list.
 */
function listenersOf(name: PropertyKey, events = internal(process, '_events')): readonly unknown[] {
  const found = isObject(events) ? internal(events, name) : undefined;
  return Array.isArray(found) ? found : found === undefined ? [] : [found];
}

/** Calls `before` and `after` around the calls by which the program gives up the rights of its user or group. */
export function watchLeavingRights(before: (name: string) => void, after: () => void): void {
  for (const name of ['setuid', 'seteuid', 'setgid', 'setegid']) {
    replace(
      process,
      name,
      (original) =>
        function (...args) {
          attempt(() => before(name));
          try {
            return call(original, this, args);
          } finally {
            attempt(after);
          }
        },
    );
  }
}

/** Node's own: a test may count the calls of `process.on`. */
const emit = internal(EventEmitter.prototype, 'emit');
const on = internal(EventEmitter.prototype, 'on');

/** Signals whose default action ends a process, and that tools send for this: nodemon restarts with SIGUSR2. */
const watched: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'];

/**
 * Handles signals without a visible listener, because programs and packages (signal-exit) do not end the process where
 * there is another listener. Node keeps the handle of a signal open from `process.on` until the last listener is
 * removed; so the listener is added, and then taken out of the list by hand.
 */
function hideHandlers(conduct: Conduct) {
  const state = { isArming: false, isLeaving: false };
  const onHandler = once(conduct.onHandler);
  const onSignal = signalEmit(conduct);
  /** Node's own, which closes the handle of a signal: `process.removeAllListeners` removes it, too. */
  const closers = listenersOf('removeListener');
  const arm = (signal: NodeJS.Signals): void => {
    const events = internal(process, '_events');
    if (state.isLeaving || !isObject(events) || listenersOf(signal).length > 0) return;
    // Node calls the `process.emit` of this moment when the signal comes.
    const restoreEmit = setWithoutSetter(process, 'emit', onSignal);
    try {
      if (internal(process, 'emit') !== onSignal) return; // The program has frozen `process`.
      state.isArming = true;
      call(on, process, [signal, nothing]);
    } finally {
      state.isArming = false;
      restoreEmit();
    }
    Reflect.deleteProperty(events, signal);
    Reflect.set(process, '_eventsCount', Number(internal(process, '_eventsCount')) - 1);
  };
  const whenWatched = (work: (signal: NodeJS.Signals) => void) => (name: string | symbol) => {
    const signal = watched.find((other) => other === name);
    if (signal !== undefined && !state.isArming) attempt(() => work(signal));
  };
  return {
    arm: (): void => {
      for (const signal of watched) arm(signal);
      listenInside('newListener', whenWatched(onHandler));
      listenInside('removeListener', whenWatched(arm));
    },
    /** Restores the default action of every signal that the program does not handle. */
    disarm: (): void => {
      state.isLeaving = true;
      // Node closes the handle of a signal when its last listener is removed, which restores the default action.
      for (const signal of watched.filter((name) => listenersOf(name).length === 0)) {
        for (const close of closers) call(close, process, [signal]);
      }
    },
  };
}

/** Calls `listener` inside the last listener of an event, after it: so the number of listeners stays the same. */
function listenInside(event: string, listener: (name: string | symbol) => void): void {
  const events = internal(process, '_events');
  const all = listenersOf(event, events);
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
function signalEmit(conduct: Conduct): AnyFunction {
  return (...args) => {
    const signal = watched.find((name) => name === args[0]);
    // `process.on` itself emits `newListener` while a handler is being armed.
    if (signal === undefined) return call(emit, process, args);
    if (listenersOf(signal).length > 0) {
      attempt(() => conduct.onHandledSignal(signal));
      // tsx kills a program whose handler has not answered within 60 ms, so what takes time comes after it.
      try {
        return call(internal(process, 'emit'), process, args);
      } finally {
        attempt(() => conduct.afterHandledSignal());
      }
    }
    if (isFirstProcess()) {
      attempt(() => conduct.onHandledSignal(signal));
      attempt(() => conduct.afterHandledSignal());
      return true;
    }
    attempt(() => conduct.onFatalSignal(signal));
    return host.kill(process.pid, signal);
  };
}

/** Whether the signal with this number ends this process, by its default action and without a listener. */
function endsProcess(signal: unknown): boolean {
  if (isFirstProcess()) return false;
  const found = Object.entries(constants.signals).find(([, number]) => number === signal);
  return found !== undefined && !harmless.test(found[0]) && listenersOf(found[0]).length === 0;
}

/** Whether this is the first process of a container, where the kernel ignores the default action of every signal. */
function isFirstProcess(): boolean {
  return process.pid === 1;
}

/** Signals that are ignored, only stop a process, or are used by Node. */
const harmless = /^SIG(CHLD|CONT|STOP|TSTP|TTIN|TTOU|URG|WINCH|USR1|PIPE|IO|INFO)$/;

function nothing(): void {}

/**
 * The listeners in the form in which an emitter keeps them in `_events`. Node itself builds it: since Node 24 its
 * arrays have a counter, without which a listener that removes itself (`once`) while it is called also removes the next.
 */
function listenerList(listeners: readonly unknown[]): unknown {
  // oxlint-disable-next-line unicorn/prefer-event-target -- It is a list of an emitter, `process`, that is wanted.
  const emitter = new EventEmitter().setMaxListeners(0);
  for (const listener of listeners) {
    if (isFunction(listener)) emitter.on('any', listener);
  }
  const events = internal(emitter, '_events');
  return isObject(events) ? internal(events, 'any') : undefined;
}
