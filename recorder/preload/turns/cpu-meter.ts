import { host } from '../host/host.ts';
import type { ThreadTimes, TurnMeter } from './turn-meter.ts';

/**
 * Where no scheduler tells what it counts: CPU time of this thread; where Node does not tell that (before 22.19), of the
 * whole process with its other threads, so that a turn never seems to have had less than it had. Times in ms.
 */
export class CpuMeter implements TurnMeter {
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
const oldestReading = 1;
