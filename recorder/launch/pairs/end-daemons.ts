import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../../../recordings/run-processes.ts';

/** Time in ms that a daemon has for its end. Then it is killed. */
const patience = 500;
/** And time after which nothing is waited for: what the system cannot kill waits for a disk. In ms. */
const longest = 2500;

/**
 * Ends what still runs of a base, and has left its group of processes: daemons with a session of their own. They are
 * known by their environment, which leads git to a file in the base's work folder. Only Linux shows that.
 */
export async function endDaemons(workFolder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const since = performance.now();
  const asked = new Set<number>();
  for (;;) {
    const waited = performance.now() - since;
    const pids = processesOf(workFolder);
    if (pids.length === 0 || waited > longest) return;
    for (const pid of pids) {
      if (waited > patience) send(pid, 'SIGKILL');
      else if (!asked.has(pid)) send(pid, 'SIGTERM');
      asked.add(pid);
    }
    await delay(20);
  }
}

/** The variable by which a process of a base is known, as the environment of its processes has it. */
const variable = 'GIT_CONFIG_GLOBAL';

function processesOf(workFolder: string): readonly number[] {
  const entry = `\0${variable}=${workFolder}${path.sep}`;
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) && hasEntry(name, entry) ? [Number(name)] : []));
}

function hasEntry(pid: string, entry: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`.includes(entry);
  } catch {
    return false; // It has ended, or belongs to another user.
  }
}
