import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { readFileSync, closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import type { RecordingEvent } from '../protocol/recording-lines.ts';
import { eventsFile } from '../protocol/recording.ts';
import { parseEvents } from '../protocol/formats/parse-events.ts';

/** Reads everything that the processes of a run have reported so far. */
export interface EventLog {
  /** Reads the whole file again. A line that is still being written, or is damaged, is left out. */
  readonly read: () => readonly RecordingEvent[];
}

export function openEventLog(directory: string): EventLog {
  const file = path.join(directory, eventsFile);
  return { read: () => parseEvents(textOf(file)).events };
}

/** Reads only what the processes have reported since the last call. */
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

/**
 * Processes whose main thread has reported a `start` and no `end`, that still run, and whose pid was not given to
 * another process.
 */
export function liveProcesses(events: readonly RecordingEvent[]): readonly Live[] {
  const ended = new Set(events.flatMap((event) => (event.type === 'end' ? [event.isolate] : [])));
  return events.flatMap((event) => {
    if (event.type !== 'start' || event.threadId !== 0 || ended.has(event.isolate)) return [];
    const { isolate, pid, ppid, at } = event;
    if (pid <= 0 || !isAlive(pid) || !isSameProcess(pid, at)) return []; // 0 and negative numbers would mean groups of processes.
    const signals = events.flatMap((other) => (other.type === 'signal' && other.isolate === isolate ? [other] : []));
    const handles = events.flatMap((other) =>
      other.type === 'handles' && other.isolate === isolate ? [other.signal] : [],
    );
    const hasLeft = events.some((other) => other.type === 'leaves' && other.isolate === isolate);
    return [{ isolate, pid, ppid, signals, handles, hasLeft }];
  });
}

/** Whether there is a process with this pid, of whichever user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user answers "not permitted": it exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether a process of a group runs. One that has ended, and whose parent has not noticed, does not. */
export function isGroupRunning(leader: number): boolean {
  if (!isAlive(-leader)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => {
    try {
      const [state, , group] = /^\d+$/.test(name) ? statOf(Number(name)) : [];
      return Number(group) === leader && state !== 'Z' && state !== 'X';
    } catch {
      return false; // It has ended meanwhile.
    }
  });
}

/** Those of some processes that are in the process group of this one; none on Windows, which has no groups. */
export function ownGroup(pids: readonly number[]): ReadonlySet<number> {
  const own = groupOf(process.pid);
  return new Set(pids.filter((pid) => own !== null && groupOf(pid) === own));
}

/** Number of the process group; null where it is unknown. */
function groupOf(pid: number): number | null {
  try {
    if (process.platform === 'linux') return Number(statOf(pid)[2]);
    return process.platform === 'darwin' ? Number(ps(pid, 'pgid')) : null;
  } catch {
    return null; // The process has ended, or is hidden.
  }
}

/** Sends a signal to a process that may have ended meanwhile. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/**
 * Whether the process with this pid is the one that had it at time `at`, in µs of `process.hrtime`. False where it
 * began later. True where the system does not tell.
 */
function isSameProcess(pid: number, at: number): boolean {
  const age = ageOf(pid);
  if (age === null || !hasTrueAges()) return true;
  const elapsed = Number(process.hrtime.bigint() / 1000n) - at;
  return age + slack >= elapsed / 1e6;
}

/** Tolerance in s, because `ps` rounds to seconds. */
const slack = 2;

/**
 * Whether the system tells true ages. In some Linux containers its uptime is the container's, so all ages are wrong;
 * the age of our own process shows that.
 */
function hasTrueAges(): boolean {
  if (process.platform !== 'linux') return true;
  const own = ageOf(process.pid);
  return own !== null && own + slack >= process.uptime();
}

/**
 * Age of a process in s, with the time that the machine slept: never less than `process.hrtime` counts. Null where it
 * is unknown.
 */
function ageOf(pid: number): number | null {
  try {
    if (process.platform === 'linux') return ageInProc(pid);
    return process.platform === 'darwin' ? ageByPs(pid) : null;
  } catch {
    return null; // The process has ended, or is hidden.
  }
}

const ageByPs = rememberingAges(
  (pid) => secondsIn(ps(pid, 'etime')),
  () => process.uptime(),
);

/**
 * Remembers each age for `slack` seconds: `ask` starts a program, and callers that wait for processes ask every 20 ms.
 */
export function rememberingAges(
  ask: (pid: number) => number | null,
  now: () => number,
): (pid: number) => number | null {
  const known = new Map<number, { readonly age: number | null; readonly at: number }>();
  return (pid) => {
    const last = known.get(pid);
    const at = now();
    if (last !== undefined && at - last.at < slack) return last.age === null ? null : last.age + at - last.at;
    const age = ask(pid);
    known.set(pid, { age, at });
    return age;
  };
}

/** Age in s, from `/proc`. The start is in ticks of 10 ms since the boot. */
function ageInProc(pid: number): number | null {
  const start = Number(statOf(pid)[19]);
  const age = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) - start / 100;
  return Number.isFinite(age) ? age : null;
}

/**
 * The fields of `/proc/PID/stat` after the name of the program, which may contain anything: the first one is field 3 of
 * its manual page (`man 5 proc`).
 */
function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function ps(pid: number, what: 'etime' | 'pgid'): string {
  return execFileSync('ps', ['-o', `${what}=`, '-p', String(pid)], { encoding: 'utf8', timeout: 2000 });
}

/** Seconds of `[[days-]hours:]minutes:seconds`, as `ps` writes a process's age; null for any other text. */
export function secondsIn(etime: string): number | null {
  const [, days = '0', hours = '0', minutes, seconds] = /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s*$/.exec(etime) ?? [];
  if (minutes === undefined) return null;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}
