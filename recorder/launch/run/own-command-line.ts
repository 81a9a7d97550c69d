import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endTree, hasGroups, inGroup, isGroupRunning, send } from '../../../recordings/run-processes.ts';

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

/** How a command line has ended. */
export interface EndedCommandLine {
  readonly exitCode: number;
  readonly stdout: string;
  /** The last sentence that it said; `''` where it said nothing. */
  readonly said: string;
}

/**
 * Starts the command line in a process group of its own. It ends, with all that it has started, when this process ends,
 * however that happens: then the channel between the two closes.
 */
export function startCommandLine({ node, cli, args, cwd, env = {}, isMute = false }: OwnCommandLine): ChildProcess {
  const stdio = ['ignore', isMute ? 'ignore' : 'pipe', 'pipe', 'ipc'] as const;
  return spawn(node, [cli, ...args], {
    ...{ cwd, stdio: [...stdio], env: { ...process.env, ...env } },
    ...inGroup,
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
export async function resultOf(child: ChildProcess): Promise<Omit<EndedCommandLine, 'said'>> {
  const pieces: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ stdout: pieces.join(''), exitCode: code ?? 1 }));
  });
}

/** In ms. Interrupted again, a command line kills what it started, unless that handles the signal. */
const INSIST_AFTER_MS = 600;
/** In ms. What has not ended by then is killed: it handles the signal, no message has reached it, or it hangs. */
const MAX_END_MS = 10_000;

const interruption = 'hotspan:interrupt';

/**
 * Interrupts a command line, so that it ends in order, with all that it has started; insists once, then kills. Of one that
 * has exited it kills what keeps its output open.
 */
export function interrupt(child: ChildProcess): void {
  const { pid, exitCode, signalCode, stderr } = child;
  if (pid === undefined || stderr?.closed === true) return;
  if (exitCode !== null || signalCode !== null) {
    if (hasGroups) kill(pid);
    return;
  }
  // On Windows a signal would end it without order, and alone: there it is a message.
  if (hasGroups) send(pid, 'SIGINT');
  else child.send(interruption, () => {});
  const insisting = hasGroups ? setTimeout(send, INSIST_AFTER_MS, pid, 'SIGINT') : undefined;
  const killing = setTimeout(kill, MAX_END_MS, pid);
  child.once('close', () => {
    clearTimeout(insisting);
    if (!hasGroups || !isGroupRunning(pid)) clearTimeout(killing);
  });
}

/** Kills a command line with all that it has started. */
function kill(pid: number): void {
  if (hasGroups) send(-pid, 'SIGKILL');
  else void endTree(pid);
}

/** Ends this process, as if it were interrupted, when the process that started it closes the channel. */
export function endWithStarter(): void {
  const end = (): void => {
    interruptItself();
    setTimeout(interruptItself, INSIST_AFTER_MS).unref();
    setTimeout(kill, MAX_END_MS, process.pid).unref();
  };
  process.on('message', (message) => (message === interruption ? interruptItself() : undefined));
  if (!process.connected) end();
  else process.once('disconnect', end);
  process.channel?.unref();
}

function interruptItself(): void {
  const { pid } = process;
  if (hasGroups) send(pid, 'SIGINT');
  else if (!process.emit('SIGINT', 'SIGINT')) void endTree(pid);
}
