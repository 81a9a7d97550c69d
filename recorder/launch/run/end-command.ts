import path from 'node:path';
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type Live, liveProcesses, ownGroup, send, type EventLog } from '../../../recordings/run-processes.ts';
import { existsSync } from 'node:fs';
import { stopFile } from '../../../protocol/recording.ts';

export interface Relay {
  /**
   * The signal that would have ended the command without the recorder, where it had to be killed instead; else null.
   */
  readonly killedAfter: () => NodeJS.Signals | null;
  /** The last signal that came to this process alone, and was passed on to the command; null where there was none. */
  readonly passedOn: () => NodeJS.Signals | null;
  readonly dispose: () => void;
}

/** Signals that a terminal or a supervisor sends to end a command. */
const relayed: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** Time in ms in which a process that got the signal itself must have noted it. */
const noticePeriod = 200;
/** Longest time in ms that a process may stay busy after a signal that would have ended it at once. */
const patience = 3000;

/**
 * Keeps this process alive through the signals above while the command lives, and passes them on where needed. A
 * terminal sends Ctrl+C to the whole process group, a supervisor sends a signal to this process alone. So a signal is
 * passed on, once, only when the group did not get it and no process of the tree has noted it: a busy process notes it
 * late, and a second signal has another meaning for many programs.
 *
 * A busy process that does not handle the signal would have died at once without the recorder, which delays that until
 * the event loop turns. So it is killed when that takes too long, or at the second signal.
 */
