import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { type RecordingEvent, eventsFile } from '../protocol/recording.ts';
import { isSameProcess } from './process-age.ts';

/** What the processes of a run have told so far. */
export interface EventLog {
  /** Reads the file anew. A line that is being written, or damaged, is left out. */
  readonly read: () => readonly RecordingEvent[];
}

export function openEventLog(directory: string): EventLog {
  const file = path.join(directory, eventsFile);
  return { read: () => textOf(file).split('\n').flatMap(parseEvent) };
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
      return whole.toString().split('\n').flatMap(parseEvent);
    },
  };
}

/** A process that has started and not yet ended, as far as it could tell. */
export interface Live {
  readonly isolate: string;
  readonly pid: number;
  readonly ppid: number;
  /** Signals that have reached it. */
  readonly signals: readonly { readonly signal: string; readonly at: number }[];
  /** Signals that the program handles itself. */
  readonly handles: readonly string[];
  /** It goes on as another user, who can tell nothing more. */
  readonly hasLeft: boolean;
}

/** Main threads with a `start` and no `end` whose process is still there, and no stranger that has its pid by now. */
export function liveProcesses(events: readonly RecordingEvent[]): readonly Live[] {
  const ended = new Set(events.flatMap((event) => (event.type === 'end' ? [event.isolate] : [])));
  return events.flatMap((event) => {
    if (event.type !== 'start' || event.threadId !== 0 || ended.has(event.isolate)) return [];
    const { isolate, pid, ppid, at } = event;
    if (!isAlive(pid) || !isSameProcess(pid, at)) return [];
    const signals = events.flatMap((other) => (other.type === 'signal' && other.isolate === isolate ? [other] : []));
    const handles = events.flatMap((other) =>
      other.type === 'handles' && other.isolate === isolate ? [other.signal] : [],
    );
    const hasLeft = events.some((other) => other.type === 'leaves' && other.isolate === isolate);
    return [{ isolate, pid, ppid, signals, handles, hasLeft }];
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Someone else's process answers "not permitted": it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Sends a signal to a process that may have ended meanwhile. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has.
  }
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

function parseEvent(line: string): readonly RecordingEvent[] {
  try {
    const event: unknown = JSON.parse(line);
    return isEvent(event) ? [event] : [];
  } catch {
    return [];
  }
}

/** The recorder wrote it: what has a `type` is an event. */
function isEvent(value: unknown): value is RecordingEvent {
  return typeof value === 'object' && value !== null && 'type' in value;
}
