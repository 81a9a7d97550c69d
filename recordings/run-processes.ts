import { hasCode } from '../protocol/failure.ts';
import os from 'node:os';
import path from 'node:path';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import type { RecordingEvent } from '../protocol/recording-lines.ts';
import { eventsFile } from '../protocol/recording.ts';
import { parseEvents } from '../protocol/formats/parse-events.ts';
import { attempted } from './private-files.ts';

/** Reads what the processes of a run have reported so far; empty before the first one has. */
export interface EventLog {
  /** A line that is still being written, or is damaged, is left out. */
  readonly read: () => readonly RecordingEvent[];
}

/** Each `read` gives all events. */
export function openEventLog(directory: string): EventLog {
  const file = path.join(directory, eventsFile);
  return { read: () => parseEvents(attempted(() => readFileSync(file, 'utf8')) ?? '').events };
}

/** Each `read` gives the events since the last one: the processes of a large run write megabytes. */
export function openEventNews(directory: string): EventLog {
  const file = path.join(directory, eventsFile);
  const state = { offset: 0 };
  return {
    read: () => {
      const bytes = attempted(() => bytesFrom(file, state.offset)) ?? Buffer.alloc(0);
      const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
      state.offset += whole.length;
      return parseEvents(whole.toString()).events;
    },
  };
}

/** The next bytes of a file, up to 1 MB. Throws the system's error. */
function bytesFrom(file: string, offset: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.min(1e6, Math.max(0, fstatSync(descriptor).size - offset)));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(descriptor);
  }
}

/** A process that has reported its start, and not its end. */
export interface Live {
  readonly isolate: string;
  readonly pid: number;
  readonly ppid: number;
  /** Signals that it has received. */
  readonly signals: readonly { readonly signal: string; readonly at: number }[];
  /** Signals that the program handles itself. */
  readonly handles: readonly string[];
  /** True where the process continues as another user, which can report nothing more. */
  readonly hasLeft: boolean;
}

/** Processes whose main thread has reported a `start` and no `end`, and that still run under their pid. */
export function liveProcesses(events: readonly RecordingEvent[]): readonly Live[] {
  const ended = new Set(events.flatMap((event) => (event.type === 'end' ? [event.isolate] : [])));
  return events.flatMap((event) => {
    if (event.type !== 'start' || event.threadId !== 0 || ended.has(event.isolate)) return [];
    const { isolate, pid, ppid, at } = event;
    if (pid <= 0 || !isAlive(pid) || !isSameProcess(pid, at)) return []; // 0 and less mean process groups.
    const signals = events.flatMap((other) => (other.type === 'signal' && other.isolate === isolate ? [other] : []));
    const handles = events.flatMap((other) =>
      other.type === 'handles' && other.isolate === isolate ? [other.signal] : [],
    );
    const hasLeft = events.some((other) => other.type === 'leaves' && other.isolate === isolate);
    return [{ isolate, pid, ppid, signals, handles, hasLeft }];
  });
}

/** Whether a process of any user has this pid. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user answers "not permitted": it exists.
    return hasCode(error, 'EPERM');
  }
}

/** Whether a process of a group runs. A zombie does not. */
export function isGroupRunning(leader: number): boolean {
  if (!isAlive(-leader)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => {
    const [state, , group] = (/^\d+$/.test(name) ? attempted(() => statOf(Number(name))) : undefined) ?? [];
    return Number(group) === leader && state !== 'Z' && state !== 'X';
  });
}

/** Those of some processes that are in the process group of this one; none on Windows, which has no groups. */
export function ownGroup(pids: readonly number[]): ReadonlySet<number> {
  const own = groupOf(process.pid);
  return new Set(pids.filter((pid) => own !== undefined && groupOf(pid) === own));
}

/** Undefined where the process has ended or is hidden, and on Windows. */
function groupOf(pid: number): number | undefined {
  if (process.platform === 'linux') return attempted(() => Number(statOf(pid)[2]));
  return process.platform === 'darwin' ? attempted(() => Number(ps(pid, 'pgid'))) : undefined;
}

