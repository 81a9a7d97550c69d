import { constants } from 'node:os';
import { attempt, internal, isFunction, isObject, replace } from './host.ts';

/** What the ways out of a process call. */
export interface Conduct {
  /** Saves everything; called on each way out, perhaps more than once. */
  readonly finish: (reason: 'exit' | 'signal') => void;
  /** The program has begun to handle a signal itself. */
  readonly onHandler: (signal: NodeJS.Signals) => void;
  /** A signal has come that the program handles itself. */
  readonly onHandledSignal: (signal: NodeJS.Signals) => void;
  /** A signal has come that is going to end this process, as soon as this returns. */
  readonly onFatalSignal: (signal: NodeJS.Signals) => void;
}

/** Signals whose default action ends a process, and that tools send to end it. */
const watched: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Every end but SIGKILL passes here: a natural one and an uncaught error after the program's own `exit` listeners,
 * `process.exit`, `abort`, a signal to itself, `execve`, and the signals above.
 */
export function watchEnding(conduct: Conduct, isMain: boolean): void {
  const signals = isMain && process.platform !== 'win32' ? hideHandlers(conduct) : null;
  watchEmit((type) => {
    if (type === 'exit') conduct.finish('exit');
  }, signals);
  if (!isMain) return;
  signals?.arm();
  for (const name of ['reallyExit', 'abort', 'execve']) {
    before(name, () => conduct.finish('exit'));
  }
  // What `process.kill` calls with the number of the signal; a test may have replaced `process.kill` itself.
  before('_kill', ([pid, signal]) => {
    if (!isSelf(pid) || !endsProcess(signal)) return;
    conduct.finish('signal');
    signals?.disarm();
  });
}

function before(name: string, work: (args: readonly unknown[]) => void): void {
  replace(process, name, (original) =>
    function (...args) {
      attempt(() => work(args));
      return Reflect.apply(original, this, args);
    },
  );
}

/** 0 and −pid: the whole process group. */
function isSelf(pid: unknown): boolean {
  return pid === process.pid || pid === 0 || pid === -process.pid;
}

/** By its default action, and nobody listens. */
function endsProcess(signal: unknown): boolean {
  const found = Object.entries(constants.signals).find(([, number]) => number === signal);
  return found !== undefined && !harmless.has(found[0]) && process.listenerCount(found[0]) === 0;
}

/** Ignored, stopping only, or taken by Node. */
const harmless = new Set('SIGCHLD SIGCONT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGWINCH SIGUSR1 SIGPIPE SIGIO SIGINFO'.split(' '));

type Emit = (this: unknown, ...args: unknown[]) => unknown;

interface HiddenHandlers {
  readonly arm: () => void;
  readonly disarm: () => void;
  /** While a handler is being armed: what Node is to call when its signal comes. */
  readonly onSignal: () => Emit | null;
}

/**
 * `process.emit` as a getter: it hands out the program's own function, so that no frame of ours stands in the stacks
 * of its listeners, except once the process is exiting (to be the last to hear of it) and while a signal is armed.
 */
function watchEmit(after: (type: unknown) => void, signals: HiddenHandlers | null): void {
  const state: { emit: unknown } = { emit: process.emit };
  Object.defineProperty(process, 'emit', {
    configurable: true,
    enumerable: false,
    get() {
      const { emit } = state;
      const onSignal = signals?.onSignal() ?? null;
      if (onSignal !== null) return onSignal;
      if (internal(process, '_exiting') !== true || !isFunction(emit)) return emit;
      return function (this: unknown, ...args: unknown[]): unknown {
        const result = Reflect.apply(emit, this, args);
        attempt(() => after(args[0]));
        return result;
      };
    },
    set(value: unknown) {
      if (this === process) state.emit = value;
      else Object.defineProperty(this, 'emit', { value, configurable: true, enumerable: true, writable: true });
    },
  });
}

/**
 * A handler for each watched signal that no listener list shows: programs and packages (signal-exit) ask whether
 * there is another listener, and leave ending the process to it. Node keeps a signal's handle open while
 * `process.on` has been called for it; the listener itself is taken out of the list by hand.
 */
function hideHandlers(conduct: Conduct): HiddenHandlers {
  const state = { isArming: false, isLeaving: false };
  const { emit } = process;
  const onSignal: Emit = (...args) => {
    const signal = watched.find((name) => name === args[0]);
    // `process.on` itself emits `newListener` while a handler is being armed.
    if (signal === undefined) return Reflect.apply(emit, process, args);
    if (process.listenerCount(signal) > 0) {
      attempt(() => conduct.onHandledSignal(signal));
      return Reflect.apply(process.emit, process, args);
    }
    attempt(() => conduct.onFatalSignal(signal));
    return process.kill(process.pid, signal);
  };
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
  return {
    arm: () => {
      watched.forEach(arm);
      process.on('newListener', (name) => {
        const signal = watched.find((other) => other === name);
        if (signal !== undefined && !state.isArming) attempt(() => conduct.onHandler(signal));
      });
      process.on('removeListener', (name) => {
        const signal = watched.find((other) => other === name);
        if (signal !== undefined && process.listenerCount(signal) === 0) attempt(() => arm(signal));
      });
    },
    disarm: () => {
      state.isLeaving = true;
      // Node closes the handle of a signal when its last listener goes: then the default action is back.
      for (const signal of watched) {
        if (process.listenerCount(signal) === 0) Reflect.apply(process.emit, process, ['removeListener', signal, nothing]);
      }
    },
    onSignal: () => (state.isArming ? onSignal : null),
  };
}

function nothing(): void {}
