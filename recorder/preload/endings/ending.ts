import { attempt, call, internal, isObject, replace } from '../host/host.ts';
import { endsProcess, hideHandlers, type Conduct, type HiddenHandlers, listenerList } from './signals.ts';

/**
 * Saves the recording at every end but SIGKILL: a natural end and an uncaught error (after the program's own `exit`
 * listeners), `process.exit`, `abort`, a signal to itself, `execve`, and the signals that tools send to end a process.
 */
export function watchEnding(conduct: Conduct, isMain: boolean): void {
  const signals = isMain && process.platform !== 'win32' ? hideHandlers(conduct) : null;
  watchEmit(() => conduct.finish('exit'), signals);
  if (!isMain) return;
  watchUncaught(conduct.onUncaught);
  signals?.arm();
  for (const name of ['reallyExit', 'abort', 'execve']) {
    before(name, () => conduct.finish('exit'));
  }
  // `process.kill` calls this with the number of the signal; a test may have replaced `process.kill` itself.
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

/** Whether a pid means this process: 0 and −pid mean its whole process group. */
function isSelf(pid: unknown): boolean {
  return pid === process.pid || pid === 0 || pid === -process.pid;
}

/**
 * Replaces `process.emit` by a getter that returns the program's own function, so that no frame of ours is in the
 * stacks of its listeners, except while a signal is armed. When Node reads it while the process is exiting, the getter
 * adds the last `exit` listener. When Node reads it again, a listener before that one may have thrown, and Node is
 * about to report that: then the recording is finished at once.
 */
function watchEmit(finish: () => void, signals: HiddenHandlers | null): void {
  const state: { emit: unknown; isAdded: boolean } = { emit: internal(process, 'emit'), isAdded: false };
  Object.defineProperty(process, 'emit', {
    configurable: true,
    enumerable: false,
    get() {
      const onSignal = signals?.onSignal() ?? null;
      if (onSignal !== null) return onSignal;
      if (internal(process, '_exiting') === true) {
        attempt(state.isAdded ? finish : () => addLast('exit', () => attempt(finish)));
        state.isAdded = true;
      }
      return state.emit;
    },
    set(value: unknown) {
      // jest gives its tests a copy of `process` with this very property.
      if (this === process) state.emit = value;
      else Object.defineProperty(this, 'emit', { value, configurable: true, enumerable: true, writable: true });
    },
  });
}

/**
 * Calls `work` when Node is about to handle an uncaught error. If a handler of the program throws, Node ends the process
 * (exit code 7) without another word to JavaScript. Node reads `process._fatalException` for each such error, so a
 * getter needs no frame in the stacks of the handlers. V8 finds the function's name, for the same stacks, in the
 * prototype.
 */
function watchUncaught(work: () => void): void {
  const name = '_fatalException';
  const prototype = Reflect.getPrototypeOf(process);
  const descriptor = Reflect.getOwnPropertyDescriptor(process, name);
  if (prototype === null || descriptor === undefined) return;
  Reflect.defineProperty(prototype, name, descriptor);
  Reflect.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get() {
      if (this === process && hasOwnHandler()) attempt(work);
      return internal(prototype, name);
    },
    set(value: unknown) {
      if (this === process) Reflect.defineProperty(prototype, name, { ...descriptor, value });
      else Object.defineProperty(this, name, { ...descriptor, value });
    },
  });
}

function hasOwnHandler(): boolean {
  return process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback();
}

/** Adds a listener without `process.on`, which would emit `newListener`. */
function addLast(name: string, listener: () => void): void {
  const events = internal(process, '_events');
  if (!isObject(events)) return;
  const before = internal(events, name);
  const all: readonly unknown[] = Array.isArray(before) ? before : before === undefined ? [] : [before];
  Reflect.set(events, name, listenerList([...all, listener]));
}

/**
 * What is done around a call by which the program gives up the rights of its user or group. These functions may not
 * throw.
 */
export interface Leaving {
  readonly before: (name: string) => void;
  readonly after: () => void;
}

/** Watches the calls after which the program may no longer have access to our files. */
export function watchLeavingRights({ before, after }: Leaving): void {
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
