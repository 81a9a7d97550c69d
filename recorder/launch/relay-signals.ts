import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { stopFile } from '../../protocol/recording.ts';
import type { EventLog } from './event-log.ts';
import { liveProcesses } from './event-log.ts';

export interface End {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Relay {
  /** How the command ended, as it would have without us: a process that only we had to kill died of the signal before. */
  readonly explain: (end: End) => End & { readonly isStopped: boolean };
  readonly dispose: () => void;
}

/** What a terminal or a supervisor sends to end a command. */
const relayed: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** How long until a process of the tree that got the signal itself must have told so. In ms. */
const noticePeriod = 200;
/** How long a process may stay busy after a signal that would have ended it at once. In ms. */
const patience = 3000;

/**
 * Keeps this process alive through the signals above while the command lives. A terminal sends Ctrl+C to the whole
 * group, a supervisor to this process alone: a signal is passed on, once, only when no process of the tree has noted
 * it. A busy process that does not handle the signal would have died at once; the recorder in it delays that until
 * its loop turns, so it is killed when that takes too long, or at the second signal. The `stop` file ends all.
 */
export function relaySignals(child: ChildProcess, events: EventLog, directory: string): Relay {
  const state: { received: NodeJS.Signals[]; killedAfter: NodeJS.Signals | null; isStopped: boolean } = {
    received: [],
    killedAfter: null,
    isStopped: false,
  };
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, work: () => void): void => void timers.add(setTimeout(work, ms));
  const killBusy = (signal: NodeJS.Signals, since: number): void => {
    for (const { pid } of busyProcesses(events, signal, since)) {
      state.killedAfter = signal;
      send(pid, 'SIGKILL');
    }
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const since = nowUs();
    const isRepeated = state.received.includes(signal);
    state.received = [...state.received, signal];
    if (signal === 'SIGQUIT' || !isFromTerminal(signal)) {
      later(noticePeriod, () => !isNoted(events, signal, since) && child.kill(signal));
    }
    later(isRepeated ? noticePeriod : patience, () => killBusy(signal, since));
  };
  const stop = (): void => {
    state.isStopped = true;
    const all = (signal: NodeJS.Signals): void => {
      for (const { pid } of liveProcesses(events.read())) if (pid !== child.pid) send(pid, signal);
      child.kill(signal);
    };
    all('SIGINT');
    later(patience, () => all('SIGTERM'));
    later(2 * patience, () => all('SIGKILL'));
  };
  const polling = setInterval(() => {
    if (!state.isStopped && existsSync(path.join(directory, stopFile))) stop();
  }, 200);
  for (const signal of relayed) process.on(signal, onSignal);
  return {
    explain: (end) => ({
      ...(end.signal === 'SIGKILL' && state.killedAfter !== null ? { exitCode: null, signal: state.killedAfter } : end),
      isStopped: state.isStopped,
    }),
    dispose: () => {
      clearInterval(polling);
      for (const timer of timers) clearTimeout(timer);
      for (const signal of relayed) process.off(signal, onSignal);
    },
  };
}

/** Ctrl+C reaches the whole foreground group: passing it on would be a second one. */
function isFromTerminal(signal: NodeJS.Signals): boolean {
  return signal === 'SIGINT' && process.stdin.isTTY;
}

function isNoted(events: EventLog, signal: NodeJS.Signals, since: number): boolean {
  return events.read().some((event) => event.type === 'signal' && event.signal === signal && event.at > since - 100_000);
}

/** Those that have not noted the signal and do not handle it themselves. */
function busyProcesses(events: EventLog, signal: NodeJS.Signals, since: number): readonly { readonly pid: number }[] {
  if (signal === 'SIGQUIT') return [];
  return liveProcesses(events.read()).filter(
    (one) => !one.handles.includes(signal) && !one.signals.some((noted) => noted.signal === signal && noted.at > since - 100_000),
  );
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** In µs, the clock of the recording's events. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
