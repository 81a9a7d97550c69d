import path from 'node:path';
import { eventsFile } from '../../../protocol/recording.ts';
import { attempt, host, internal, isObject, undisturbed } from './host.ts';
import type { RecordingEvent } from '../../../protocol/recording-lines.ts';

/** This isolate's files in the recording's folder. Its functions never throw. */
export interface Output {
  /** Appends whole lines in one write. */
  readonly append: (file: string, lines: string) => void;
  /** Writes a file so that it exists as a whole or not at all. */
  readonly write: (file: string, text: string) => void;
  readonly event: (event: RecordingEvent) => void;
  /** Whether writing was given up. */
  readonly isLost: () => boolean;
  /** Has `own` run what writes from now on: a slow disk must not count for the program. */
  readonly writeBy: (own: (work: () => void) => void) => void;
  /** After this only events are written; everything else is dropped. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
}

/** Where lines go. */
export type LineOutput = Pick<Output, 'append' | 'isClosed'>;

interface Content {
  readonly file: string;
  readonly text: string;
  readonly write: (file: string, text: string) => void;
}

/** Opens the output. It is lost after a full disk, a read-only folder, or when too much waits. */
export function openOutput(directory: string, isolate: string): Output {
  const state = { isClosed: false };
  // These few bytes may still fit into the last block of the file.
  const queue = openQueue(directory, (error) => {
    const event: RecordingEvent = { type: 'lost', isolate, reason: codeOf(error) };
    append(path.join(directory, eventsFile), `${host.toJson(event)}\n`);
  });
  return {
    append: (file, text) => {
      if (!state.isClosed) queue.put({ file, text, write: append });
    },
    write: (file, text) => queue.put({ file, text, write: writeWhole }),
    isLost: queue.isLost,
    writeBy: queue.writeBy,
    close: () => {
      state.isClosed = true;
      queue.keepOnly(eventsFile);
    },
    isClosed: () => state.isClosed,
    event: (event) => queue.put({ file: eventsFile, text: `${host.toJson(event)}\n`, write: append }),
  };
}

/** What cannot be written waits for the next content: the program may have too many open files, or a mocked fs. */
function openQueue(directory: string, onLoss: (error: unknown) => void) {
  const state: { waiting: Content[]; isLost: boolean; own: (work: () => void) => void } = {
    waiting: [],
    isLost: false,
    own: (work) => work(),
  };
  const writeWaiting = (): void => {
    for (let next = state.waiting[0]; next !== undefined; next = state.waiting[0]) {
      next.write(path.join(directory, next.file), next.text);
      state.waiting.shift();
    }
  };
  return {
    put: (content: Content): void => {
      if (state.isLost) return;
      state.waiting.push(content);
      try {
        state.own(() => undisturbed(writeWaiting));
      } catch (error) {
        const length = state.waiting.reduce((sum, { text }) => sum + text.length, 0);
        if (!hopeless.test(codeOf(error)) && length <= MAX_WAITING) return;
        state.isLost = true;
        state.waiting = [];
        attempt(() => onLoss(error));
      }
    },
    isLost: (): boolean => state.isLost,
    writeBy: (own: (work: () => void) => void): void => {
      state.own = own;
    },
    /** Forgets what waits for other files. */
    keepOnly: (file: string): void => {
      state.waiting = state.waiting.filter((one) => one.file === file);
    },
  };
}

const hopeless = /^(ENOSPC|EFBIG|EDQUOT|EROFS|EACCES)$/;

/** In UTF-16 units, in memory. */
const MAX_WAITING = 32e6;

function append(file: string, text: string): void {
  writeFile(file, 'a', text);
}

/** Whether the program has too many files open at the moment. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EMFILE' || code === 'ENFILE';
}

/** The system's error code, such as `ENOSPC`. */
export function codeOf(error: unknown): string {
  return isObject(error) ? String(internal(error, 'code')) : 'unknown error';
}

/** Writes by file descriptor, because `fs.writeFileSync` calls functions of `fs` that the program may have replaced. */
export function writeFile(
  file: string,
  flag: keyof typeof host.opening,
  content: string | Uint8Array,
  mode = 0o600,
): void {
  const descriptor = host.openSync(file, host.opening[flag], mode);
  try {
    const bytes = typeof content === 'string' ? host.bytesOf(content) : content;
    for (let written = 0; written < bytes.length;) {
      written += host.writeSync(descriptor, bytes, written, bytes.length - written);
    }
  } finally {
    host.closeSync(descriptor);
  }
}

/** Writes a file so that it exists as a whole or not at all. */
export function writeWhole(target: string, text: string, mode = 0o600): void {
  const unfinished = `${target}.tmp`;
  try {
    writeFile(unfinished, 'w', text, mode);
    host.renameSync(unfinished, target);
  } catch (error) {
    try {
      host.unlinkSync(unfinished);
    } catch {
      // It was never made.
    }
    throw error;
  }
}

/** The result runs the first work of each 250 ms at their end, by a timer that does not keep the process alive. */
export function openTimer(): (work: () => void) => void {
  const state = { isSet: false };
  return (work) => {
    if (state.isSet) return;
    state.isSet = true;
    const onTime = (): void => {
      state.isSet = false;
      work();
    };
    host.setTimeout(onTime, 250).unref();
  };
}

/** A file of lines that are written by such a timer. */
interface LineLog<Line> {
  readonly add: (line: Line) => void;
  /** Writes the collected lines. */
  readonly flush: () => void;
  /** Writes the lines at once, inside a turn of the program. */
  readonly flushNow: () => void;
}

/** `own` runs the recorder's own work. `textOf` turns a line into JSON, outside the turn of the program. */
export function openLineLog<Line>(
  file: string,
  output: LineOutput,
  own: (work: () => void) => void,
  textOf: (line: Line) => string,
): LineLog<Line> {
  const state: { lines: Line[] } = { lines: [] };
  const later = openTimer();
  const flush = (): void => {
    if (state.lines.length === 0) return;
    const { lines } = state;
    state.lines = [];
    output.append(file, lines.map((line) => `${textOf(line)}\n`).join(''));
  };
  const onTime = (): void => attempt(() => own(flush));
  return {
    add: (line) => {
      if (output.isClosed()) return;
      state.lines.push(line);
      later(onTime);
    },
    flush,
    flushNow: () => {
      if (state.lines.length > 0) own(flush);
    },
  };
}
