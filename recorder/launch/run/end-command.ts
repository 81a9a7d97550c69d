import path from 'node:path';
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Live, EventLog } from '../../../recordings/run-processes.ts';
import {
  endTree,
  hasGroups,
  liveProcesses,
  ownGroup,
  send,
  isGroupRunning,
} from '../../../recordings/run-processes.ts';
import { attempted } from '../../../recordings/private-files.ts';
import { existsSync, readFileSync } from 'node:fs';
import { stopFile } from '../../../protocol/recording.ts';

export interface Relay {
  /** The signal that would have ended the command without the recorder, where it was killed instead; else null. */
  readonly killedAfter: () => NodeJS.Signals | null;
  /** The last signal to this process alone, which was passed on to the command; null where there was none. */
  readonly passedOn: () => NodeJS.Signals | null;
  readonly dispose: () => void;
}

/** How much time a process has had since a moment, in ms: how long it waited for a CPU does not count. */
type HadTime = (pid: number) => number;

/**
 * The limits of a process count the time it has had: on a busy machine, a process that waits for a CPU cannot save its
 * recording any sooner. Linux knows how long the main thread waited, in ns; on other systems all time counts.
 */
export function hadTime(waited: (pid: number) => number = waitedForCpu): HadTime {
  const since = Date.now();
  const before = new Map<number, number>();
  return (pid) => {
    const waitedMs = waited(pid);
    const first = before.get(pid) ?? waitedMs;
    before.set(pid, first);
    return Date.now() - since - Math.max(0, waitedMs - first);
  };
}

function waitedForCpu(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1] ?? 0) / 1e6;
  } catch {
    return 0; // It has ended, or this is not Linux.
  }
}

/** Signals that a terminal or a supervisor sends to end a command. */
const relayed: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** By then, a process that got the signal itself has noted it. */
const NOTICE_MS = 200;
/** Limit for a process that stays busy after a signal that would have ended it at once. */
const MAX_BUSY_MS = 3000;

/**
 * Keeps this process alive through these signals while the command lives, and passes them on where needed. A terminal
 * sends Ctrl+C to the whole process group, a supervisor sends a signal to this process alone. So a signal is passed on,
 * once, only when the group did not get it and no process of the tree has noted it: a busy process notes it late, and a
 * second signal has another meaning for many programs.
 *
 * A busy process that does not handle the signal would have died at once without the recorder, which delays that until
 * the event loop turns. So it is killed when that takes too long, or at the second signal.
 */
