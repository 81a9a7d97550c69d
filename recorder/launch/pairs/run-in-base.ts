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

/**
 * Runs a command that prepares a base. Null, or how it failed, as the end of a sentence that begins with the command. A
 * signal to this process ends all that it has started.
 */
export async function runInBase({ command, cwd, env, log }: ToPrepare): Promise<string | null> {
  const output = openSync(log, 'a', 0o600);
  const [file = '', ...args] = typeof command === 'string' ? [command] : command;
  const shell = typeof command === 'string' || process.platform === 'win32';
  const stdio = ['ignore', output, output] as const;
  try {
    const child = spawn(file, args, { cwd, env: { ...env, PWD: cwd }, shell, stdio: [...stdio], ...inGroup });
    const group = endGroupAtSignal(child);
    const ended = await new Promise<string | null>((resolve) => {
      child.once('error', ({ message }) => resolve(`cannot be started (${message})`));
      child.once('exit', (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`));
    });
    await group.isGone();
    group.dispose();
    return ended;
  } finally {
    closeSync(output);
  }
}
