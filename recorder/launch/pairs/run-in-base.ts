import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { endGroupAtSignal, inGroup } from '../run/run-in-group.ts';

export interface ToPrepare {
  /** A program with its arguments; one text for a shell. */
  readonly command: readonly string[] | string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** File that gets what it prints, at its end. */
  readonly log: string;
}

export interface Unprepared {
  /** How it ended, as the end of a sentence that begins with the command. */
  readonly ended: string;
  /** Whether Ctrl+C ended it. The command may end of it before this process gets its own signal. */
  readonly isInterrupted: boolean;
}

/**
 * Runs a command that prepares a base; null where it succeeded. A signal to this process ends all that it has started.
 */
export async function runInBase({ command, cwd, env, log }: ToPrepare): Promise<Unprepared | null> {
  const output = openSync(log, 'a', 0o600);
  const [file = '', ...args] = typeof command === 'string' ? [command] : command;
  const shell = typeof command === 'string' || process.platform === 'win32';
  const stdio = ['ignore', output, output] as const;
  try {
    const child = spawn(file, args, { cwd, env: { ...env, PWD: cwd }, shell, stdio: [...stdio], ...inGroup });
    const group = endGroupAtSignal(child);
    const unprepared = await new Promise<Unprepared | null>((resolve) => {
      child.once('error', ({ message }) => resolve({ ended: `cannot be started (${message})`, isInterrupted: false }));
      child.once('exit', (code, signal) => resolve(code === 0 ? null : unpreparedBy(code, signal)));
    });
    await group.isGone();
    group.dispose();
    return unprepared;
  } finally {
    closeSync(output);
  }
}

/** A shell exits with 130 where Ctrl+C ended what it ran. */
function unpreparedBy(code: number | null, signal: NodeJS.Signals | null): Unprepared {
  return { ended: `ended with ${signal ?? `exit code ${code}`}`, isInterrupted: signal === 'SIGINT' || code === 130 };
}
