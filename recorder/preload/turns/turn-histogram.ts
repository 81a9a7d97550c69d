import { now } from '../host/clock.ts';
import { type TurnLine, turnClassBounds } from '../../../protocol/recording-lines.ts';

/** How many turns there were of each length, and how long they took together. */
export class TurnHistogram {
  private from = now();
  private counts = noTurns();
  private times = noTurns();

  /** A turn of `ms` is over. */
  add(ms: number): void {
    let length = 0;
    while (ms * 1000 >= (turnClassBounds[length] ?? Infinity)) length += 1;
    this.counts[length] = (this.counts[length] ?? 0) + 1;
    this.times[length] = (this.times[length] ?? 0) + ms;
  }

  /** The histogram of the turns since the last call. */
  take(): TurnLine {
    const { from, counts, times } = this;
    this.from = now();
    this.counts = noTurns();
    this.times = noTurns();
    return ['histogram', from, this.from, counts, times.map((ms) => Math.round(ms * 1000))];
  }
}

function noTurns(): number[] {
  return [...turnClassBounds.map(() => 0), 0];
}
