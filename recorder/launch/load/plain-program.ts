import { errorOf } from '../../../protocol/failure.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { endTree, hasGroups, inGroup, send } from '../../../recordings/run-processes.ts';
import { spawnable } from '../run/command-line.ts';
import { BETWEEN_STEPS_MS, openSchedule, stopSignals } from '../run/end-command.ts';

/** A command that runs without the recorder. */
interface PlainProgram {
  /** Aborted when it has ended. */
  readonly isOver: AbortSignal;
  /** Ends it with its processes, and waits for that. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a command without the recorder, with the output of this process and without input; an error where it cannot be
 * started.
 */
export async function startPlainly(
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<PlainProgram | Error> {
  const { file, args, verbatim } = spawnable(command, process.platform, env);
  const over = new AbortController();
  try {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
      windowsVerbatimArguments: verbatim,
      // `npm start` is three processes, and all of them have to end.
      ...inGroup,
    });
    child.once('exit', () => over.abort());
    await once(child, 'spawn');
    return { isOver: over.signal, stop: async () => stop(child, over.signal) };
  } catch (error) {
    return errorOf(error);
  }
}

async function stop(child: ChildProcess, isOver: AbortSignal): Promise<void> {
  const { pid } = child;
  if (isOver.aborted || pid === undefined) return;
  const ended = once(child, 'exit');
  if (!hasGroups) {
    await endTree(pid);
    await ended;
    return;
  }
  const schedule = openSchedule();
  send(-pid, 'SIGINT');
  schedule.onceAllHad(
    BETWEEN_STEPS_MS,
    () => [pid],
    () => send(-pid, 'SIGTERM'),
  );
  schedule.onceAllHad(
    2 * BETWEEN_STEPS_MS,
    () => [pid],
    () => send(-pid, 'SIGKILL'),
  );
  await ended;
  schedule.dispose();
}

/** A signal that asks this process to end. */
interface Interruption {
  readonly isOver: AbortSignal;
  readonly signal: () => NodeJS.Signals | null;
  readonly dispose: () => void;
}

/** Watches for signals. The program of the baseline has its own process group, so Ctrl+C reaches only this process. */
export function watchSignals(): Interruption {
  const over = new AbortController();
  const state: { signal: NodeJS.Signals | null } = { signal: null };
  const onSignal = (signal: NodeJS.Signals): void => {
    state.signal = signal;
    over.abort();
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  return {
    isOver: over.signal,
    signal: () => state.signal,
    dispose: () => {
      for (const signal of stopSignals) process.off(signal, onSignal);
    },
  };
}
