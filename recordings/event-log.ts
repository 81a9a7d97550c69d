import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { type RecordingEvent, eventsFile } from '../protocol/recording.ts';
import { parseEvents } from './formats/parse-events.ts';

/** What the processes of a run have told so far. */
export interface EventLog {
  /** Reads the file anew. A line that is being written, or damaged, is left out. */
  readonly read: () => readonly RecordingEvent[];
}

export function openEventLog(directory: string): EventLog {
  const file = path.join(directory, eventsFile);
  return { read: () => parseEvents(textOf(file)).events };
}

/** What they have told since the last time. */
export interface EventNews {
  readonly read: () => readonly RecordingEvent[];
}

/** For who looks often: a run of many processes tells megabytes. */
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

/** At most so many at once: the rest is for the next time. */
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
