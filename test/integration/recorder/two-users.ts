import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

/** Somebody else on this machine, who has no name in it. */
export const stranger = 12_345;

const isPossible =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

/** For `test`: why it is left out, or false. */
export const skip = isPossible ? false : 'to be two users takes root on Linux, and setpriv';

/** A command as another user runs it. */
export function as(user: number, command: readonly string[]): readonly [string, ...string[]] {
  return ['setpriv', '--reuid', String(user), '--regid', String(user), '--clear-groups', ...command];
}

/** A folder of this user's, with these rights whatever the umask. */
export function makeFolder(folder: string, user: number, mode: number): void {
  mkdirSync(folder);
  chownSync(folder, user, user);
  chmodSync(folder, mode);
}

export interface Attacker {
  /** Ends it; what it had to say. */
  readonly stop: () => Promise<string>;
}

/** Runs a text of JavaScript as the stranger until it is told to stop; returns when it has said `ready`. */
export async function attack(t: TestContext, body: string, ...args: readonly string[]): Promise<Attacker> {
  const [command, ...words] = as(stranger, [process.execPath, '-e', body, ...args]);
  const child: ChildProcess = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  if (child.stdout === null) throw new Error('no pipe');
  const said = text(child.stdout);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return {
    stop: async () => {
      const ended = once(child, 'close');
      child.kill();
      await ended;
      return (await said).replace('ready\n', '');
    },
  };
}
