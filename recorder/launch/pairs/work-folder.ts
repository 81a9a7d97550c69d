import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, readdirSync } from 'node:fs';
import { chmod, lstat, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isRecord, numberOf, parseJson, textOf } from '../../../protocol/json-value.ts';
import { isAlive, send } from '../../../recordings/run-processes.ts';
import { setTimeout as delay } from 'node:timers/promises';

/** Limit for the end of a daemon. Then it is killed. */
const MAX_ENDING_MS = 500;
/** Limit for the wait: what the system cannot kill waits for a disk. */
const MAX_WAIT_MS = 2500;

/** A temporary folder for a base, which this process owns while it renews the lease. */
export interface WorkFolder {
  /** Absolute, without links. */
  readonly folder: string;
  /** Ends its processes, and deletes it. */
  readonly close: () => Promise<void>;
}

/**
 * Makes a folder for a base, after deleting those that killed processes have left. It is in the folder for temporary
 * files, because tools leave out what is below a folder whose name begins with a dot.
 */
export async function openWorkFolder(): Promise<WorkFolder> {
  await deleteAbandoned();
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), prefix)));
  const lease = path.join(folder, leaseFile);
  await writeFile(lease, JSON.stringify({ pid: process.pid, system: systemName() }));
  const renewing = setInterval(() => void renew(lease), renewedEachMs).unref();
  return {
    folder,
    close: async () => {
      clearInterval(renewing);
      await endDaemons(folder);
      await deleteTree(folder);
    },
  };
}

const prefix = 'hotspan-base-';
const leaseFile = 'lease.json';
const renewedEachMs = 60_000;
/** Age of the lease of a process that has ended. Processes in other containers are known only by their leases. */
const MAX_LEASE_MS = 24 * 60 * 60_000;

async function renew(lease: string): Promise<void> {
  const now = new Date();
  await utimes(lease, now, now).catch(() => {}); // It was deleted: what runs there reports that.
}

/** The scope of a process's number: this boot of the machine and, on Linux, this namespace of processes. */
function systemName(): string {
  if (process.platform !== 'linux') return os.hostname();
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return randomUUID(); // `/proc` is hidden: then only the age of a lease counts.
  }
}

async function deleteAbandoned(): Promise<void> {
  const home = os.tmpdir();
  const names = await readdir(home).catch(() => []);
  for (const folder of names.filter((name) => name.startsWith(prefix)).map((name) => path.join(home, name)))
    if (await isAbandoned(folder)) {
      await endDaemons(await realpath(folder));
      await deleteTree(folder);
    }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => null);
  if (stats === null || !stats.isDirectory() || stats.uid !== (process.geteuid?.() ?? stats.uid)) return false;
  const file = path.join(folder, leaseFile);
  const lease = parseJson(await readFile(file, 'utf8').catch(() => ''));
  if (isRecord(lease) && textOf(lease['system']) === systemName()) return !isAlive(numberOf(lease['pid'], 0));
  const renewedMs = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? stats.mtimeMs;
  return Date.now() - renewedMs > MAX_LEASE_MS;
}

/** Deletes a folder, and nothing through a link. What cannot be deleted stays; the next base tries again. */
async function deleteTree(folder: string): Promise<void> {
  const removing = { recursive: true, force: true, maxRetries: 3 } as const;
  try {
    await rm(folder, removing);
  } catch {
    // Package managers make folders that cannot be written to.
    await makeWritable(folder);
    await rm(folder, removing).catch(() => {});
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {});
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await makeWritable(path.join(folder, entry.name));
}

/** Ends daemons of a base, which have left its group, by their environment. Only Linux shows that. */
async function endDaemons(workFolder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const since = performance.now();
  const asked = new Set<number>();
  for (;;) {
    const waited = performance.now() - since;
    const pids = processesOf(workFolder);
    if (pids.length === 0 || waited > MAX_WAIT_MS) return;
    for (const pid of pids) {
      if (waited > MAX_ENDING_MS) send(pid, 'SIGKILL');
      else if (!asked.has(pid)) send(pid, 'SIGTERM');
      asked.add(pid);
    }
    await delay(20);
  }
}

function processesOf(workFolder: string): readonly number[] {
  const entry = `\0GIT_CONFIG_GLOBAL=${workFolder}${path.sep}`;
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) && hasEntry(name, entry) ? [Number(name)] : []));
}

function hasEntry(pid: string, entry: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`.includes(entry);
  } catch {
    return false; // It has ended, or belongs to another user.
  }
}
