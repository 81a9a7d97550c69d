import path from 'node:path';
import { eventsFile } from '../../../protocol/recording.ts';
import { attempt, host, internal, isObject } from './host.ts';
import type { RecordingEvent } from '../../../protocol/recording-lines.ts';

/** This isolate's files in the recording's folder. Nothing here throws. */
export interface Output {
  /** Appends whole lines at once; false when they could not be written and may be later. */
  readonly append: (file: string, lines: string) => boolean;
  /** Writes a file that is there as a whole or not at all. */
  readonly write: (file: string, text: string) => boolean;
  readonly event: (event: RecordingEvent) => void;
  /** Nothing can be written any more. */
  readonly isLost: () => boolean;
  /** From here on nothing is written but events: what is given is dropped. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
}

/**
 * After a full disk or a read-only folder, or five failures in a row (a mocked `fs` fails for a while only), nothing
 * is tried again. A program that has too many files open gets some back: that is no failure.
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
  /** Its few bytes may still fit into the last block of the file. */
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

/** The program has too many files open, for now. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EMFILE' || code === 'ENFILE';
}

function isHopeless(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EFBIG' || code === 'EDQUOT' || code === 'EROFS' || code === 'EACCES';
}

/** The system's, such as `ENOSPC`. */
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
