import { attempt, call, internal, isFunction, replace } from './host.ts';
import { endsProcess, hideHandlers } from './signals.ts';
import type { Emit, HiddenHandlers } from './signals.ts';

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

/**
 * Every end but SIGKILL passes here: a natural one and an uncaught error after the program's own `exit` listeners,
 * `process.exit`, `abort`, a signal to itself, `execve`, and the signals that tools send to end a process.
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

/** 0 and −pid: the whole process group. */
function isSelf(pid: unknown): boolean {
  return pid === process.pid || pid === 0 || pid === -process.pid;
}

/**
 * `process.emit` as a getter: it hands out the program's own function, so that no frame of ours stands in the stacks
 * of its listeners, except once the process is exiting (to be the last to hear of it) and while a signal is armed.
 */
function watchEmit(after: (type: unknown) => void, signals: HiddenHandlers | null): void {
  const state: { emit: unknown } = { emit: internal(process, 'emit') };
  const lastToHear = (emit: Emit): Emit =>
    function (...args) {
      const result = call(emit, this, args);
      attempt(() => after(args[0]));
      return result;
    };
  Object.defineProperty(process, 'emit', {
    configurable: true,
    enumerable: false,
    get() {
      const { emit } = state;
      const onSignal = signals?.onSignal() ?? null;
      if (onSignal !== null) return onSignal;
      return internal(process, '_exiting') === true && isFunction(emit) ? lastToHear(emit) : emit;
    },
    set(value: unknown) {
      // jest gives its tests a copy of `process`, with this very property.
      if (this === process) state.emit = value;
      else Object.defineProperty(this, 'emit', { value, configurable: true, enumerable: true, writable: true });
    },
  });
}
