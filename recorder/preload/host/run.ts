import path from 'node:path';
import { getEnvironmentData, isMainThread, threadId } from 'node:worker_threads';
import {
  defaultLimitMb,
  intervalRange,
  intervalVariable,
  kindVariable,
  limitVariable,
  modeVariable,
  recordingDirVariable,
  recordingFile,
  shimVariable,
  type RecordingManifest,
  recordingVersion,
} from '../../../protocol/recording.ts';
import { asText, attempt, host, internal, isObject, mayBeMocked, realPath, undisturbed } from './host.ts';
import { isPassing, writeFile } from './output.ts';
import type { Stats } from 'node:fs';
import { redactArguments } from '../../command-lines/redact.ts';
import { microseconds } from '../../../protocol/units.ts';

/** The recording that this process belongs to, and who this isolate is in it. */
export interface Run {
  readonly directory: string;
  readonly intervalUs: number;
  /** `<pid>-<threadId>-<start>`, the name of this isolate's files. */
  readonly isolate: string;
  /** Limit for the bytes of all files of the recording together; Infinity: none. */
  readonly mostBytes: number;
  /** A recording of tiers: V8 keeps its log, by flags on the command line, and there is no profile. */
  readonly ofTiers: boolean;
  /** In a recording of tiers, the folder of Hotspan's `node`; empty where it is not known. */
  readonly shim: string;
  /** The command itself was `node -e …`: the given text is the program, and not a helper of a tool. */
  readonly evaluated: boolean;
  /** Absolute path of the folder in which the command was given. */
  readonly cwd: string;
  /** The program started this process for itself: no user waits for its event loop. */
  readonly isBackground: boolean;
}

/** The run of this isolate; null where no recording is going on, or the runtime is not plain Node. */
export function findRun(env: NodeJS.ProcessEnv): Run | null {
  inheritVariables(env);
  // A worker with its own environment gets it from its parent thread.
  const given: unknown = env[recordingDirVariable] ?? getEnvironmentData(recordingDirVariable);
  if (typeof given !== 'string' || given === '' || !isPlainNode()) return null;
  // `hotspan record`, or the first process, has checked the folder before.
  const isFirst = env[modeVariable] === undefined && isMainThread;
  const directory = isFirst ? privateFolder(path.resolve(given)) : path.resolve(given);
  if (directory === null) return null;
  // The program and its children may change the current folder.
  if (directory !== given) Reflect.set(env, recordingDirVariable, directory);
  const interval = Number(env[intervalVariable]);
  const intervalUs = interval >= intervalRange.least && interval <= intervalRange.most ? interval : 1000;
  // `hotspan record` begins the recording itself: a missing manifest means that it was deleted.
  if (isFirst && readManifest(directory) === null) beginRecording(directory, intervalUs, env[limitVariable]);
  const manifest = readManifest(directory);
  if (manifest === null || internal(manifest, 'endedAt') !== null) return null;
  const mostBytes = internal(manifest, 'mostBytes');
  return {
    directory,
    intervalUs,
    isolate: `${process.pid}-${threadId}-${host.wallClock().toString(36)}`,
    mostBytes: typeof mostBytes === 'number' && mostBytes > 0 ? mostBytes : Infinity,
    ofTiers: internal(manifest, 'kind') === 'tiers',
    shim: asText(env[shimVariable] ?? getEnvironmentData(shimVariable)),
    evaluated: internal(manifest, 'evaluated') === true,
    cwd: String(internal(manifest, 'cwd')),
    isBackground: isBackground(env),
  };
}

/** Whether this process runs in the background. A test runner that the program starts does not, nor do its children. */
function isBackground(env: NodeJS.ProcessEnv): boolean {
  if (env[kindVariable] !== 'background') return false;
  const isRunner = process.execArgv.includes('--test') || isPoolFile(realPath(process.argv[1] ?? ''));
  if (isRunner) Reflect.deleteProperty(env, kindVariable);
  return !isRunner;
}