/** Sends a signal to a process that may have ended meanwhile. */
export function send(pid: number, signal: NodeJS.Signals): void {
  attempted(() => process.kill(pid, signal));
}

/** Whether there are groups of processes, and signals that a process can handle. On Windows a signal ends one process. */
export const hasGroups = process.platform !== 'win32';

/** Options by which a child leads its own group; without groups it would get a console window. */
export const inGroup = { detached: hasGroups } as const;

/** The exit code of `taskkill` where the process has ended. */
const NOT_FOUND = 128;

/** Ends a process of Windows at once, with all that it has started. */
export async function endTree(pid: number): Promise<void> {
  await new Promise<void>((resolve) => {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], (error) => {
      if (error !== null && error.code !== NOT_FOUND) send(pid, 'SIGKILL');
      resolve();
    });
  });
}

/** Whether the process with this pid began before `at`, in µs of `process.hrtime`. True where that is unknown. */
function isSameProcess(pid: number, at: number): boolean {
  const age = ageOf(pid);
  if (age === null || !hasTrueAges()) return true;
  const elapsed = Number(process.hrtime.bigint() / 1000n) - at;
  return age + slack >= elapsed / 1e6;
}

/** In s: `ps` rounds to seconds. */
const slack = 2;

/** False in Linux containers whose uptime is the container's: there all ages are wrong, also that of this process. */
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
  if (process.platform === 'linux') return attempted(() => ageInProc(pid)) ?? null;
  return process.platform === 'darwin' ? (attempted(() => ageByPs(pid)) ?? null) : null;
}

const ageByPs = rememberingAges(
  (pid) => secondsIn(ps(pid, 'etime')),
  () => process.uptime(),
);

/** Remembers each age for `slack` seconds: `ask` starts a program, and callers ask every 20 ms. */
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

/** The process that a process of Linux belongs to; undefined where it has ended. */
export function parentOf(pid: number): number | undefined {
  return attempted(() => Number(statOf(pid)[1]));
}

/** Fields 3 and on of `/proc/PID/stat` (`man 5 proc`): field 2, the program's name, may contain anything. */
function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function ps(pid: number, what: 'etime' | 'pgid'): string {
  return execFileSync('ps', ['-o', `${what}=`, '-p', String(pid)], { encoding: 'utf8', timeout: 2000 });
}

/** Parses `[[days-]hours:]minutes:seconds`, as `ps` writes an age, to s; null for any other text. */
export function secondsIn(etime: string): number | null {
  const [, days = '0', hours = '0', minutes, seconds] = /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s*$/.exec(etime) ?? [];
  if (minutes === undefined) return null;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** When to read a recording while its command runs: while a CPU is idle, and again each time the run is twice as long. */
export class TimesToRead {
  readonly #hasIdleProcessor: (ms: number) => boolean;
  #nextMs: number;
  #isReading = false;

  /** `firstMs`: how long the run is before the first time. */
  constructor(hasIdleProcessor = createIdleCheck(), firstMs = 0) {
    this.#hasIdleProcessor = hasIdleProcessor;
    this.#nextMs = firstMs;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** Whether to read now, so many ms after the run began. `ended` says that this is done. */
  isNow(ms: number): boolean {
    if (this.#isReading || ms < this.#nextMs || !this.#hasIdleProcessor(ms)) return false;
    this.#nextMs = ms * 2;
    this.#isReading = true;
    return true;
  }

  ended(): void {
    this.#isReading = false;
  }
}

/** Gives whether nearly a whole CPU was idle for a second or more, up to the time of the question. */
function createIdleCheck(): (ms: number) => boolean {
  let before = { ms: 0, idleMs: 0 };
  return (ms) => {
    const last = before;
    // Where this process may not use all CPUs, their idle time is not its own.
    if (ms - last.ms < SECOND_MS || os.availableParallelism() < os.cpus().length) return false;
    const idleMs = os.cpus().reduce((sum, { times }) => sum + times.idle, 0);
    before = { ms, idleMs };
    return last.ms > 0 && ms - last.ms < 3 * SECOND_MS && idleMs - last.idleMs > IDLE * (ms - last.ms);
  };
}

const SECOND_MS = 1000;
const IDLE = 0.8;
