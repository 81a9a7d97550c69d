import { isMainThread } from 'node:worker_threads';
import { type CallbackKind, measureHookCost } from './callback-hooks.ts';
import { onRecordingClock } from '../host/clock.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import type { Collections } from './collections.ts';
import { host } from '../host/host.ts';
import { type TurnLog, TurnHistogram } from './turn-log.ts';
import { createTurnMeter } from './turn-meter.ts';

/** Shorter turns are not written. In ms, as all times here. */
export const leastTurn = 1;
/** Turns of this length are written soon, because the program may end next. */
const longTurn = 10;
/**
 * Between two microtasks of one turn nothing else runs; a longer gap than this may be a collection or another process.
 */
const suspiciousGap = 1;
/**
 * After this number of microtasks in one turn they are no longer watched one by one: stopping and starting again costs
 * as much as a hundred of them.
 */
const flood = 64;
/**
 * From this number of callbacks in a turn, the cost of their hooks is measured; below it, the usual cost of each is
 * used.
 */
const manyCalls = 5_000;
const usualCost = 0.000_15;
/**
 * Largest share of a turn that counts as cost of the hooks: Node itself takes a quarter of the time of a watched empty
 * callback (measured on 20 and 24).
 */
const mostOwn = 0.75;
/** The recorder's own work is written where it took longer. */
const leastOwn = 0.2;

/**
 * The current turn, or the last one until the next begins. Callbacks inside callbacks (an HTTP parser inside a socket)
 * are recognised by depth. The entry script and the microtasks after it are one turn, too: until the loop starts they
 * cannot be distinguished.
 */
export class OpenTurn {
  private start = host.performanceNow();
  private end = this.start;
  /** The loop's idle time up to the beginning of the turn. */
  private idle = 0;
  /** A worker gets its entry script by a message, so that is a callback and a turn like any other. */
  private depth = isMainThread ? 0 : 1;
  private isEntry = isMainThread;
  /** Number of callbacks in the turn, inner ones included. */
  private calls = 0;
  /** Number of microtasks in the turn since they are watched. */
  private jobs = 0;
  /**
   * Time of the recorder's own work in the turn, without its waits for a processor; and the part of it on a processor.
   */
  private ownTime = 0;
  private ownRun = 0;
  /** Cost of the hooks for each callback; 0 until it was measured. */
  private callCost = 0;
  private readonly meter = createTurnMeter();
  private readonly histogram = new TurnHistogram();
  private readonly log: TurnLog;
  private readonly collections: Collections | null;

  constructor(log: TurnLog, collections: Collections | null) {
    this.log = log;
    this.collections = collections;
  }

  /** A callback begins. True where a turn begins with it. */
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

  /** A callback ends. Returns how long the turn has lasted; 0 inside another callback. */
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

  /** A round of a flood is over. It adds three callbacks of the recorder, which cost as much as watched ones. */
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
    // For short work there may be no new reading.
    this.ownRun += ran > 0 ? Math.min(time, ran) : time;
    if (time >= leastOwn) this.log.add(['own', onRecordingClock(start), onRecordingClock(end)]);
  }

  sumUp(): void {
    this.log.add(this.histogram.take());
  }

  /** Ends the last turn; it ends now if the program is running. */
  finish(isFlood: boolean): void {
    if (this.isEntry || this.depth > 0 || isFlood) this.lap();
    this.close();
    this.open();
  }

  /** When the present turn began; undefined between two turns. */
  openSince(): Microseconds | undefined {
    return this.isEntry || this.depth > 0 ? onRecordingClock(this.start) : undefined;
  }

  /** Gives up what measuring needs of the system. */
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
    // The readings at both ends may be 1 ms old.
    const waited = Math.min(wait, Math.max(0, time - run));
    this.histogram.add(Math.max(0, time - own - Math.max(0, waited)));
    if (time - own < leastTurn) return;
    const ran = run < 0 ? -1 : inUs(Math.max(0, run - ownRun - ownHooks));
    const clock = [onRecordingClock(this.start), onRecordingClock(this.end)] as const;
    this.log.add(['turn', ...clock, ran, inUs(own), wait < 0 ? -1 : inUs(waited)]);
    if (isLong) this.own(() => this.log.flushInTime());
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

  /** Time of the hooks in the turn. The cost of one call is measured after so many calls that it is compiled. */
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

  /** Idle time is not read for ticks: a server has twice as many of them as of all other callbacks. */
  private beginsTurn(kind: CallbackKind): boolean {
    return kind === 'macrotask' || (kind === 'promise' && this.hasIdled());
  }

  /**
   * Whether the loop was idle before this microtask. Some microtasks come in a turn that no hook sees (compiled
   * WebAssembly, `Atomics.waitAsync`). Idle time is under-counted by nine tenths while the profiler runs, but it never
   * grows inside a turn.
   */
  private hasIdled(): boolean {
    return host.performanceNow() - this.end > suspiciousGap && host.nodeTiming.idleTime > this.idle;
  }
}

function inUs(ms: number): number {
  return Math.round(ms * 1000);
}
