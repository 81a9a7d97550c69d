import { spawn } from 'node:child_process';

/** How a command ended and what it said. */
export interface LimitedRun {
  /** Its exit code, the signal that ended it, or `no end after 60 s`. */
  readonly exit: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

export interface LimitedRunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly limitSeconds: number;
}

/**
 * Runs it in a process group of its own, and kills all that is left of the group when it has ended, or at the limit: a
 * command that hangs, or leaves something running that holds its output open, holds nobody up. A command that is not
 * there exits with `ENOENT`.
 */
export async function runLimited(
  [file = '', ...args]: readonly string[],
  { cwd, env, limitSeconds }: LimitedRunOptions,
): Promise<LimitedRun> {
  const started = performance.now();
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const kill = (): void => killGroup(child.pid);
  process.once('exit', kill);
  const texts = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return chunks;
  });
  const closed = new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', resolve);
  });
  const timer = setTimeout(kill, limitSeconds * 1000);
  const exit = await ending(child);
  const isLate = performance.now() - started >= limitSeconds * 1000;
  clearTimeout(timer);
  const cleared = setTimeout(kill, graceMs);
  await closed;
  clearTimeout(cleared);
  kill();
  process.off('exit', kill);
  const [stdout = '', stderr = ''] = texts.map((chunks) => Buffer.concat(chunks).toString());
  const seconds = (performance.now() - started) / 1000;
  return { exit: isLate ? `no end after ${limitSeconds} s` : exit, stdout, stderr, seconds };
}

/** Time that processes which a command has left running get to end by themselves. */
const graceMs = 3000;

async function ending(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
