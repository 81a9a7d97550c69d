import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { eventsFile } from '../protocol/recording.ts';
import { parseEvents } from './formats/parse-events.ts';
import type { RecordingEvent } from '../protocol/recording-lines.ts';

/** Reads what the processes of a run have reported so far. */
export interface EventLog {
  /** Reads the whole file again. A line that is still being written, or is damaged, is left out. */
  readonly read: () => readonly RecordingEvent[];
}

export function openEventLog(directory: string): EventLog {
  const file = path.join(directory, eventsFile);
  return { read: () => parseEvents(textOf(file)).events };
}

/** Reads what the processes have reported since the last call. */
export interface EventNews {
  readonly read: () => readonly RecordingEvent[];
}

/** Opens the log for frequent readers: the processes of a large run write megabytes of it. */
export function openEventNews(directory: string): EventNews {
  const file = path.join(directory, eventsFile);
  const state = { offset: 0 };
  return {
    read: () => {
      const bytes = bytesFrom(file, state.offset);
      const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
      state.offset += whole.length;
      return parseEvents(whole.toString()).events;
    },
  };
}

/** The next bytes of a file, up to a limit. The next call reads the rest. */
function bytesFrom(file: string, offset: number): Buffer {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(Math.min(mostBytes, Math.max(0, fstatSync(descriptor).size - offset)));
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return Buffer.alloc(0); // No Node process has started yet.
  }
}

const mostBytes = 1e6;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // No Node process has started yet.
  }
}