/** Whether this is Node's own thread for the hooks of module loaders, which is not profiled. */
export function isInternalThread(run: Run, recorderFile: string): boolean {
  return !isMainThread && !process.execArgv.includes(run.ofTiers ? recorderFile : '--cpu-prof');
}

/** Whether the recording has ended: a daemon outlives the command that started it. */
export function isOver(run: Run): boolean {
  try {
    const manifest = undisturbed(() => parseManifest(run.directory));
    return manifest === null || internal(manifest, 'endedAt') !== null;
  } catch (error) {
    return !isPassing(error) && !mayBeMocked();
  }
}

/** Whether this is a package manager, Hotspan, or a tool's helper (`node -e`): only its children are recorded. */
export function isBystander(run: Pick<Run, 'evaluated'>): boolean {
  if (!isMainThread) return false;
  if (typeof internal(process, '_eval') === 'string') return !run.evaluated;
  const script = process.argv[1];
  if (script === undefined) return false;
  const file = realPath(script).replaceAll('\\', '/');
  // The command may record something itself.
  const isHotspan = file.endsWith('/cli.cjs') && isThere(file.replace(/cli\.cjs$/, 'recorder.cjs'));
  return packageManager.test(file) || isHotspan;
}

/** The real path of `npm`, `npx`, `yarn`, `pnpm` or `corepack`: `argv[1]` may be a link in a `bin` folder. */
const packageManager = /\/(node_modules\/(npm|npx|yarn|pnpm|corepack|@yarnpkg\/cli-dist)|\.yarn\/releases|corepack)\//;

/** Whether this is Node itself (not Electron, Bun or Deno) without its permission model. */
export function isPlainNode(): boolean {
  const isElsewhere = 'electron' in process.versions || 'bun' in process.versions || 'Deno' in globalThis;
  return !isElsewhere && internal(process, 'permission') === undefined;
}

/** Whether this user may write to the recording. */
export function canWrite({ directory }: Run): boolean {
  try {
    host.accessSync(directory, host.writable);
    return true;
  } catch {
    return false;
  }
}

function readManifest(directory: string): object | null {
  try {
    return parseManifest(directory);
  } catch {
    return null; // The recording was deleted, or is not begun.
  }
}

function parseManifest(directory: string): object | null {
  const manifest: unknown = host.fromJson(host.readFileSync(path.join(directory, recordingFile), 'utf8'));
  return isObject(manifest) ? manifest : null;
}

/**
 * Takes the recorder's variables from the nearest process above that was started with them: turbo passes NODE_OPTIONS on,
 * but no other variable that its configuration does not name. Only Linux shows the variables of a process.
 */
function inheritVariables(env: NodeJS.ProcessEnv): void {
  const isCut = env[recordingDirVariable] === undefined && /[\\/]recorder-\w+\.cjs/.test(env['NODE_OPTIONS'] ?? '');
  if (!isCut || !isMainThread || process.platform !== 'linux') return;
  attempt(() => {
    for (const [name, value] of variablesAbove(process.ppid)) Reflect.set(env, name, value);
  });
}

/** The recorder's variables of a process, or of the nearest one above that has them. Throws where none is readable. */
function variablesAbove(pid: number): readonly (readonly [name: string, value: string])[] {
  const pairs = host.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const ours = pairs.filter((pair) => pair.startsWith('HOTSPAN_'));
  if (ours.some((pair) => pair.startsWith(`${recordingDirVariable}=`)))
    return ours.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  // After the name, which may contain anything: the state, and the id of the parent process.
  const [, , above] = host.readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.split(' ') ?? [];
  return variablesAbove(Number(above));
}

/** Packages that run tests or tasks in threads and processes. Users wait for what blocks there. */
const packages =
  /^(tinypool|vitest|@vitest\/.+|vite-node|jest|jest-.+|@jest\/.+|ava|piscina|workerpool|mocha|tap|@tapjs\/.+|jasmine|jasmine-.+|uvu|tape|@playwright\/test|playwright|@cucumber\/cucumber)$/;

