import type { Microseconds } from '../../protocol/units.ts';
import { microseconds } from '../../protocol/units.ts';
import type { TurnLine } from '../../protocol/recording.ts';
import { turnsSuffix } from '../../protocol/recording.ts';
import { loopStart, now } from './clock.ts';
import { host } from './host.ts';
import type { Output } from './output.ts';
import type { Run } from './run.ts';

/** The measured turns of this thread's event loop, from here on. */
export interface Turns {
  /** Runs the recorder's own work and marks it, so that nobody takes it for the program's. */
  readonly own: (work: () => void) => void;
  /** Closes the turn that is open (the loop is over, or about to be) and writes everything. */
  readonly finish: () => void;
  readonly stop: () => void;
}

/** Shorter turns are not written. In µs. */
const leastTurn = 1_000;
/** Turns that long are written at once: what comes next may be the end. In µs. */
const longTurn = 10_000;
/** Shorter ones wait for company. In ms. */
const flushDelay = 250;
/** Between two microtasks of one turn nothing else runs, but a collection or another process may take longer. In µs. */
const suspiciousGap = 1_000;

/**
 * A turn is one macrotask's callback and all microtasks and ticks after it, until the next macrotask starts; its end
 * is the last callback's. Only `before` and `after` are hooked: `init` costs four times as much on promises.
 * Callbacks inside callbacks (an HTTP parser inside a socket) are counted by depth. The entry script is one turn too,
 * with the microtasks after it: until the loop starts nothing is told apart.
 */
export function measureTurns(run: Run, output: Output): Turns {
  const turn = { start: now(), end: microseconds(-1), idle: 0, depth: 0, isEntry: true };
  const log = openLog(run, output);

  const close = (end: Microseconds): void => {
    if (end - turn.start >= leastTurn) log.add(['turn', turn.start, end, -1]);
    if (end - turn.start >= longTurn) log.flush();
  };
  const open = (): void => {
    close(turn.end);
    turn.start = now();
    turn.end = turn.start;
    turn.idle = host.nodeTiming.idleTime;
  };
  const hook = host.createHook({
    before() {
      turn.depth += 1;
      if (turn.depth > 1) return;
      if (turn.isEntry) {
        const started = loopStart();
        if (started <= 0) return;
        turn.isEntry = false;
        turn.end = started;
        open();
      } else if (!isMicrotask(host.executionAsyncResource()) || hasIdled(turn)) {
        open();
      }
    },
    after() {
      // After an uncaught error Node leaves more scopes than it entered.
      turn.depth = Math.max(0, turn.depth - 1);
      if (turn.depth > 0) return;
      turn.end = now();
      if (turn.end - turn.start >= leastTurn) log.flushSoon(own);
    },
  });
  hook.enable();

  function own(work: () => void): void {
    const start = now();
    close(turn.isEntry || turn.depth > 0 ? start : turn.end);
    work();
    turn.start = now();
    turn.end = turn.start;
    log.add(['own', start, turn.start]);
  }
  return {
    own,
    finish: () => {
      close(turn.isEntry || turn.depth > 0 ? now() : turn.end);
      turn.start = now();
      turn.end = turn.start;
      log.flush();
    },
    stop: () => void hook.disable(),
  };
}

/**
 * A promise (of any realm), a `process.nextTick` job (a plain object) or a `queueMicrotask` job: it belongs to the
 * turn before it. A socket's write request has a `callback` too, but a class of its own.
 */
function isMicrotask(resource: object): boolean {
  if (host.isPromise(resource)) return true;
  const prototype: unknown = Object.getPrototypeOf(resource);
  return (prototype === Object.prototype || prototype === host.AsyncResource.prototype) && 'callback' in resource;
}

/**
 * Some microtasks come from nowhere, in a turn that no hook sees (compiled WebAssembly, `Atomics.waitAsync`).
 * Idle time is under-counted by nine tenths while the profiler runs, but it never grows inside a turn.
 */
function hasIdled(turn: { readonly end: Microseconds; readonly idle: number }): boolean {
  return now() - turn.end > suspiciousGap && host.nodeTiming.idleTime > turn.idle;
}

interface TurnLog {
  readonly add: (line: TurnLine) => void;
  readonly flush: () => void;
  /** Flushes from a timer that keeps nothing alive. */
  readonly flushSoon: (own: (work: () => void) => void) => void;
}

function openLog(run: Run, output: Output): TurnLog {
  const state: { lines: string; isTimerSet: boolean } = { lines: '', isTimerSet: false };
  const flush = (): void => {
    const lines = `${state.lines}${JSON.stringify(['mark', now()] satisfies TurnLine)}\n`;
    if (output.append(`${run.isolate}${turnsSuffix}`, lines)) state.lines = '';
  };
  return {
    add: (line) => {
      state.lines += `${JSON.stringify(line)}\n`;
    },
    flush,
    flushSoon: (own) => {
      if (state.isTimerSet) return;
      state.isTimerSet = true;
      host.setTimeout(() => {
        state.isTimerSet = false;
        own(flush);
      }, flushDelay).unref();
    },
  };
}
