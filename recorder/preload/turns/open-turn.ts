import { isMainThread } from 'node:worker_threads';
import { type CallbackKind, measureHookCost } from './callback-hooks.ts';
import { onRecordingClock } from '../host/clock.ts';
import type { Collections } from './collections.ts';
import { host } from '../host/host.ts';
import { type TurnLog, TurnHistogram } from './turn-log.ts';
import { createTurnMeter } from './turn-meter.ts';

/** Shorter turns are not written. In ms, as all times here. */
export const leastTurn = 1;
/** Turns that long are written soon: what comes next may be the end. */
const longTurn = 10;
/** Between two microtasks of one turn nothing else runs, but a collection or another process may take longer. */
const suspiciousGap = 1;
/** More microtasks in one turn are not watched one by one: to stop and to begin again costs as much as a hundred of them. */
const flood = 64;
/** Callbacks of one turn. From so many on their hooks are worth being measured; before, they cost about this. */
const manyCalls = 5_000;
const usualCost = 0.000_15;
/** Node itself takes a quarter of what a watched callback takes that does nothing (measured on 20 and 24). */
const mostOwn = 0.75;
/** The recorder's own work is written where it takes longer. */
const leastOwn = 0.2;

/**
 * The turn that is going on, or the last one until the next begins. Callbacks inside callbacks (an HTTP parser inside
 * a socket) are told by depth. The entry script is one turn too, with the microtasks after it: until the loop starts
 * nothing is told apart.
 */
export class OpenTurn {
  private start = host.performanceNow();
  private end = this.start;
  /** The loop's idle time so far when the turn began. */
  private idle = 0;
  /** A worker is given its entry by a message: that is a callback, and a turn, like any other. */
  private depth = isMainThread ? 0 : 1;
  private isEntry = isMainThread;
  /** Callbacks in it, inner ones too. */
  private calls = 0;
  /** Microtasks in it since they are watched. */
  private jobs = 0;
  /** Time of the recorder in it, without what it waited for a processor; and what of it was on one. */
  private ownTime = 0;
  private ownRun = 0;
  /** Cost of the hooks for each callback; 0 as long as it was not measured. */
  private callCost = 0;
  private readonly meter = createTurnMeter();
  private readonly histogram = new TurnHistogram();
  private readonly log: TurnLog;
  private readonly collections: Collections | null;

  constructor(log: TurnLog, collections: Collections | null) {
    this.log = log;
    this.collections = collections;
  }

  /** True where a turn begins. */
  enter(kindOf: () => CallbackKind): boolean {
    this.depth += 1;
    this.calls += 1;
    if (this.depth > 1) return false;
    const kind = kindOf();
    const isNew = this.isEntry ? this.hasEntryEnded() : this.beginsTurn(kind);
    if (isNew) {
      this.close();
      this.open();
    }
    if (kind !== 'macrotask') this.jobs += 1;
    return isNew;
  }

  /** How long the turn has taken; 0 inside another callback. */
  leave(): number {
    // After an uncaught error Node leaves more scopes than it entered.
    this.depth = Math.max(0, this.depth - 1);
    if (this.depth > 0) return 0;
    this.lap();
    return this.end - this.start;
  }

  isFlooded(): boolean {
    return this.jobs >= flood && this.depth === 0;
  }

  /** A flood is over, or has got so far: three callbacks of the recorder, which cost as much as being watched. */
  drained(): void {
    this.depth = 0;
    this.jobs = 0;
    this.calls += 3;
    this.lap();
  }

  own(work: () => void): void {
    const start = host.performanceNow();
    const before = this.meter.upTo(start);
    work();
    const end = host.performanceNow();
    const time = end - start;
    const after = this.meter.upTo(end);
    const ran = after.run - before.run;
    this.ownTime += time - Math.max(0, Math.min(time, after.wait - before.wait));
    // There may be no reading for short work.
    this.ownRun += ran > 0 ? Math.min(time, ran) : time;
    if (time >= leastOwn) this.log.add(['own', onRecordingClock(start), onRecordingClock(end)]);
  }

  sumUp(): void {
    this.log.add(this.histogram.take());
  }

  /** The last turn ends, now if the program is running. */
  finish(isFlood: boolean): void {
    if (this.isEntry || this.depth > 0 || isFlood) this.lap();
    this.close();
    this.open();
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
    if (this.end - this.start >= leastTurn) this.meter.lap(this.end);
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
    if (time < leastTurn) {
      this.histogram.add(time);
      return;
    }
    const isLong = time >= longTurn;
    const { run, wait } = this.meter.ofTurn(this.end);
    const { ownTime, ownRun } = this;
    const hooks = this.hookTime() + (isLong ? this.collectionTime(time) : 0);
    const ownHooks = Math.min(hooks, (run < 0 ? time : run) * mostOwn);
    const own = ownTime + ownHooks;
    // The readings at both ends may be a ms old.
    const waited = Math.min(wait, Math.max(0, time - run));
    this.histogram.add(Math.max(0, time - own - Math.max(0, waited)));
    if (time - own < leastTurn) return;
    const ran = run < 0 ? -1 : inUs(Math.max(0, run - ownRun - ownHooks));
    const clock = [onRecordingClock(this.start), onRecordingClock(this.end)] as const;
    this.log.add(['turn', ...clock, ran, inUs(own), wait < 0 ? -1 : inUs(waited)]);
    if (isLong) this.own(() => this.log.flushInTime());
  }

  /** What it took to count the collections in it. */
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

  /** What the hooks themselves took: what one call takes is measured when there have been so many that it is compiled. */
  private hookTime(): number {
    if (this.calls < manyCalls) return this.calls * usualCost;
    if (this.callCost === 0) {
      const { calls } = this;
      this.depth += 1;
      this.callCost = measureHookCost();
      this.depth -= 1;
      this.calls = calls;
    }
    return this.calls * this.callCost;
  }

  /** Ticks, of which there are twice as many as all else in a server, are not asked when they run. */
  private beginsTurn(kind: CallbackKind): boolean {
    return kind === 'macrotask' || (kind === 'promise' && this.hasIdled());
  }

  /**
   * Some microtasks come from nowhere, in a turn that no hook sees (compiled WebAssembly, `Atomics.waitAsync`).
   * Idle time is under-counted by nine tenths while the profiler runs, but it never grows inside a turn.
   */
  private hasIdled(): boolean {
    return host.performanceNow() - this.end > suspiciousGap && host.nodeTiming.idleTime > this.idle;
  }
}

function inUs(ms: number): number {
  return Math.round(ms * 1000);
}
