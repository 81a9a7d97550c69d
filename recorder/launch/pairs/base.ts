import type { Failure } from '../../../protocol/failure.ts';
import os from 'node:os';
import path from 'node:path';
import { checkOut } from './check-out.ts';
import { type KeptCommit, type Repository, scratchPrefix, withoutRepository } from './git.ts';
import { basePrefix } from '../../../protocol/formats/folder-names.ts';
import { isAtOrBelow } from '../../../protocol/path-spelling.ts';
import { endAll, endGroupAtSignal } from '../run/end-command.ts';
import { spawn } from 'node:child_process';
import { isRecord, numberOf, parseJson, textOf } from '../../../protocol/json-value.ts';
import { inGroup, isAlive } from '../../../recordings/run-processes.ts';
import { reasonOf } from '../../../recordings/private-files.ts';
import { randomUUID } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, readlinkSync, readdirSync, type Stats } from 'node:fs';
import { chmod, lstat, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';

/** Another version of the repository, in a repository of its own. */
export interface Base {
  /** Absolute path of its root, without links. */
  readonly root: string;
  /** The folder for the user's current one. */
  readonly folder: string;
  /** Sentences about what is missing in it. */
  readonly notes: readonly string[];
  /** The environment for what runs in it, from the user's. */
  readonly environment: (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
  /** Deletes it. */
  readonly close: () => Promise<void>;
}

/**
 * Checks out a commit into a separate repository. It has the objects and the refs of the user's repository, but no way to
 * it: no remote, no settings, no hooks. So nothing that runs there (`prepare` scripts that install hooks, too) changes
 * the user's repository. `stopping` ends it.
 */
export async function openBase(
  repository: Repository,
  wanted: KeptCommit,
  stopping: AbortSignal,
): Promise<({ readonly type: 'opened' } & Base) | Failure> {
  const { folder: outside, close } = await openWorkFolder();
  const root = path.join(outside, path.basename(repository.root));
  try {
    const out = await checkOut({ ...wanted, gitFolder: repository.gitFolder, workTree: repository.root }, root, {
      beside: outside,
      stopping,
    });
    if (out.type === 'failed') {
      await close();
      return out;
    }
    const config = path.join(outside, 'gitconfig');
    await writeFile(config, await includingOwnConfig());
    const roots = { from: await realpath(repository.root), to: root };
    return {
      ...{ type: 'opened', root, folder: path.join(root, repository.below), notes: out.notes, close },
      environment: (env) => baseEnvironment(env, roots, config),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A configuration of git that includes the user's. */
async function includingOwnConfig(): Promise<string> {
  const { HOME = os.homedir(), XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = process.env;
  const files =
    GIT_CONFIG_GLOBAL === undefined
      ? [path.join(XDG_CONFIG_HOME ?? path.join(HOME, '.config'), 'git', 'config'), path.join(HOME, '.gitconfig')]
      : [GIT_CONFIG_GLOBAL];
  const there = await Promise.all(files.map(async (file) => lstat(file).catch(() => null)));
  const included = files.filter((_, index) => there[index] !== null);
  return included.map((file) => `[include]\n\tpath = ${JSON.stringify(file)}\n`).join('');
}

/** Absolute paths of the roots of the user's work tree and of the base. */
interface Roots {
  readonly from: string;
  readonly to: string;
}

/**
 * The environment of everything that runs in a base: installations, preparations and the command. It has no variable
 * that leads to the user's repository or project: git's, those of the npm or the npm script that runs Hotspan, and
 * folders of programs below the root, which become those of the base. `gitConfig` is a file for the user's settings, so
 * that `git config --global` does not change them.
 */
function baseEnvironment(env: NodeJS.ProcessEnv, roots: Roots, gitConfig: string): NodeJS.ProcessEnv {
  const kept = Object.entries(headEnvironment(env)).filter(([name]) => !gitSettings.test(name));
  const moved = kept.map(([name, value = '']): [string, string] => [
    name,
    isList.test(name) ? listThere(value, roots) : value,
  ]);
  return { ...Object.fromEntries(moved), GIT_CONFIG_GLOBAL: gitConfig };
}

/** The environment of the commands that run beside it on the user's work tree: no variable differs but those of folders. */
export function headEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(withoutRepository(env)).filter(([name]) => !ofNpm.test(name)));
}

/** Settings by the environment: `git -c core.worktree=… commit` passes them to its hooks. */
const gitSettings = /^GIT_CONFIG(_PARAMETERS|_COUNT|_KEY_\d+|_VALUE_\d+|_GLOBAL)?$/;

/** Where npm was called, for which project, and options that would lead an installation there, in any case. */
const ofNpm =
  /^(INIT_CWD|PROJECT_CWD|npm_(package|lifecycle)_\w+|npm_(command|config_(local_prefix|global_prefix|prefix|global|location|workspaces?|include_workspace_root|dry_run|package_lock_only|dir)))$/i;

const isList = /^(PATH|NODE_PATH)$/i;

function listThere(list: string, { from, to }: Roots): string {
  return list
    .split(path.delimiter)
    .map((entry) =>
      path.isAbsolute(entry) && isAtOrBelow(path.resolve(entry), from)
        ? path.join(to, path.relative(from, entry))
        : entry,
    )
    .join(path.delimiter);
}

interface ToPrepare {
  /** A program with its arguments; one text for a shell. */
  readonly command: readonly string[] | string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** File to which its output is appended. */
  readonly log: string;
}

export interface Unprepared {
  /** The end of a sentence that begins with the command. */
  readonly ended: string;
  /** Whether Ctrl+C ended it, which may be before this process gets its signal. */
  readonly isInterrupted: boolean;
}

/** Runs a command that prepares a base; null where it succeeded. A signal to this process ends all its processes. */
export async function runInBase({ command, cwd, env, log }: ToPrepare): Promise<Unprepared | null> {
  const output = openSync(log, 'a', 0o600);
  const [file = '', ...args] = typeof command === 'string' ? [command] : command;
  const shell = typeof command === 'string' || process.platform === 'win32';
  const stdio = ['ignore', output, output] as const;
  try {
    const child = spawn(file, args, { cwd, env: { ...env, PWD: cwd }, shell, stdio: [...stdio], ...inGroup });
    const group = endGroupAtSignal(child);
    const unprepared = await new Promise<Unprepared | null>((resolve) => {
      child.once('error', ({ message }) => resolve({ ended: `cannot be started (${message})`, isInterrupted: false }));
      child.once('exit', (code, signal) => {
        // A shell exits with 130 where Ctrl+C ended what it ran.
        const isInterrupted = signal === 'SIGINT' || code === 130;
        resolve(code === 0 ? null : { ended: `ended with ${signal ?? `exit code ${code}`}`, isInterrupted });
      });
    });
    await group.isGone();
    group.dispose();
    return unprepared;
  } finally {
    closeSync(output);
  }
}

/**
 * Makes a folder for a base, which this process owns while it renews the lease, after deleting those of killed processes.
 * It is temporary, because tools leave out what is below a folder whose name begins with a dot.
 */
export async function openWorkFolder(): Promise<{
  /** Absolute, without links. */
  readonly folder: string;
  /** Ends its processes, and deletes it. */
  readonly close: () => Promise<void>;
}> {
  await deleteAbandoned();
  const folder = await realpath(await temporaryFolder(basePrefix));
  const lease = path.join(folder, leaseFile);
  await writeFile(lease, JSON.stringify({ pid: process.pid, system: systemName() }));
  const renewing = setInterval(() => void renew(lease), renewedEachMs).unref();
  return {
    folder,
    close: async (): Promise<void> => {
      clearInterval(renewing);
      await endDaemons(folder);
      await deleteTree(folder);
    },
  };
}

/** Makes a folder for temporary files. Throws a sentence that says what to set. */
export async function temporaryFolder(name: string): Promise<string> {
  const home = os.tmpdir();
  return mkdtemp(path.join(home, name)).catch((error: unknown) => {
    const code = reasonOf(error);
    const message = `the folder for temporary files, ${home}, cannot be written to (${code}): set TMPDIR to one that can`;
    throw Object.assign(new Error(message), { code });
  });
}

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
  for (const name of names.filter((one) => one.startsWith(scratchPrefix))) await deleteScratch(path.join(home, name));
  for (const folder of names.filter((name) => name.startsWith(basePrefix)).map((name) => path.join(home, name)))
    if (await isAbandoned(folder)) {
      await endDaemons(await realpath(folder));
      await deleteTree(folder);
    }
}

/** Deletes what git has left of a process that was killed. */
async function deleteScratch(folder: string): Promise<void> {
  const pid = Number.parseInt(path.basename(folder).slice(scratchPrefix.length));
  const stats = await ownFolder(folder);
  const isOld = stats !== null && Date.now() - stats.mtimeMs > MAX_LEASE_MS;
  if (isOld || (stats !== null && pid > 0 && !isAlive(pid))) await deleteTree(folder);
}

/** Null where it is a link, no folder, or another user's. */
async function ownFolder(folder: string): Promise<Stats | null> {
  const stats = await lstat(folder).catch(() => null);
  return stats?.isDirectory() === true && stats.uid === (process.geteuid?.() ?? stats.uid) ? stats : null;
}

async function isAbandoned(folder: string): Promise<boolean> {
  const stats = await ownFolder(folder);
  if (stats === null) return false;
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
  if (process.platform === 'linux') await endAll(() => processesOf(workFolder), 'SIGTERM', 500, 2500);
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
