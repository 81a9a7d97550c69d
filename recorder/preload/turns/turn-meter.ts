import { host } from '../host/host.ts';

/** What this thread did in the turn that is going on. Times in ms, on the clock of `performance.now()`. */
export interface TurnMeter {
  /** A turn begins. */
  readonly begin: (time: number) => void;
  /** The turn has got this far, and has lasted a ms at least. */
  readonly lap: (time: number) => void;
  /** Times of the turn that ended at `end`, the recorder's own work included. */
  readonly ofTurn: (end: number) => ThreadTimes;
  /** Since some moment up to this one, from a reading of the last ms: two of them tell what lies between. */
  readonly upTo: (time: number) => ThreadTimes;
}

/** Times of a thread in ms. In the rest of the time by the clock, the thread slept. */
export interface ThreadTimes {
  /** It had a processor; −1 where that is not known. */
  readonly run: number;
  /** It was ready and waited for a processor that others had; −1 where nobody counts that. */
  readonly wait: number;
}

export function createTurnMeter(): TurnMeter {
  const meter = new SchedulerMeter();
  return meter.isOpen() ? meter : new CpuMeter();
}

/**
 * What Linux's scheduler counts of the calling thread, in ns: `/proc/thread-self/schedstat` holds how long it ran, how
 * long it was ready and waited for a processor, and how often it got one. Where the kernel counts nothing, all are 0.
 * Measured on Node 20 to 26: a reading takes 6 to 9 µs, the wait is right to 0.05 ms on average.
 */
class SchedulerMeter implements TurnMeter {
  private readonly bytes = host.bytesOf(' '.repeat(longestLine));
  private readonly fields = [0, 0, 0];
  private descriptor = -1;
  private openings = 0;
  private triedAt = -Infinity;
  private isKnown = false;
  /** At the last reading, in ns; and when that was. */
  private run = 0;
  private wait = 0;
  private time = 0;
  /** When the turn began; known from there to the last reading. */
  private runBefore = 0;
  private waitBefore = 0;
  private isWhole = false;

  constructor() {
    this.begin(host.performanceNow());
  }

  isOpen(): boolean {
    return this.isKnown;
  }

  begin(time: number): void {
    if (!this.isKnown && time - this.triedAt >= patience) this.reopen(time);
    if (time - this.time >= oldestReading) this.read(time);
    this.runBefore = this.run;
    this.waitBefore = this.wait;
    this.isWhole = this.isKnown;
  }

  lap(time: number): void {
    if (time - this.time >= oldestReading) this.read(time);
  }

  ofTurn(): ThreadTimes {
    if (!this.isWhole || !this.isKnown) return unknown;
    return { run: (this.run - this.runBefore) / 1e6, wait: (this.wait - this.waitBefore) / 1e6 };
  }

  upTo(time: number): ThreadTimes {
    this.lap(time);
    return this.isKnown ? { run: this.run / 1e6, wait: this.wait / 1e6 } : unknown;
  }

  /**
   * The wait first: to bring its time on a processor up to date ends the thread's time slice where that is over, and
   * then it waits (measured: 6 to 31 ms in half of the turns of a busy machine).
   */
  private read(time: number): void {
    if (!this.isKnown) return;
    const [run, wait] = [this.run, this.wait];
    this.isKnown = this.readFields();
    this.wait = this.fields[1] ?? 0;
    // Else the time on a processor would be that of the last clock tick, up to 4 ms old.
    host.processCpuUsage();
    this.isKnown &&= this.readFields();
    this.run = this.fields[0] ?? 0;
    this.time = time;
    // What goes back is another file's: the program has closed ours, and its number was given again.
    this.isKnown &&= this.run >= run && this.wait >= wait;
  }

  /** A program that closes all descriptors closes ours too. The number may be another file's by now: it is not closed. */
  private reopen(time: number): void {
    if (this.openings === mostOpenings) return;
    this.run = 0;
    this.wait = 0;
    this.descriptor = openCounts();
    this.isKnown = this.descriptor >= 0;
    if (this.isKnown) this.openings += 1;
    else this.triedAt = time;
    this.read(time);
  }

  /** False where the descriptor's text is not the scheduler's, or counts nothing. */
  private readFields(): boolean {
    const { bytes, fields } = this;
    try {
      const length = host.readSync(this.descriptor, bytes, 0, longestLine, 0);
      let field = 0;
      let value = 0;
      for (let at = 0; at < length; at += 1) {
        const byte = bytes[at] ?? 0;
        if (byte >= zero && byte <= zero + 9) value = value * 10 + byte - zero;
        else if (field < fields.length && byte === (field < 2 ? blank : newline)) {
          fields[field] = value;
          field += 1;
          value = 0;
        } else return false;
      }
      return field === fields.length && (fields[2] ?? 0) > 0;
    } catch {
      return false; // Closed by the program.
    }
  }
}

const unknown: ThreadTimes = { run: -1, wait: -1 };

/** Largest error in ms of a turn's wait at its begin and its end. */
const oldestReading = 1;
/** A program may close it again and again; where there is none to open, a second later there may be one. */
const mostOpenings = 10;
const patience = 1000;

/** Three numbers of 20 digits at most. */
const longestLine = 96;
const zero = 48;
const blank = 32;
const newline = 10;

/** Opens the counts of the calling thread; −1 where the system has none. */
function openCounts(): number {
  try {
    return process.platform === 'linux' ? host.openSync('/proc/thread-self/schedstat', 'r') : -1;
  } catch {
    return -1;
  }
}

/**
 * Where no scheduler tells what it counts: CPU time of this thread; where Node does not tell that (before 22.19), of the
 * whole process with its other threads, so that a turn never seems to have had less than it had. Times in ms.
 */
class CpuMeter implements TurnMeter {
  private cpu = host.cpuTime();
  private time = host.performanceNow();
  private begun = this.time;
  private spent = 0;

  /** Its CPU time counts from a reading of the last ms: one for each of ten thousand turns would cost. */
  begin(time: number): void {
    if (time - this.time > oldestReading) this.read(time);
    this.begun = time;
    this.spent = 0;
  }

  /** Only of long turns, and read anew where they have doubled: a reading takes up to 25 µs, and microtasks of 2 ms would each ask for one. */
  lap(time: number): void {
    if (time - this.begun < longTurn) return;
    if (time - this.time < Math.max(oldestReading, (time - this.begun) / 2)) return;
    const before = this.cpu;
    this.read(time);
    this.spent += this.cpu - before;
  }

  /** What the process did since the last lap is counted up to the time from there to the end. */
  ofTurn(end: number): ThreadTimes {
    if (end - this.begun < longTurn) return { run: -1, wait: -1 };
    const { cpu, time, spent } = this;
    this.read(host.performanceNow());
    return { run: spent + Math.min(this.cpu - cpu, Math.max(0, end - time)), wait: -1 };
  }

  /** Not asked for: the recorder's own work is short, and each reading takes up to 25 µs. */
  upTo(): ThreadTimes {
    return { run: -1, wait: -1 };
  }

  private read(time: number): void {
    this.cpu = host.cpuTime();
    this.time = time;
  }
}

/** Shorter turns are not measured. */
const longTurn = 10;
