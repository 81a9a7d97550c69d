import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { projectFile, projectRoot } from './project.ts';

export interface CliRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The Node that the command line itself runs on. */
  readonly node?: string;
  /** In a process group of its own, as a shell starts it: Ctrl+C reaches all processes of the group. */
  readonly detached?: boolean;
  /** Called with all that it has said on stderr so far, each time that there is more. */
  readonly onStderr?: (said: string, child: ChildProcess) => void;
}

/** Runs the bundled `hotspan` without a terminal, until it ends. */
export async function runCli(words: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const { cwd = projectRoot, env = process.env, node = process.execPath, detached = false, onStderr } = options;
  // A test inside a test would report to the outer one.
  const plain = { ...env, NODE_TEST_CONTEXT: undefined, FORCE_COLOR: undefined };
  const child = spawn(node, [projectFile('dist/cli.cjs'), ...words], {
    cwd,
    env: plain,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
    onStderr?.(said, child);
  });
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr: said };
}