export function relaySignals(child: ChildProcess, events: EventLog): Relay {
  const schedule = openSchedule();
  const group = watchGroup(relayed);
  type Signal = NodeJS.Signals | null;
  const received = new Set<NodeJS.Signals>();
  const state: { killedAfter: Signal; passedOn: Signal } = { killedAfter: null, passedOn: null };
  /** `had`: null where they get no more time. */
  const killBusy = (signal: NodeJS.Signals, since: number, had: HadTime | null): void => {
    const busy = liveProcesses(events.read()).filter((one) => isBusy(one, signal, since));
    if (had !== null && busy.some(({ pid }) => had(pid) < MAX_BUSY_MS)) {
      schedule.later(NOTICE_MS, () => killBusy(signal, since, had));
      return;
    }
    if (busy.length > 0) state.killedAfter = signal;
    for (const { pid } of busy) send(pid, 'SIGKILL');
  };
  const passOn = async (signal: NodeJS.Signals, since: number, arrived: number): Promise<void> => {
    // A guess, on systems where the process group cannot be watched.
    const isOfGroup = (await group.hadIt(arrived)) ?? (signal === 'SIGINT' && process.stdin.isTTY);
    if (isOfGroup || isNoted(events, signal, since)) return;
    state.passedOn = signal;
    endChild(child, signal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const [since, arrived] = [nowUs(), process.uptime() * 1000];
    const isRepeated = received.has(signal);
    received.add(signal);
    schedule.later(NOTICE_MS, () => void passOn(signal, since, arrived));
    const had = isRepeated ? null : hadTime();
    if (signal !== 'SIGQUIT') schedule.later(NOTICE_MS, () => killBusy(signal, since, had));
  };
  for (const signal of relayed) process.on(signal, onSignal);
  return {
    killedAfter: () => state.killedAfter,
    passedOn: () => state.passedOn,
    dispose: () => {
      schedule.dispose();
      group.dispose();
      for (const signal of relayed) process.off(signal, onSignal);
    },
  };
}

/**
 * Ends what is left of a command that was ended by a signal passed on to it: npm hands it to its shell alone, and the
 * tests go on. Like Ctrl+C it ends the process group; a daemon has its own group. What handles the signal may go on.
 */
export async function endRest(signal: NodeJS.Signals, events: EventLog): Promise<void> {
  const had = hadTime();
  const left = (): readonly Live[] => {
    const live = liveProcesses(events.read());
    const group = ownGroup(live.map(({ pid }) => pid));
    return live.filter(({ pid }) => group.has(pid));
  };
  let rest = left();
  for (const one of rest) if (one.signals.every((noted) => noted.signal !== signal)) send(one.pid, signal);
  while (rest.some(({ pid }) => had(pid) < MAX_BUSY_MS)) {
    await delay(100);
    rest = left();
  }
  for (const { pid, handles } of rest) if (!handles.includes(signal)) send(pid, 'SIGKILL');
}

/** In µs. The members of the group get a signal in any order: some may have noted it a little earlier. */
const TOLERANCE_US = 100_000;

function isNoted(events: EventLog, signal: NodeJS.Signals, since: number): boolean {
  return events
    .read()
    .some((event) => event.type === 'signal' && event.signal === signal && event.at > since - TOLERANCE_US);
}

/** Whether a process could have noted the signal and has not, and does not handle it itself. */
function isBusy({ hasLeft, handles, signals }: Live, signal: NodeJS.Signals, since: number): boolean {
  const hasNoted = signals.some((noted) => noted.signal === signal && noted.at > since - TOLERANCE_US);
  return !hasLeft && !handles.includes(signal) && !hasNoted;
}

/** Current time in µs, on the clock of the recording's events. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** A second signal within this time may have come while the next witness was being started. */
const RESTART_MS = 200;

/**
 * Distinguishes a signal to this process alone (`kill`) from one to its whole group (Ctrl+C), by a witness: a process of
 * the same group that does nothing, and ends with this process. If it still answers, it did not get the signal. Times are
 * in ms since this process began: `performance` takes 3 ms to load.
 */
function watchGroup(signals: readonly NodeJS.Signals[]) {
  const state: { witness: ChildProcess | null; endedAt: number } = { witness: null, endedAt: -Infinity };
  const begin = (): void => {
    // Without `ulimit`, Ctrl+\ would leave a core dump of it.
    const start = () => spawn('/bin/sh', ['-c', 'ulimit -c 0; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const witness: ChildProcess | undefined = attempted(start);
    if (witness === undefined) return;
    state.witness = witness;
    witness.on('error', () => {
      state.witness = null;
    });
    // It has ended. Where this process has no file descriptor left, the witness has no `stdin`.
    witness.stdin?.on('error', () => {});
    witness.once('exit', (_code, signal) => {
      state.witness = null;
      if (signal === null || !signals.includes(signal)) return;
      state.endedAt = process.uptime() * 1000;
      begin();
    });
  };
  if (hasGroups) begin();
  return {
    /** Whether a signal that this process got at time `at` went to the whole group; null: unknown. Takes some ms. */
    hadIt: async (at: number): Promise<boolean | null> => {
      if (state.endedAt > at - RESTART_MS) return true;
      return state.witness === null ? null : hasEnded(state.witness);
    },
    dispose: (): void => {
      const { witness } = state;
      state.witness = null;
      witness?.removeAllListeners('exit');
      witness?.stdin?.destroy();
      witness?.stdout?.destroy();
      witness?.unref();
    },
  };
}

/** True where the witness has ended, false where it answers. */
async function hasEnded(witness: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    witness.once('exit', () => resolve(true));
    witness.stdout?.once('data', () => resolve(false));
    witness.stdin?.write('.');
  });
}

/** Time between SIGINT, SIGTERM and SIGKILL. */
export const BETWEEN_STEPS_MS = 3000;
/** Until then, only processes without recorded children get SIGINT. */
const HEAD_START_MS = 500;

/**
 * Ends the command and all recorded processes of its tree once the recording's `stop` file exists. Processes that have
 * started no other one get SIGINT first. The others usually end with them, and tsx kills a program that does not answer
 * within 60 ms, even if it still has something to save. A command that is not recorded itself also gets it at first: npm
 * reports an error when only its script is interrupted.
 */
export function watchStopFile(child: ChildProcess, events: EventLog, directory: string): Pick<Schedule, 'dispose'> {
  const schedule = openSchedule();
  const state: { isStopped: boolean; interrupted: readonly number[] } = {
    isStopped: false,
    interrupted: [],
  };
  const toAll = (signal: NodeJS.Signals): void => {
    for (const { pid } of liveProcesses(events.read())) if (pid !== child.pid) send(pid, signal);
    endChild(child, signal);
  };
  const interrupt = (pids: readonly number[]): void => {
    for (const pid of pids.filter((one) => !state.interrupted.includes(one))) send(pid, 'SIGINT');
    state.interrupted = [...state.interrupted, ...pids];
  };
  const interruptAll = (): void => interrupt(liveProcesses(events.read()).map(({ pid }) => pid));
  const polling = setInterval(() => {
    if (state.isStopped || !existsSync(path.join(directory, stopFile))) return;
    state.isStopped = true;
    const live = liveProcesses(events.read());
    if (hasGroups) {
      interrupt(live.flatMap(({ pid }) => (live.some(({ ppid }) => ppid === pid) ? [] : [pid])));
      if (child.pid !== undefined && !live.some(({ pid }) => pid === child.pid)) interrupt([child.pid]);
    } else endChild(child, 'SIGINT');
    schedule.later(HEAD_START_MS, interruptAll);
    const all = (): readonly number[] => [child.pid ?? 0, ...liveProcesses(events.read()).map(({ pid }) => pid)];
    schedule.onceAllHad(BETWEEN_STEPS_MS, all, () => toAll('SIGTERM'));
    schedule.onceAllHad(2 * BETWEEN_STEPS_MS, all, () => toAll('SIGKILL'));
  }, 200);
  return {
    dispose: () => {
      clearInterval(polling);
      schedule.dispose();
    },
  };
}

/** On Windows, npm's `cmd.exe` would leave behind what it has started. */
function endChild(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!hasGroups && child.pid !== undefined) void endTree(child.pid);
  else child.kill(signal);
}

