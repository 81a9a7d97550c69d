import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { send } from '../../../recordings/run-processes.ts';
import { openSchedule } from '../run/end-command.ts';
import { spawnable } from '../run/command-line.ts';

/** A command that runs without the recorder. */
export interface PlainProgram {
  /** Aborted when the command has ended. */
  readonly isOver: AbortSignal;
  /** Ends the command and the processes that it has started; resolves when the command has ended. */
  readonly stop: () => Promise<void>;
}

/** Starts a command with the output of this process and without input; returns an error where it cannot be started. */
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
      // A process group of its own: `npm start` is three processes, and all of them have to end.
      detached: process.platform !== 'win32',
    });
    child.once('exit', () => over.abort());
    await once(child, 'spawn');
    return { isOver: over.signal, stop: async () => stop(child, over.signal) };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Time between SIGINT, SIGTERM and SIGKILL in ms, the same as for *Stop*. */
const patience = 3000;

async function stop(child: ChildProcess, isOver: AbortSignal): Promise<void> {
  const { pid } = child;
  if (isOver.aborted || pid === undefined) return;
  const ended = once(child, 'exit');
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => {}); // If this fails the program has ended already.
    await ended;
    return;
  }
  const schedule = openSchedule();
  send(-pid, 'SIGINT');
  schedule.later(patience, () => send(-pid, 'SIGTERM'));
  schedule.later(2 * patience, () => send(-pid, 'SIGKILL'));
  await ended;
  schedule.dispose();
}
