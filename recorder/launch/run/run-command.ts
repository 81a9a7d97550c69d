import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openEventLog } from '../../../recordings/event-log.ts';
import { noteOutliving } from './note-outliving.ts';
import { relaySignals } from './relay-signals.ts';
import { spawnable } from './spawnable.ts';
import { watchStopFile } from './stop-file.ts';
import { type TierStart, withTiers } from './tier-start.ts';
import { waitForStragglers } from './stragglers.ts';

export interface CommandToRun {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The recording's folder: the processes of the tree tell there what happens to them. */
  readonly directory: string;
  /** Of a recording of tiers: for a command that is a Node binary. */
  readonly tiers: TierStart | null;
}

export type CommandEnd =
  | {
      readonly type: 'ended';
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
      /** A recorded process of it outlives it. */
      readonly goesOn: boolean;
    }
  | { readonly type: 'notStarted'; readonly message: string };

/** Runs it on this process's own stdin, stdout and stderr, and waits until it and what it left behind have ended. */
export async function runCommand(run: CommandToRun): Promise<CommandEnd> {
  const started = await start(run);
  if (started instanceof Error) return { type: 'notStarted', message: whyNotStarted(run, started) };
  const { child, ended } = started;
  const events = openEventLog(run.directory);
  const relay = relaySignals(child, events);
  const stop = watchStopFile(child, events, run.directory);
  try {
    const { exitCode, signal } = await ended;
    await waitForStragglers(events);
    const goesOn = await noteOutliving(events, run.directory);
    const killedAfter = signal === 'SIGKILL' ? relay.killedAfter() : null;
    return { type: 'ended', exitCode, signal: killedAfter ?? signal, goesOn };
  } finally {
    relay.dispose();
    stop.dispose();
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Some failures to start are thrown (a bad argument), others come as an event. */
async function start(run: CommandToRun): Promise<Started | Error> {
  const plain = spawnable(run.command, process.platform, run.env);
  const { file, args, verbatim, argv0 } = run.tiers === null ? plain : withTiers(plain, run.env, run.tiers);
  try {
    const options = {
      cwd: run.cwd,
      env: run.env,
      stdio: 'inherit',
      windowsVerbatimArguments: verbatim,
      argv0,
    } as const;
    const child = spawn(file, args, options);
    const ended = new Promise<Awaited<Started['ended']>>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    await once(child, 'spawn');
    return { child, ended };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** One sentence that says what to check. */
export function whyNotStarted({ command, cwd }: Pick<CommandToRun, 'command' | 'cwd'>, error: Error): string {
  const name = command[0] ?? '';
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' && /[/\\]/.test(name))
    return `Cannot start ${name}: there is no such file, seen from ${cwd}, or no program that its first line names. Check both.`;
  if (code === 'ENOENT')
    return `Cannot start ${name}: no such command on the PATH, seen from ${cwd}. Check its name, or install it.`;
  if (code === 'EACCES')
    return `Cannot start ${name}: it is a folder, or no executable file. Check its permissions, or put its interpreter in front (node ${name}).`;
  return `Cannot start ${name}: ${error.message}`;
}
