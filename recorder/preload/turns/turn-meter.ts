import { host, undisturbed } from '../host/host.ts';

/** Measures how long this thread ran and waited in a turn. Times in ms, on the clock of `performance.now()`. */
interface TurnMeter {
  /** A turn begins. */
  readonly begin: (time: number) => void;
  /** The turn is at this time, and has lasted 1 ms at least. */
  readonly lap: (time: number) => void;
  /** Times of the turn that ended at `end`, including the recorder's own work. */
  readonly ofTurn: (end: number) => ThreadTimes;
  /** The CPU clock moves in steps of so many ms; 0 where it does not. */
  readonly step: () => number;
  /** Times from a fixed moment to this one, from a reading of the last ms. */
  readonly upTo: (time: number) => ThreadTimes;
  /** Closes its file descriptor, so that the rest can be saved where the program has none left. It stops measuring. */
  readonly close: () => void;
}

/** Times of a thread in ms. In the rest of the elapsed time the thread slept. */
export interface ThreadTimes {
  /** The thread ran on a CPU; −1 where this is not known. */
  readonly run: number;
  /** The thread was ready and waited for a CPU; −1 where this is not known. */
  readonly wait: number;
}

export function createTurnMeter(): TurnMeter {
  const meter = new SchedulerMeter();
  return meter.isOpen() ? meter : new CpuMeter();
}

/**
 * Reads what Linux's scheduler counts for the calling thread: `/proc/thread-self/schedstat` has how long it ran and how
 * long it was ready and waited for a CPU, in ns, and how often it got one. All are 0 where the kernel does not count.
 * Measured on Node 20 to 26: a reading takes 6 to 9 µs, and the wait is right to 0.05 ms on average.
 */
class SchedulerMeter implements TurnMeter {
  private readonly bytes = host.bytesOf(' '.repeat(MAX_LINE));
  private readonly fields = [0, 0, 0];
  private descriptor = -1;
  private openings = 0;
  private triedAt = -Infinity;
  private isKnown = false;
  /** Both at the last reading, in ns; and the time of that reading. */
  private run = 0;
  private wait = 0;
  private time = 0;
  /** Both at the beginning of the turn. `isWhole`: they were known then. */
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
    if (!this.isKnown && time - this.triedAt >= PAUSE_MS) this.reopen(time);
    if (time - this.time >= MAX_AGE_MS) this.read(time);
    this.runBefore = this.run;
    this.waitBefore = this.wait;
    this.isWhole = this.isKnown;
  }

  lap(time: number): void {
    if (time - this.time >= MAX_AGE_MS) this.read(time);
  }

  ofTurn(): ThreadTimes {
    if (!this.isWhole || !this.isKnown) return unknown;
    return { run: (this.run - this.runBefore) / 1e6, wait: (this.wait - this.waitBefore) / 1e6 };
  }

  step(): number {
    return 0;
  }

  upTo(time: number): ThreadTimes {
    this.lap(time);
    return this.isKnown ? { run: this.run / 1e6, wait: this.wait / 1e6 } : unknown;
  }

  close(): void {
    if (this.isKnown && this.readFields()) host.closeSync(this.descriptor);
    this.isKnown = false;
    this.openings = MAX_OPENINGS;
  }

  /**
   * Reads the counts, the wait first: updating the time on a CPU ends the thread's time slice where that is over, and
   * then the thread waits (measured: 6 to 31 ms in half of the turns of a busy machine).
   */
  private read(time: number): void {
    if (!this.isKnown) return;
    const [run, wait] = [this.run, this.wait];
    this.isKnown = this.readFields();
    this.wait = this.fields[1] ?? 0;
    // Updates the time on a CPU, which would otherwise be that of the last clock tick, up to 4 ms old.
    host.processCpuUsage();
    this.isKnown &&= this.readFields();
    this.run = this.fields[0] ?? 0;
    this.time = time;
    // Counts that go back are from another file, which has got the descriptor after the program closed it.
    this.isKnown &&= this.run >= run && this.wait >= wait;
  }

  /** Opens the counts. An old descriptor that the program has closed is left alone: it may belong to another file now. */
  private reopen(time: number): void {
    if (this.openings === MAX_OPENINGS) return;
    this.run = 0;
    this.wait = 0;
    this.descriptor = openCounts();
    this.isKnown = this.descriptor >= 0;
    if (this.isKnown) this.openings += 1;
    else this.triedAt = time;
    this.read(time);
  }

  /** Reads the three numbers. False where the text is not the scheduler's, or the scheduler does not count. */
  private readFields(): boolean {
    const { bytes, fields } = this;
    try {
      const length = undisturbed(() => host.readSync(this.descriptor, bytes, 0, MAX_LINE, 0));
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
      return false; // The program has closed it.
    }
  }
}

