import { type CallbackKind, hookCallbacks, measureHookCost, watchFloods } from './callback-hooks.ts';
import { attempt, host, onRecordingClock } from '../host/host.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import type { Collections } from './collections.ts';
import { type TurnLog, TurnHistogram } from './turn-log.ts';
import { createTurnMeter, type ThreadTimes } from './turn-meter.ts';
import { isMainThread } from 'node:worker_threads';

/** Measures the turns of this thread's event loop, from here on. */
export interface Turns {
  /** Runs the recorder's own work, whose time is subtracted from the current turn. */
  readonly own: (work: () => void) => void;
  /** The recorder's own work begins, until the result is called. */
  readonly beginOwn: () => () => void;
  /**
   * What the hooks do not see may be about to be called: a clean-up, and the process's listeners of `beforeExit` and `exit`,
   * between two turns, those of a rejection behind the ticks of one. `isLast`: they are those of `exit`, and `finish` comes
   * after them.
   */
  readonly emits: (isLast: boolean, isBetweenTurns: boolean) => void;
  /** Writes the number of turns of each length, and the collections, since the last call. */
  readonly sumUp: () => void;
  /** Closes the open turn (the loop is over, or about to be) and writes everything. */
  readonly finish: () => void;
  readonly stop: () => void;
}

/** Where measuring begins: at the start of the thread, or in one that ran before. */
export type Beginning = 'start' | 'between turns' | 'within a turn';

/** A turn is a macrotask's callback with all microtasks and ticks until the next; it ends with the last callback. */
export function measureTurns(log: TurnLog, collections: Collections | null, from: Beginning = 'start'): Turns {
  const turn = new OpenTurn(log, collections, from);
  const own = (work: () => void): void => turn.own(work);
  const enter = (kindOf: () => CallbackKind): void => {
    if (turn.enter(kindOf)) floods.reset();
  };
  const leave = (): void => {
    if (turn.leave() >= MIN_TURN_MS) log.flushSoon(own);
    if (turn.isFlooded()) floods.begin();
    else floods.left(turn.kindOver());
  };
  const hooks = hookCallbacks(enter, leave);
  const floods = watchFloods(hooks, () => turn.drained());
  hooks.enable();
  return {
    own,
    beginOwn: () => turn.beginOwn(),
    emits: (isLast, isBetweenTurns) => {
      if (floods.isOn() || !turn.isOver()) return;
      enter(() => (isBetweenTurns ? 'macrotask' : 'tick'));
      // It is the first tick after the listeners.
      if (!isLast) host.nextTick(leave);
    },
    sumUp: () => {
      turn.sumUp();
      collections?.sumUp();
      log.flush(turn.openSince());
    },
    finish: () => {
      turn.finish(floods.isOn());
      turn.sumUp();
      collections?.finish();
      attempt(() => turn.release());
      log.flush();
    },
    stop: () => {
      if (floods.isOn()) floods.end();
      hooks.disable();
    },
  };
}

/** Shorter turns are not written. All times here are in ms. */
const MIN_TURN_MS = 1;
/** Turns of this length are written soon, because the program may end next. */
const LONG_TURN_MS = 10;
/** Between two microtasks of one turn nothing else runs; a longer gap may be a collection or another process. */
const MAX_GAP_MS = 1;
/** More microtasks in one turn are not watched singly: stopping and starting again costs as much as a hundred of them. */
const FLOOD = 64;
/** From this number of callbacks in a turn, the cost of their hooks is measured; below it, each costs the usual time. */
const MIN_MEASURED_CALLS = 5_000;
const USUAL_COST_MS = 0.000_15;
/** Limit for the hooks' share of a turn: Node itself takes a quarter of a watched empty callback (measured on 20, 24). */
const MAX_OWN_SHARE = 0.75;
/** The recorder's own work is written where it took longer. */
const MIN_OWN_MS = 0.2;

/**
 * The current turn, or the last one until the next begins. Callbacks inside callbacks (an HTTP parser inside a socket)
 * are recognised by depth. The entry script and its microtasks are one turn, too: until the loop starts they cannot be
 * distinguished.
 */
