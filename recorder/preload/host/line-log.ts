import { attempt, host } from './host.ts';
import type { Output } from './output.ts';

/** A file of lines that are written soon after, by a timer that keeps nothing alive. */
export interface LineLog<Line> {
  readonly add: (line: Line) => void;
  /** Writes what is there; what cannot be written waits for the next time. */
  readonly flush: () => void;
  /** Writes the lines at once, in a turn of the program. */
  readonly flushNow: () => void;
}

/** `own` marks the recorder's work. `textOf` makes JSON of a line, when it is written: not in a turn of the program. */
export function openLineLog<Line>(
  file: string,
  output: Output,
  own: (work: () => void) => void,
  textOf: (line: Line) => string,
): LineLog<Line> {
  const state: { lines: Line[]; isTimerSet: boolean } = { lines: [], isTimerSet: false };
  const flush = (): void => {
    if (state.lines.length === 0) return;
    const text = state.lines.map((line) => `${textOf(line)}\n`).join('');
    if (output.append(file, text)) state.lines = [];
  };
  const onTime = (): void => {
    state.isTimerSet = false;
    attempt(() => own(flush));
  };
  return {
    add: (line) => {
      if (output.isClosed()) return;
      state.lines.push(line);
      if (state.isTimerSet) return;
      state.isTimerSet = true;
      host.setTimeout(onTime, 250).unref();
    },
    flush,
    flushNow: () => {
      if (state.lines.length > 0) own(flush);
    },
  };
}