/** True for a file of such a package. */
export function isPoolFile(file: string): boolean {
  const [, ...inside] = file.replaceAll('\\', '/').split('/node_modules/');
  const [scope = '', name = ''] = inside.at(-1)?.split('/') ?? [];
  return packages.test(scope.startsWith('@') ? `${scope}/${name}` : scope);
}

/**
 * Begins a recording without `hotspan record`: the program was started with `--require hotspan/recorder` and
 * `HOTSPAN_DIR`. The end of such a recording is not noted. An existing manifest that cannot be read stays.
 */
function beginRecording(directory: string, intervalUs: number, limitMb: string | undefined): void {
  const mostBytes = limitMb === '0' ? null : (Number(limitMb) > 0 ? Number(limitMb) : defaultLimitMb) * 1e6;
  attempt(() => {
    makeFolders(directory);
    if (host.readdirSync(directory).includes(recordingFile)) return;
    const file = path.join(directory, recordingFile);
    const unfinished = `${file}.${process.pid}.tmp`;
    writeFile(unfinished, 'w', `${host.toJson(manifestOf(intervalUs, mostBytes), null, 2)}\n`);
    host.renameSync(unfinished, file);
  });
}

/** Level by level: in `/proc` and similar file systems, Node's `recursive` never returns. */
function makeFolders(folder: string): void {
  const above = path.dirname(folder);
  if (isThere(folder) || above === folder) return;
  makeFolders(above);
  try {
    host.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isThere(folder)) throw error; // Otherwise another process was quicker.
  }
}

/**
 * The folder to record in. Node writes the profiles of worker threads through links, so only this user may own it and
 * write to it: where others may, it is an inner folder. Null if another user has already put files there: then
 * nothing is recorded.
 */
function privateFolder(given: string): string | null {
  const user = process.geteuid?.();
  const stats = host.statSync(given, { throwIfNoEntry: false });
  if (user === undefined || stats === undefined || isPrivate(stats, user)) return given;
  const inner = path.join(given, 'recording');
  const isOwn = stats.uid === user;
  if (!isOwn && host.readdirSync(given).some((name) => name !== 'recording')) return null;
  const isMade = isMadeNow(inner);
  const found = host.lstatSync(inner, { throwIfNoEntry: false });
  if (found !== undefined && isPrivate(found, user)) return inner;
  if (!isMade || !isOwn) return null;
  host.rmdirSync(inner);
  return given; // The file system has no access rights.
}

function isMadeNow(folder: string): boolean {
  try {
    host.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    return false; // It existed already, or nothing can be made there.
  }
}

function isPrivate(stats: Stats, user: number): boolean {
  const others = stats.gid === stats.uid ? 0o002 : 0o022; // Many systems give each user a group of the same number.
  return stats.isDirectory() && stats.uid === user && (stats.mode & others) === 0;
}

function isThere(file: string): boolean {
  return host.statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function manifestOf(intervalUs: number, mostBytes: number | null): RecordingManifest {
  return {
    version: recordingVersion,
    hotspanVersion: 'unknown',
    command: redactArguments(['node', ...process.execArgv, ...process.argv.slice(1)]),
    cwd: process.cwd(),
    startedAt: new Date(host.wallClock()).toISOString(),
    endedAt: null,
    exitCode: null,
    signal: null,
    intervalUs: microseconds(intervalUs),
    mostBytes,
    evaluated: process.argv.length < 2,
    notes: [],
    environment: {
      NODE_ENV: process.env['NODE_ENV'] ?? null,
      coverage: process.env['NODE_V8_COVERAGE'] !== undefined,
    },
  };
}

/** The operating system's id of this thread, with which the launcher reads how long the thread waits. */
export function systemThread(): { readonly tid?: number } {
  if (process.platform !== 'linux') return {};
  try {
    const tid = Number(host.readlinkSync('/proc/thread-self').split('/').at(-1));
    return Number.isInteger(tid) ? { tid } : {};
  } catch {
    return {};
  }
}
