import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { openEventLog } from './event-log.ts';
import { relaySignals } from './relay-signals.ts';
import { spawnable } from './spawnable.ts';
import { waitForStragglers } from './stragglers.ts';

export interface CommandToRun {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The recording's folder: the processes of the tree tell there what happens to them. */
  readonly directory: string;
}

export type CommandEnd =
  | {
      readonly type: 'ended';
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly isStopped: boolean;
    }
  | { readonly type: 'notStarted'; readonly message: string };

/** Runs it on this process's own stdin, stdout and stderr, and waits until it and what it left behind have ended. */
export async function runCommand(run: CommandToRun): Promise<CommandEnd> {
  const { file, args, verbatim } = spawnable(run.command, process.platform, run.env);
  const events = openEventLog(run.directory);
  return new Promise((resolve) => {
    const child = start(file, args, run, verbatim);
    if (child instanceof Error) return resolve({ type: 'notStarted', message: whyNotStarted(run, child) });
    const relay = relaySignals(child, events, run.directory);
    child.once('error', (error) => {
      relay.dispose();
      if (child.pid === undefined) resolve({ type: 'notStarted', message: whyNotStarted(run, error) });
    });
    child.once('exit', (exitCode, signal) => {
      const end = relay.explain({ exitCode, signal });
      waitForStragglers(events)
        .finally(() => relay.dispose())
        .then(() => resolve({ type: 'ended', ...end }));
    });
  });
}

/** Some failures to start are thrown (a bad argument), others come as an event. */
function start(file: string, args: readonly string[], run: CommandToRun, verbatim: boolean): ChildProcess | Error {
  try {
    return spawn(file, args, { cwd: run.cwd, env: run.env, stdio: 'inherit', windowsVerbatimArguments: verbatim });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function whyNotStarted({ command, cwd }: CommandToRun, error: Error): string {
  const name = command[0] ?? '';
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `Cannot start ${name}: no such command on the PATH, seen from ${cwd}. Check its name, or install it.`;
  if (code === 'EACCES') return `Cannot start ${name}: it is not an executable file. Check its permissions, or put its interpreter in front (node ${name}).`;
  return `Cannot start ${name}: ${error.message}`;
}
