import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpArguments } from '../arguments/mcp-arguments.ts';
import { refuse, type Surroundings, type Terminal } from '../views/terminal.ts';
import { Jobs } from './jobs.ts';
import { ProjectRecordings } from './project.ts';
import { createServer } from './server.ts';

/** Clients give a call up after a minute, some sooner. In ms. */
const ANSWER_WITHIN_MS = 40_000;

/**
 * Answers an MCP client on stdin and stdout until it closes stdin. Gives the exit code: 0; 2: the root is not a folder.
 * Nothing else is written to stdout, which is the protocol.
 */
export async function mcpCommand(
  { root: typed, mayRun }: McpArguments,
  { err }: Terminal,
  { cwd, version }: Pick<Surroundings, 'cwd' | 'version'>,
): Promise<number> {
  const root = path.resolve(cwd, typed ?? '.');
  if (!((await stat(root).catch(() => null))?.isDirectory() ?? false))
    return refuse(err, `${root} is not a folder here.`);
  const recordings = new ProjectRecordings(root, path.join(__dirname, 'analysis-worker.cjs'));
  const jobs = new Jobs(async (signal) =>
    delay(ANSWER_WITHIN_MS, undefined, { signal }).catch(() => new Promise(() => {})),
  );
  const served = { root, mayRun, cli: path.join(__dirname, 'cli.cjs'), version, recordings, jobs };
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const) process.stdin.once(event, () => resolve());
    // The client may end this process instead.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const handle = serveStdio(() => createServer(served), { onerror: (error) => err.say(error.message) });
  await closed;
  await jobs.end();
  recordings.close();
  await handle.close();
  return 0;
}
