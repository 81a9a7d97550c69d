import type { Microseconds } from '../../protocol/units.ts';
import { loopStart, now } from './clock.ts';
import { host } from './host.ts';
import type { Output } from './output.ts';
import type { Run } from './run.ts';
import type { TurnLog } from './turn-log.ts';
import { openTurnLog } from './turn-log.ts';

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
/** Between two microtasks of one turn nothing else runs, but a collection or another process may take longer. In µs. */
const suspiciousGap = 1_000;

/**
 * A turn is one macrotask's callback and all microtasks and ticks after it, until the next macrotask starts; its end
 * is the last callback's. Only `before` and `after` are hooked: `init` costs four times as much on promises.
 */
export function measureTurns(run: Run, output: Output): Turns {
  const log = openTurnLog(run, output);
  const turn = new OpenTurn(log);
  const own = (work: () => void): void => {
    const start = turn.interrupt();
    work();
    log.add(['own', start, turn.resume()]);
  };
  const hook = host.createHook({
    before: () => turn.enter(),
    after: () => {
      if (turn.leave() >= leastTurn) log.flushSoon(own);
    },
  });
  hook.enable();
  return {
    own,
    finish: () => {
      turn.interrupt();
      turn.resume();
      log.flush();
    },
    stop: () => void hook.disable(),
  };
}

/**
 * The turn that is going on, or the last one until the next begins. Callbacks inside callbacks (an HTTP parser inside
 * a socket) are told by depth. The entry script is one turn too, with the microtasks after it: until the loop starts
 * nothing is told apart.
 */
class OpenTurn {
  private start = now();
  private end = this.start;
  /** The loop's idle time so far when the turn began. */
  private idle = 0;
  private depth = 0;
  private isEntry = true;
  private readonly log: TurnLog;

  constructor(log: TurnLog) {
    this.log = log;
  }

  enter(): void {
    this.depth += 1;
    if (this.depth > 1) return;
    if (this.isEntry) {
      const started = loopStart();
      if (started <= 0) return;
      this.isEntry = false;
      this.close(started);
      this.open();
    } else if (!isMicrotask(host.executionAsyncResource()) || this.hasIdled()) {
      this.close(this.end);
      this.open();
    }
  }

  /** How long the turn has taken, in µs; 0 inside another callback. */
  leave(): number {
    // After an uncaught error Node leaves more scopes than it entered.
    this.depth = Math.max(0, this.depth - 1);
    if (this.depth > 0) return 0;
    this.end = now();
    return this.end - this.start;
  }

  /** Ends the turn before its time, now if the program is running. Now. */
  interrupt(): Microseconds {
    const time = now();
    this.close(this.isEntry || this.depth > 0 ? time : this.end);
    return time;
  }

  /** What follows counts as a turn of its own. Now. */
  resume(): Microseconds {
    this.open();
    return this.start;
  }

  private open(): void {
    this.start = now();
    this.end = this.start;
    this.idle = host.nodeTiming.idleTime;
  }

  private close(end: Microseconds): void {
    if (end - this.start >= leastTurn) this.log.add(['turn', this.start, end, -1]);
    if (end - this.start >= longTurn) this.log.flush();
  }

  /**
   * Some microtasks come from nowhere, in a turn that no hook sees (compiled WebAssembly, `Atomics.waitAsync`).
   * Idle time is under-counted by nine tenths while the profiler runs, but it never grows inside a turn.
   */
  private hasIdled(): boolean {
    return now() - this.end > suspiciousGap && host.nodeTiming.idleTime > this.idle;
  }
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
