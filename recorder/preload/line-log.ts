import { attempt, host } from './host.ts';
import type { Output } from './output.ts';

/** A file of lines that are written soon after, by a timer that keeps nothing alive. */
export interface LineLog {
  /** A line of JSON. */
  readonly add: (line: string) => void;
  /** Writes what is there; what cannot be written waits for the next time. */
  readonly flush: () => void;
  /** The same at once, in a turn of the program. */
  readonly flushNow: () => void;
}

/** `own` marks the recorder's work. */
export function openLineLog(file: string, output: Output, own: (work: () => void) => void): LineLog {
  const state = { lines: '', isTimerSet: false };
  const flush = (): void => {
    if (state.lines !== '' && output.append(file, state.lines)) state.lines = '';
  };
  const onTime = (): void => {
    state.isTimerSet = false;
    attempt(() => own(flush));
  };
  return {
    add: (line) => {
      if (output.isClosed()) return;
      state.lines += `${line}\n`;
      if (state.isTimerSet) return;
      state.isTimerSet = true;
      host.setTimeout(onTime, 100).unref();
    },
    flush,
    flushNow: () => {
      if (state.lines !== '') own(flush);
    },
  };
}