export function relaySignals(child: ChildProcess, events: EventLog): Relay {
  const schedule = openSchedule();
  const group = watchGroup(relayed);
  const state: {
    received: readonly NodeJS.Signals[];
    killedAfter: NodeJS.Signals | null;
    passedOn: NodeJS.Signals | null;
  } = { received: [], killedAfter: null, passedOn: null };
  const killBusy = (signal: NodeJS.Signals, since: number): void => {
    for (const { pid } of liveProcesses(events.read()).filter((one) => isBusy(one, signal, since))) {
      state.killedAfter = signal;
      send(pid, 'SIGKILL');
    }
  };
  const passOn = async (signal: NodeJS.Signals, since: number, arrived: number): Promise<void> => {
    const isOfGroup = (await group.hadIt(arrived)) ?? isFromTerminal(signal);
    if (isOfGroup || isNoted(events, signal, since)) return;
    state.passedOn = signal;
    child.kill(signal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const [since, arrived] = [nowUs(), process.uptime() * 1000];
    const isRepeated = state.received.includes(signal);
    state.received = [...state.received, signal];
    schedule.later(noticePeriod, () => void passOn(signal, since, arrived));
    if (signal !== 'SIGQUIT') schedule.later(isRepeated ? noticePeriod : patience, () => killBusy(signal, since));
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
 * Ends what a command has left behind that was ended by a signal passed on to it: npm hands it to its shell alone, and
 * the tests go on. It is what Ctrl+C in a terminal ends, the process group; a daemon has a group of its own. What
 * handles the signal may go on after `patience`.
 */
export async function endRest(signal: NodeJS.Signals, events: EventLog): Promise<void> {
  const since = Date.now();
  const left = (): readonly Live[] => {
    const live = liveProcesses(events.read());
    const group = ownGroup(live.map(({ pid }) => pid));
    return live.filter(({ pid }) => group.has(pid));
  };
  let rest = left();
  for (const one of rest) if (one.signals.every((noted) => noted.signal !== signal)) send(one.pid, signal);
  while (rest.length > 0 && Date.now() - since < patience) {
    await delay(100);
    rest = left();
  }
  for (const { pid, handles } of rest) if (!handles.includes(signal)) send(pid, 'SIGKILL');
}

/** A guess, for systems where the process group cannot be watched. */
function isFromTerminal(signal: NodeJS.Signals): boolean {
  return signal === 'SIGINT' && process.stdin.isTTY;
}

/** In µs. The members of the group get a signal in any order: some may have noted it a little earlier. */
const earlier = 100_000;

function isNoted(events: EventLog, signal: NodeJS.Signals, since: number): boolean {
  return events
    .read()
    .some((event) => event.type === 'signal' && event.signal === signal && event.at > since - earlier);
}

/** Whether a process could have noted the signal and has not, and does not handle it itself. */
function isBusy(one: Live, signal: NodeJS.Signals, since: number): boolean {
  return (
    !one.hasLeft &&
    !one.handles.includes(signal) &&
    !one.signals.some((noted) => noted.signal === signal && noted.at > since - earlier)
  );
}

/** Current time in µs, on the clock of the recording's events. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Distinguishes a signal to this process alone (`kill`) from one to its whole group (Ctrl+C). */
interface GroupWitness {
  /**
   * Whether a signal that this process got at time `at` went to the whole group; null where that cannot be told. Takes
   * some ms.
   */
  readonly hadIt: (at: number) => Promise<boolean | null>;
  readonly dispose: () => void;
}

/** Two signals closer than this, in ms: the second may have come while the next witness was being started. */
const near = 200;

/**
 * Starts a witness: a process of the same group that does nothing, which Ctrl+C in a terminal also ends. If it still
 * answers, it did not get the signal. It ends by itself when this process does. Times are in ms since this process began:
 * `performance` takes 3 ms to load.
 */
function watchGroup(signals: readonly NodeJS.Signals[]): GroupWitness {
  const state: { witness: ChildProcess | null; endedAt: number } = { witness: null, endedAt: -Infinity };
  const begin = (): void => {
    // Without `ulimit`, Ctrl+\ would leave a core dump of it.
    const witness = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
    state.witness = witness;
    witness.on('error', () => {
      state.witness = null;
    });
    witness.stdin.on('error', () => {}); // It has ended meanwhile.
    witness.once('exit', (_code, signal) => {
      state.witness = null;
      if (signal === null || !signals.includes(signal)) return;
      state.endedAt = process.uptime() * 1000;
      begin();
    });
  };
  if (process.platform !== 'win32') begin();
  return {
    hadIt: async (at) => {
      if (state.endedAt > at - near) return true;
      return state.witness === null ? null : hasEndedUnasked(state.witness);
    },
    dispose: () => {
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
async function hasEndedUnasked(witness: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    witness.once('exit', () => resolve(true));
    witness.stdout?.once('data', () => resolve(false));
    witness.stdin?.write('.');
  });
}

/** Time between SIGINT, SIGTERM and SIGKILL. In ms. */
const betweenSteps = 3000;
/** Time in ms in which only processes without recorded children are asked. */
const headStart = 500;

/**
 * Ends the command and all recorded processes of its tree once the recording's `stop` file exists. Processes that have
 * started no other one are asked first. The others usually end with them, and tsx kills a program that does not answer
 * within 60 ms, whatever it still has to save. A command that is not recorded itself is also asked at first; npm, when
 * only its script is interrupted, reports an error that is none.
 */
export function watchStopFile(child: ChildProcess, events: EventLog, directory: string): Pick<Schedule, 'dispose'> {
  const schedule = openSchedule();
  const state: { isStopped: boolean; asked: readonly number[] } = { isStopped: false, asked: [] };
  const toAll = (signal: NodeJS.Signals): void => {
    for (const { pid } of liveProcesses(events.read())) if (pid !== child.pid) send(pid, signal);
    child.kill(signal);
  };
  const ask = (pids: readonly number[]): void => {
    for (const pid of pids.filter((one) => !state.asked.includes(one))) send(pid, 'SIGINT');
    state.asked = [...state.asked, ...pids];
  };
  const askAll = (): void => ask(liveProcesses(events.read()).map(({ pid }) => pid));
  const polling = setInterval(() => {
    if (state.isStopped || !existsSync(path.join(directory, stopFile))) return;
    state.isStopped = true;
    const live = liveProcesses(events.read());
    ask(live.flatMap(({ pid }) => (live.some(({ ppid }) => ppid === pid) ? [] : [pid])));
    if (child.pid !== undefined && !live.some(({ pid }) => pid === child.pid)) ask([child.pid]);
    schedule.later(headStart, askAll);
    schedule.later(betweenSteps, () => toAll('SIGTERM'));
    schedule.later(2 * betweenSteps, () => toAll('SIGKILL'));
  }, 200);
  return {
    dispose: () => {
      clearInterval(polling);
      schedule.dispose();
    },
  };
}

/** Timers that are cancelled together. */
interface Schedule {
  readonly later: (ms: number, work: () => void) => void;
  readonly dispose: () => void;
}

export function openSchedule(): Schedule {
  const timers = new Set<NodeJS.Timeout>();
  return {
    later: (ms, work) => void timers.add(setTimeout(work, ms)),
    dispose: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
