import path from 'node:path';
import { eventsFile } from '../../../protocol/recording.ts';
import { attempt, host, internal, isObject } from './host.ts';
import type { RecordingEvent } from '../../../protocol/recording-lines.ts';

/** This isolate's files in the recording's folder. Its functions never throw. */
export interface Output {
  /** Appends whole lines in one write. False where that failed and may work later. */
  readonly append: (file: string, lines: string) => boolean;
  /** Writes a file so that it exists as a whole or not at all. */
  readonly write: (file: string, text: string) => boolean;
  readonly event: (event: RecordingEvent) => void;
  /** Whether writing was given up. */
  readonly isLost: () => boolean;
  /** After this only events are written; everything else is dropped. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
}

/**
 * Opens the output. It is given up after a full disk, a read-only folder, or five failures in a row (a mocked `fs`
 * fails only for a while). Too many open files do not count as a failure, because the program will close some.
 */
export function openOutput(directory: string, isolate: string): Output {
  const state = { failures: 0, isLost: false, isClosed: false };
  const tryTo = (work: () => void): boolean => {
    if (state.isLost) return true;
    try {
      work();
      state.failures = 0;
      return true;
    } catch (error) {
      if (isPassing(error)) return false;
      state.failures += 1;
      state.isLost = state.failures >= 5 || isHopeless(error);
      if (state.isLost) attempt(() => tellLoss(error));
      return false;
    }
  };
  /** Notes the loss: these few bytes may still fit into the last block of the file. */
  const tellLoss = (error: unknown): void => {
    const event: RecordingEvent = { type: 'lost', isolate, reason: codeOf(error) };
    writeFile(path.join(directory, eventsFile), 'a', `${host.toJson(event)}\n`);
  };
  const append = (file: string, lines: string): boolean =>
    tryTo(() => writeFile(path.join(directory, file), 'a', lines));
  return {
    append: (file, lines) => state.isClosed || append(file, lines),
    write: (file, text) => tryTo(() => writeWhole(path.join(directory, file), text)),
    isLost: () => state.isLost,
    close: () => {
      state.isClosed = true;
    },
    isClosed: () => state.isClosed,
    event: (event) => void append(eventsFile, `${host.toJson(event)}\n`),
  };
}

/** Whether the program has too many files open at the moment. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EMFILE' || code === 'ENFILE';
}

function isHopeless(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EFBIG' || code === 'EDQUOT' || code === 'EROFS' || code === 'EACCES';
}

/** The system's error code, such as `ENOSPC`. */
function codeOf(error: unknown): string {
  return isObject(error) ? String(internal(error, 'code')) : 'unknown error';
}

/** Writes by file descriptor, because `fs.writeFileSync` calls functions of `fs` that the program may have replaced. */
export function writeFile(file: string, flag: keyof typeof host.opening, content: string | Uint8Array): void {
  const descriptor = host.openSync(file, host.opening[flag], 0o600);
  try {
    const bytes = typeof content === 'string' ? host.bytesOf(content) : content;
    for (let written = 0; written < bytes.length;) {
      written += host.writeSync(descriptor, bytes, written, bytes.length - written);
    }
  } finally {
    host.closeSync(descriptor);
  }
}

function writeWhole(target: string, text: string): void {
  const unfinished = `${target}.tmp`;
  try {
    writeFile(unfinished, 'w', text);
    host.renameSync(unfinished, target);
  } catch (error) {
    discard(unfinished);
    throw error;
  }
}

function discard(file: string): void {
  try {
    host.unlinkSync(file);
  } catch {
    // It was never made.
  }
}

/** A file of lines that are written a little later, by a timer that does not keep the process alive. */
interface LineLog<Line> {
  readonly add: (line: Line) => void;
  /** Writes the collected lines. What cannot be written stays for the next time. */
  readonly flush: () => void;
  /** Writes the lines at once, inside a turn of the program. */
  readonly flushNow: () => void;
}

/**
 * `own` runs the recorder's own work. `textOf` turns a line into JSON; it runs when the line is written, outside the
 * turn of the program.
 */
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
