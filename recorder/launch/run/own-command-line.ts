import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { send } from '../../../recordings/run-processes.ts';

/** How to run Hotspan's command line from another part of it. */
export interface OwnCommandLine {
  /** The Node that runs it. */
  readonly node: string;
  /** Path of the bundled `dist/cli.cjs`. */
  readonly cli: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether what it writes to stdout is dropped: that of a recorded program has no limit. */
  readonly isMute?: boolean;
}

/**
 * Starts the command line in a process group of its own. It ends, with all that it has started, when this process ends,
 * however that happens: then the channel between the two closes.
 */
export function startCommandLine({ node, cli, args, cwd, env = {}, isMute = false }: OwnCommandLine): ChildProcess {
  const stdio = ['ignore', isMute ? 'ignore' : 'pipe', 'pipe', 'ipc'] as const;
  // On Windows a detached process has a console window.
  return spawn(node, [cli, ...args], {
    ...{ cwd, stdio: [...stdio], env: { ...process.env, ...env } },
    detached: process.platform !== 'win32',
  });
}

/** Calls `say` with each line on the stderr of a command line. `isOurs`: Hotspan's own, not the recorded program's. */
export function onSentence({ stderr }: ChildProcess, say: (sentence: string, isOurs: boolean) => void): void {
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', (line) =>
    say(line.replace(/^hotspan: /, ''), line.startsWith('hotspan: ')),
  );
}

/** How a command line ended, and what it has written. Rejects if it cannot be started. */
export async function resultOf(child: ChildProcess): Promise<{ readonly exitCode: number; readonly stdout: string }> {
  const pieces: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ stdout: pieces.join(''), exitCode: code ?? 1 }));
  });
}

/** In ms. Interrupted again, a command line kills what it started, and does not wait for its end. */
const INSIST_AFTER_MS = 600;

/** Interrupts a command line until it has ended: it ends in order, with all that it has started. */
export function interrupt(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const insisting = interruptProcess(child.pid);
  child.once('close', () => clearTimeout(insisting));
}

/** Lets this process end like one that is interrupted once the process that started it with a channel has ended. */
export function endWithStarter(): void {
  const end = (): void => void interruptProcess(process.pid).unref();
  if (!process.connected) end();
  else process.once('disconnect', end);
  process.channel?.unref();
}

function interruptProcess(pid: number): NodeJS.Timeout {
  if (process.platform === 'win32') {
    // There a signal would end the process alone.
    const kill = (): void => send(pid, 'SIGKILL');
    const killing = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    killing.on('error', kill).on('exit', (code) => (code === 0 ? undefined : kill()));
    return setTimeout(() => {}, 0);
  }
  send(pid, 'SIGINT');
  return setTimeout(() => send(pid, 'SIGINT'), INSIST_AFTER_MS);
}
