import { isMainThread } from 'node:worker_threads';
import { turnsSuffix } from '../../../protocol/recording.ts';
import { now } from '../host/clock.ts';
import { host } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import type { Run } from '../host/run.ts';
import type { TurnLine } from '../../../protocol/recording-lines.ts';

/** The file of this isolate's turns, written a few lines at a time. */
export interface TurnLog {
  readonly add: (line: TurnLine) => void;
  /** Writes what is there, with a mark; what cannot be written waits for the next time. */
  readonly flush: () => void;
  /**
   * The same, if the last time was a tenth of a second ago: else the timer of `flushSoon` will. In a thread at once: it may be
   * terminated, where a process is told of its end, but for SIGKILL.
   */
  readonly flushInTime: () => void;
  /** Flushes a quarter of a second later, in `around`, from a timer that keeps nothing alive. */
  readonly flushSoon: (around: (work: () => void) => void) => void;
}

export function openTurnLog(run: Run, output: Output): TurnLog {
  const state = { lines: '', isTimerSet: false, flushedAt: -Infinity };
  const flush = (): void => {
    state.flushedAt = host.performanceNow();
    const lines = `${state.lines}${host.toJson(['mark', now()] satisfies TurnLine)}\n`;
    if (output.append(`${run.isolate}${turnsSuffix}`, lines)) state.lines = '';
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
        around(flush);
      };
      host.setTimeout(onTime, 250).unref();
    },
  };
}
