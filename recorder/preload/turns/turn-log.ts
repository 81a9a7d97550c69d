import { isMainThread } from 'node:worker_threads';
import { type TurnLine, turnClassBounds } from '../../../protocol/recording-lines.ts';
import { turnsSuffix } from '../../../protocol/recording.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import { now, host } from '../host/host.ts';
import { type LineOutput, openTimer } from '../host/output.ts';
import type { Run } from '../host/run.ts';

/** The file of this isolate's turns, written a few lines at a time. */
export interface TurnLog {
  readonly add: (line: TurnLine) => void;
  /** Writes the collected lines and a mark: all turns that ended before `until` (default: now) are written. */
  readonly flush: (until?: Microseconds) => void;
  /** Flushes after 0.1 s without one. A worker thread always flushes: it may be terminated without notice. */
  readonly flushInTime: () => void;
  /** Flushes 250 ms later, inside `around`, by a timer that does not keep the process alive. */
  readonly flushSoon: (around: (work: () => void) => void) => void;
}

export function openTurnLog({ isolate }: Pick<Run, 'isolate'>, output: LineOutput): TurnLog {
  const state = { lines: '', flushedAt: -Infinity };
  const later = openTimer();
  const flush = (until = now()): void => {
    state.flushedAt = host.performanceNow();
    const lines = `${state.lines}${host.toJson(['mark', until] satisfies TurnLine)}\n`;
    state.lines = '';
    output.append(`${isolate}${turnsSuffix}`, lines);
  };
  return {
    add: (line) => {
      if (!output.isClosed()) state.lines += `${host.toJson(line)}\n`;
    },
    flush,
    flushInTime: () => {
      if (!isMainThread || host.performanceNow() - state.flushedAt >= 100) flush();
    },
    flushSoon: (around) => later(() => around(() => flush())),
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
