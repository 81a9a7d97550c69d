import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, lstat, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isRecord, numberOf, parseJson, textOf } from '../../../protocol/json-value.ts';
import { isAlive } from '../../../recordings/run-processes.ts';
import { endDaemons } from './end-daemons.ts';

/** A temporary folder for a base, which belongs to this process while its lease is renewed. */
export interface WorkFolder {
  /** Absolute, without links. */
  readonly folder: string;
  /** Ends what still runs of it, and deletes it. */
  readonly close: () => Promise<void>;
}

/**
 * Makes a folder for a base, after deleting those that killed processes have left. It lies in the folder for temporary
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
/** In ms. A process whose number cannot be asked for, because it is in another container, renews its lease until then. */
const abandonedAfter = 24 * 60 * 60_000;

async function renew(lease: string): Promise<void> {
  const now = new Date();
  await utimes(lease, now, now).catch(() => {}); // Someone else has deleted it: what runs there fails, and says so.
}

/**
 * What a number of a process is valid in: this machine since it was started and, on Linux, this namespace of processes.
 * Containers share folders, and have processes of their own.
 */
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
  return Date.now() - renewedMs > abandonedAfter;
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