/** Timers that are cancelled together. */
interface Schedule {
  readonly later: (ms: number, work: () => void) => void;
  /** Works once each of these processes has had so much time, as `hadTime` counts it. */
  readonly onceAllHad: (ms: number, pids: () => readonly number[], work: () => void) => void;
  readonly dispose: () => void;
}

export function openSchedule(): Schedule {
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, work: () => void): void => void timers.add(setTimeout(work, ms));
  return {
    later,
    onceAllHad: (ms, pids, work) => {
      const had = hadTime();
      const look = (): void => {
        if (pids().every((pid) => had(pid) >= ms)) work();
        else later(NOTICE_MS, look);
      };
      look();
    },
    dispose: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Signals that end a comparison, a check or a baseline, with all that it has started. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What ends a group of processes. */
export interface GroupEnd {
  /** Settles once all processes of the group are gone; at once where no signal came. */
  readonly isGone: () => Promise<void>;
  readonly dispose: () => void;
}

/**
 * Ends all processes of the group that a child leads when this process gets a signal: by the same signal, and those that
 * ignore it by SIGKILL, at a second signal at once. The child must have been started with `inGroup`.
 */
export function endGroupAtSignal(child: ChildProcess): GroupEnd {
  const ending = new Set<Promise<void>>();
  const onSignal = (signal: NodeJS.Signals): void => {
    const isRepeated = ending.size > 0;
    if (child.pid !== undefined) ending.add(endGroup(child.pid, isRepeated ? 'SIGKILL' : signal));
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  return {
    isGone: async () => void (await Promise.all(ending)),
    dispose: () => {
      for (const signal of stopSignals) process.off(signal, onSignal);
    },
  };
}

async function endGroup(leader: number, signal: NodeJS.Signals): Promise<void> {
  if (!hasGroups) await endTree(leader);
  else await endAll(() => (isGroupRunning(leader) ? [-leader] : []), signal, 2000, 3000);
}

/**
 * Sends a signal to processes or groups, and SIGKILL after `patience` ms, repeated, because they may start others until
 * they are killed. Waits for their end, `limit` ms at most: what the system cannot kill waits for a disk.
 */
export async function endAll(
  running: () => readonly number[],
  signal: NodeJS.Signals,
  patience: number,
  limit: number,
): Promise<void> {
  const since = performance.now();
  const asked = new Set<number>();
  for (;;) {
    const waited = performance.now() - since;
    const pids = running();
    if (pids.length === 0 || waited > limit) return;
    for (const pid of pids) if (waited > patience || !asked.has(pid)) send(pid, waited > patience ? 'SIGKILL' : signal);
    for (const pid of pids) asked.add(pid);
    await delay(20);
  }
}