const unknown: ThreadTimes = { run: -1, wait: -1 };

/** Age of the oldest reading that is used for the begin or the end of a turn: the largest error of a turn's wait. */
const MAX_AGE_MS = 1;
/** Limit for opening the counts, which a program may close again and again; and the pause after a failure. */
const MAX_OPENINGS = 10;
const PAUSE_MS = 1000;

/** In bytes: three numbers with at most 20 digits. */
const MAX_LINE = 96;
const zero = 48;
const blank = 32;
const newline = 10;

/** A descriptor for the counts of the calling thread; −1 where the system has none. */
function openCounts(): number {
  try {
    return process.platform === 'linux' ? undisturbed(() => host.openSync('/proc/thread-self/schedstat', 'r')) : -1;
  } catch {
    return -1;
  }
}

/**
 * Measures by CPU time, where the scheduler's counts cannot be read: CPU time of this thread; before Node 22.19 that of
 * the whole process with its other threads, so that a turn never seems to have run shorter than it did. Times in ms.
 */
class CpuMeter implements TurnMeter {
  private cpu = host.cpuTime();
  private time = host.performanceNow();
  private begun = this.time;
  private spent = 0;
  private tick = isSmooth() ? 0 : MAX_STEP_MS;
  readonly close = keepDescriptor(process.execPath);

  /** CPU time counts from a reading of the last ms: reading it for each of ten thousand turns would cost too much. */
  begin(time: number): void {
    if (time - this.time > MAX_AGE_MS) this.read(time);
    this.begun = time;
    this.spent = 0;
  }

  /** Reads CPU time in long turns only, and again when their length has doubled: a reading takes up to 25 µs. */
  lap(time: number): void {
    if (time - this.begun < LONG_TURN_MS) return;
    if (time - this.time < Math.max(MAX_AGE_MS, (time - this.begun) / 2)) return;
    const before = this.cpu;
    this.read(time);
    this.spent += this.cpu - before;
  }

  /** CPU time since the last lap counts at most as the time from there to the end of the turn. */
  ofTurn(end: number): ThreadTimes {
    if (end - this.begun < LONG_TURN_MS) return unknown;
    const { cpu, time, spent } = this;
    this.read(host.performanceNow());
    return { run: spent + Math.min(this.cpu - cpu, Math.max(0, end - time)), wait: -1 };
  }

  step(): number {
    return this.tick;
  }

  /** Not measured: the recorder's own work is short. */
  upTo(): ThreadTimes {
    return unknown;
  }

  private read(time: number): void {
    const before = this.cpu;
    this.cpu = host.cpuTime();
    this.time = time;
    // The shortest difference is one step, for example where Windows counts in shorter ones.
    if (this.cpu > before) this.tick = Math.min(this.tick, this.cpu - before);
  }
}

/** Whether CPU time goes on between readings in a row. Where it moves in steps, it stands still. */
function isSmooth(): boolean {
  const first = host.cpuTime();
  for (let reading = 0; reading < 20; reading++) {
    const ran = host.cpuTime() - first;
    if (ran > 0) return ran < 1;
  }
  return false;
}

/** The step of Windows, the longest known. */
const MAX_STEP_MS = 15.625;

/** Opens a file, to have a descriptor in reserve. The result closes it, unless it belongs to another file by then. */
function keepDescriptor(file: string): () => void {
  try {
    const descriptor = host.openSync(file, 'r');
    const { dev, ino } = host.fstatSync(descriptor);
    return () => {
      const stats = host.fstatSync(descriptor);
      if (stats.dev === dev && stats.ino === ino) host.closeSync(descriptor);
    };
  } catch {
    return () => {}; // There is no such file.
  }
}

/** Shorter turns are not measured. */
const LONG_TURN_MS = 10;
