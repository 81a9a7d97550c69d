import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { type RecordingEvent, eventsFile } from '../protocol/recording.ts';
import { isSameProcess } from './process-age.ts';

/** Reads what the processes of a run have reported so far. */
export interface EventLog {
  /** Reads the whole file again. A line that is still being written, or is damaged, is left out. */
  readonly read: () => readonly RecordingEvent[];
}

export function openEventLog(directory: string): EventLog {
  const file = path.join(directory, eventsFile);
  return { read: () => textOf(file).split('\n').flatMap(parseEvent) };
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
      return whole.toString().split('\n').flatMap(parseEvent);
    },
  };
}

/** A process that has started and not ended yet, as far as it could report that. */
export interface Live {
  readonly isolate: string;
  readonly pid: number;
  readonly ppid: number;
  /** Signals that have reached it. */
  readonly signals: readonly { readonly signal: string; readonly at: number }[];
  /** Signals that the program handles itself. */
  readonly handles: readonly string[];
  /** True where the process goes on as another user, who can report nothing more. */
  readonly hasLeft: boolean;
}

/** Main threads with a `start` and no `end` whose process still runs, and whose pid has not gone to another process. */
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
    // A process of another user answers "not permitted": it exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Sends a signal to a process that may have ended meanwhile. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
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

function parseEvent(line: string): readonly RecordingEvent[] {
  try {
    const event: unknown = JSON.parse(line);
    return isEvent(event) ? [event] : [];
  } catch {
    return [];
  }
}

/** Whether a value is an event. The recorder wrote it, so what has a `type` is one. */
function isEvent(value: unknown): value is RecordingEvent {
  return typeof value === 'object' && value !== null && 'type' in value;
}
