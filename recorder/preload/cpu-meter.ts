import { host } from './host.ts';

/**
 * CPU time of this thread; where Node does not tell that (before 22.19), of the whole process with its other threads, so
 * that a turn never seems to have had less than it had. Times in ms.
 */
export class CpuMeter {
  private cpu = host.cpuTime();
  private time = host.performanceNow();
  private spent = 0;

  /** A turn begins. Its CPU time counts from a reading of the last ms: one for each of ten thousand turns would cost. */
  begin(time: number): void {
    if (time - this.time > oldestReading) this.read(time);
    this.spent = 0;
  }

  /** The turn has got this far; called only when it is long. */
  lap(time: number): void {
    if (time - this.time < oldestReading) return;
    const before = this.cpu;
    this.read(time);
    this.spent += this.cpu - before;
  }

  /** CPU time of the turn until its last lap. */
  get ofTurn(): number {
    return this.spent;
  }

  private read(time: number): void {
    this.cpu = host.cpuTime();
    this.time = time;
  }
}

const oldestReading = 1;
