import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { VscodeServer } from '../../../scripts/vscode-server.mjs';

/** Numbers of the processes of a VS Code, and of those that it started, whose command line has this text. Linux alone lists them. */
export function processesOf({ folder }: Pick<VscodeServer, 'folder'>, text: string): readonly number[] {
  const numbers = (existsSync('/proc') ? readdirSync('/proc') : []).filter((name) => /^\d+$/.test(name));
  return numbers
    .filter((pid) => fileOf(pid, 'cmdline').replaceAll('\0', ' ').includes(text))
    .filter((pid) => fileOf(pid, 'environ').includes(`TMPDIR=${path.join(folder, 'tmp')}\0`))
    .map(Number);
}

/** Waits for such a process, other than those. */
export async function startedProcess(
  server: Pick<VscodeServer, 'folder'>,
  text: string,
  others: ReadonlySet<number>,
): Promise<number> {
  for (;;) {
    const pid = processesOf(server, text).find((one) => !others.has(one));
    if (pid !== undefined) return pid;
    await wait(100);
  }
}

/** Kills a process that may have ended already. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** What the command line of the language server and of the extension host have in them. */
export const languageServer = 'dist/server.cjs';
export const extensionHost = '--type=extensionHost';

/** Empty for a process that has ended. */
function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // It has ended, or belongs to another user.
  }
}
