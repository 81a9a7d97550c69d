import { isMainThread } from 'node:worker_threads';
import { type TurnLine, turnClassBounds } from '../../../protocol/recording-lines.ts';
import { turnsSuffix } from '../../../protocol/recording.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import { now } from '../host/clock.ts';
import { host } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import type { Run } from '../host/run.ts';

/** The file of this isolate's turns, written a few lines at a time. */
export interface TurnLog {
  readonly add: (line: TurnLine) => void;
  /** Writes the collected lines and a mark: all turns that ended before `until` (now where it is not given) are written. */
  readonly flush: (until?: Microseconds) => void;
  /**
   * Flushes if the last time was at least a tenth of a second ago: otherwise the timer of `flushSoon` will. In a worker
   * thread it always flushes, because a thread may be terminated without notice, while a process notices its end,
   * except by SIGKILL.
   */
  readonly flushInTime: () => void;
  /** Flushes a quarter of a second later, inside `around`, by a timer that does not keep the process alive. */
  readonly flushSoon: (around: (work: () => void) => void) => void;
}

export function openTurnLog(run: Run, output: Output): TurnLog {
  const state = { lines: '', isTimerSet: false, flushedAt: -Infinity };
  const flush = (until = now()): void => {
    state.flushedAt = host.performanceNow();
    const lines = `${state.lines}${host.toJson(['mark', until] satisfies TurnLine)}\n`;
    state.lines = '';
    output.append(`${run.isolate}${turnsSuffix}`, lines);
  };
  return {
    add: (line) => {
      if (!output.isClosed()) state.lines += `${host.toJson(line)}\n`;
    },
    flush,
    flushInTime: () => {
      if (!isMainThread || host.performanceNow() - state.flushedAt >= 100) flush();
    },
    flushSoon: (around) => {
      if (state.isTimerSet) return;
      state.isTimerSet = true;
      const onTime = (): void => {
        state.isTimerSet = false;
        around(() => flush());
      };
      host.setTimeout(onTime, 250).unref();
    },
  };
}

/** The number of turns of each length, and the sum of their times. */
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