class OpenTurn {
  private start = host.performanceNow();
  private end = this.start;
  /** The loop's idle time up to the beginning of the turn. */
  private idle = host.nodeTiming.idleTime;
  /** The loop's progress at the last end of a callback by which the turn had lasted `MIN_TURN_MS`. */
  private progress = loopProgress();
  private depth: number;
  private isEntry: boolean;
  /** Measuring began within a callback, which is not known to have ended: Node may call no hook at its end. */
  private isInherited: boolean;
  /** Of the last callback that was not inside another one. */
  private kind: CallbackKind = 'macrotask';
  /** Number of callbacks in the turn, inner ones included. */
  private calls = 0;
  /** Number of microtasks in the turn since they are watched. */
  private jobs = 0;
  /** Time of the recorder's own work in the turn, without its waits for a CPU; and its time on a CPU. */
  private ownTime = 0;
  private ownRun = 0;
  /** How many such works are going on, since when, and what the thread had run and waited up to then. */
  private ownWorks = 0;
  private ownSince = 0;
  private ownBefore: ThreadTimes = { run: 0, wait: 0 };
  /** Cost of the hooks for each callback; 0 until it was measured. */
  private callCost = 0;
  private readonly meter = createTurnMeter();
  /** As last written. */
  private step = 0;
  private readonly histogram = new TurnHistogram();
  private readonly log: TurnLog;
  private readonly collections: Collections | null;

  constructor(log: TurnLog, collections: Collections | null, from: Beginning) {
    // The program may be in its entry script still.
    this.isEntry = isMainThread && (from === 'start' || host.nodeTiming.loopStart <= 0);
    this.isInherited = from === 'within a turn' && !this.isEntry;
    // A worker gets its entry script by a message, so that is a callback and a turn like any other.
    this.depth = this.isInherited || (from === 'start' && !isMainThread) ? 1 : 0;
    this.log = log;
    this.collections = collections;
  }

  /** A callback begins. True where a turn begins with it. */
  enter(kindOf: () => CallbackKind): boolean {
    this.settle();
    this.depth += 1;
    this.calls += 1;
    if (this.depth > 1) return false;
    const kind = kindOf();
    this.kind = kind;
    const isNew = this.isEntry ? this.hasEntryEnded() : this.beginsTurn(kind);
    if (isNew) {
      this.close();
      this.open();
    }
    if (kind !== 'macrotask') this.jobs += 1;
    return isNew;
  }

  /** A callback ends. Returns how long the turn has lasted; 0 inside another callback. */
  leave(): number {
    // After an uncaught error Node leaves more scopes than it entered.
    this.depth = Math.max(0, this.depth - 1);
    if (this.depth === 0) this.isInherited = false;
    else if (!this.isInherited) return 0;
    this.lap();
    return this.end - this.start;
  }

  /** The callback in which measuring began is over once the loop has gone on. */
  private settle(): void {
    if (!this.isInherited) return;
    if (loopProgress() === this.progress && host.nodeTiming.idleTime <= this.idle) return;
    this.isInherited = false;
    this.depth = 0;
  }

  /** The kind of the callback that is over; null inside another one. */
  kindOver(): CallbackKind | null {
    return this.depth === 0 ? this.kind : null;
  }

  isFlooded(): boolean {
    return this.jobs >= FLOOD && this.depth === 0;
  }

  /** A round of a flood is over. It adds three callbacks of the recorder, which cost as much as watched ones. */
  drained(): void {
    this.depth = 0;
    this.jobs = 0;
    this.calls += 3;
    this.lap();
  }

  own(work: () => void): void {
    const end = this.beginOwn();
    try {
      work();
    } finally {
      end();
    }
  }

  /** Works that overlap count as one: the inspector begins one in the middle of another, which may end first. */
  beginOwn(): () => void {
    this.ownWorks += 1;
    if (this.ownWorks === 1) {
      this.ownSince = host.performanceNow();
      this.ownBefore = this.meter.upTo(this.ownSince);
    }
    return () => this.endOwn();
  }

  private endOwn(): void {
    this.ownWorks -= 1;
    if (this.ownWorks > 0) return;
    const { ownSince: start, ownBefore: before } = this;
    const end = host.performanceNow();
    const time = end - start;
    const after = this.meter.upTo(end);
    const ran = after.run - before.run;
    this.ownTime += time - Math.max(0, Math.min(time, after.wait - before.wait));
    // For short work there may be no new reading.
    this.ownRun += ran > 0 ? Math.min(time, ran) : time;
    if (time >= MIN_OWN_MS) this.log.add(['own', onRecordingClock(start), onRecordingClock(end)]);
  }

  sumUp(): void {
    this.log.add(this.histogram.take());
  }

