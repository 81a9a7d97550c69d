import { attempt, call, internal, isObject, replace } from '../host/host.ts';
import { endsProcess, hideHandlers, type Conduct, type HiddenHandlers, listenerList } from './signals.ts';

/**
 * Every end but SIGKILL passes here: a natural one and an uncaught error after the program's own `exit` listeners,
 * `process.exit`, `abort`, a signal to itself, `execve`, and the signals that tools send to end a process.
 */
export function watchEnding(conduct: Conduct, isMain: boolean): void {
  const signals = isMain && process.platform !== 'win32' ? hideHandlers(conduct) : null;
  watchEmit(() => conduct.finish('exit'), signals);
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
 * `process.emit` as a getter: it hands out the program's own function, so that no frame of ours stands in the stacks of
 * its listeners, except while a signal is armed. Asked for it while the process is exiting, it adds the last listener. Asked again, a
 * listener before that one may have thrown, which Node is about to tell: it finishes then.
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
      // jest gives its tests a copy of `process`, with this very property.
      if (this === process) state.emit = value;
      else Object.defineProperty(this, 'emit', { value, configurable: true, enumerable: true, writable: true });
    },
  });
}

/** Adds a listener without `process.on`, which would tell `newListener`. */
function addLast(name: string, listener: () => void): void {
  const events = internal(process, '_events');
  if (!isObject(events)) return;
  const before = internal(events, name);
  const all: readonly unknown[] = Array.isArray(before) ? before : before === undefined ? [] : [before];
  Reflect.set(events, name, listenerList([...all, listener]));
}

/** What is done around a call by which the program gives up the rights of its user or group. Nothing here may throw. */
export interface Leaving {
  readonly before: (name: string) => void;
  readonly after: () => void;
}

/** From then on our files may not be there for it any more. */
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
