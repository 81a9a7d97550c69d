import { host } from './host.ts';

/**
 * CPU time of this thread; where Node does not tell that (before 22.19), of the whole process with its other threads, so
 * that a turn never seems to have had less than it had. Times in ms.
 */
export class CpuMeter {
  private cpu = host.cpuTime();
  private time = host.performanceNow();
  private begun = this.time;
  private spent = 0;

  /** A turn begins. Its CPU time counts from a reading of the last ms: one for each of ten thousand turns would cost. */
  begin(time: number): void {
    if (time - this.time > oldestReading) this.read(time);
    this.begun = time;
    this.spent = 0;
  }

  /**
   * The turn has got this far; called only when it is long. Read anew where it has doubled: a reading takes up to 25 µs, and
   * microtasks of 2 ms would each ask for one.
   */
  lap(time: number): void {
    if (time - this.time < Math.max(oldestReading, (time - this.begun) / 2)) return;
    const before = this.cpu;
    this.read(time);
    this.spent += this.cpu - before;
  }

  /** CPU time of the turn that ended at `end`; what its process did since is counted up to the time from the last lap to there. */
  ofTurn(end: number): number {
    const { cpu, time, spent } = this;
    this.read(host.performanceNow());
    return spent + Math.min(this.cpu - cpu, Math.max(0, end - time));
  }

  private read(time: number): void {
    this.cpu = host.cpuTime();
    this.time = time;
  }
}

const oldestReading = 1;