  /** Ends the last turn; it ends now if the program is running. */
  finish(isFlood: boolean): void {
    this.settle();
    if (this.isEntry || this.depth > 0 || isFlood) this.lap();
    this.close();
    this.open();
  }

  /** Whether no callback is running, and the entry script has ended. */
  isOver(): boolean {
    return this.depth === 0 && !(this.isEntry && host.nodeTiming.loopStart <= 0);
  }

  /** When the current turn began; undefined between two turns. */
  openSince(): Microseconds | undefined {
    this.settle();
    return this.isEntry || this.depth > 0 ? onRecordingClock(this.start) : undefined;
  }

  /** Closes the file descriptor that measuring needs. */
  release(): void {
    this.meter.close();
  }

  private hasEntryEnded(): boolean {
    const { loopStart } = host.nodeTiming;
    if (loopStart <= 0) return false;
    this.isEntry = false;
    this.lap();
    this.end = loopStart;
    return true;
  }

  private lap(): void {
    this.end = host.performanceNow();
    if (this.end - this.start < MIN_TURN_MS) return;
    this.meter.lap(this.end);
    this.progress = loopProgress();
  }

  private open(): void {
    this.start = host.performanceNow();
    this.end = this.start;
    this.idle = host.nodeTiming.idleTime;
    this.calls = 0;
    this.jobs = 0;
    this.ownTime = 0;
    this.ownRun = 0;
    this.meter.begin(this.start);
  }

  private close(): void {
    const time = this.end - this.start;
    if (time < MIN_TURN_MS) {
      this.histogram.add(time);
      return;
    }
    const isLong = time >= LONG_TURN_MS;
    const { run, wait } = this.meter.ofTurn(this.end);
    const { ownTime, ownRun } = this;
    const hooks = this.hookTime() + (isLong ? this.collectionTime(time) : 0);
    const ownHooks = Math.min(hooks, (run < 0 ? time : run) * MAX_OWN_SHARE);
    const own = ownTime + ownHooks;
    // The readings at both ends may be 1 ms old.
    const waited = Math.min(wait, Math.max(0, time - run));
    this.histogram.add(Math.max(0, time - own - Math.max(0, waited)));
    if (time - own < MIN_TURN_MS) return;
    const ran = run < 0 ? -1 : inUs(Math.max(0, run - ownRun - ownHooks));
    const clock = [onRecordingClock(this.start), onRecordingClock(this.end)] as const;
    this.noteStep();
    this.log.add(['turn', ...clock, ran, inUs(own), wait < 0 ? -1 : inUs(waited)]);
    if (isLong) this.own(() => this.log.flushInTime());
  }

  private noteStep(): void {
    const step = this.meter.step();
    if (step !== this.step) this.log.add(['clock', inUs(step)]);
    this.step = step;
  }

  /** Time to count the collections in the turn. */
  private collectionTime(time: number): number {
    const { collections } = this;
    const counting = { cost: 0 };
    if (collections !== null) {
      this.own(() => {
        counting.cost = collections.costIn(time);
      });
    }
    return counting.cost;
  }

  /** Time of the hooks in the turn. The cost of one call is measured once so many calls have compiled it. */
  private hookTime(): number {
    if (this.calls < MIN_MEASURED_CALLS) return this.calls * USUAL_COST_MS;
    if (this.callCost === 0) {
      const { calls } = this;
      this.depth += 1;
      this.callCost = measureHookCost();
      this.depth -= 1;
      this.calls = calls;
    }
    return this.calls * this.callCost;
  }

  /**
   * Some microtasks come in a turn that no hook sees (compiled WebAssembly, `Atomics.waitAsync`): the loop was idle before
   * them, or went on. Node counts only a tenth of the idle time while the profiler runs, but none inside a turn. It is not
   * read for ticks: a server has twice as many of them as of all other callbacks.
   */
  private beginsTurn(kind: CallbackKind): boolean {
    if (kind !== 'promise') return kind === 'macrotask';
    if (this.end - this.start >= MIN_TURN_MS && loopProgress() !== this.progress) return true;
    return host.performanceNow() - this.end > MAX_GAP_MS && host.nodeTiming.idleTime > this.idle;
  }
}

/** Grows with each round of the loop, and each event in one; 0 before Node 20.18. Reading it takes 0.2 µs. */
function loopProgress(): number {
  const { loopCount, events } = host.nodeTiming.uvMetricsInfo ?? { loopCount: 0, events: 0 };
  return loopCount + events;
}

function inUs(ms: number): number {
  return Math.round(ms * 1000);
}
