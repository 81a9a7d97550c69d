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
import { host, internal, isObject, attempt, realPath } from './host.ts';
import { isPassing, writeFile } from './output.ts';
import { mayBeMocked, undisturbed } from './undisturbed.ts';
import type { Stats } from 'node:fs';
import { redactArguments } from '../../command-lines/redact.ts';
import { microseconds } from '../../../protocol/units.ts';

const innerFolder = 'recording';

/** The recording that this process belongs to, and who this isolate is in it. */
export interface Run {
  readonly directory: string;
  readonly intervalUs: number;
  /** `<pid>-<threadId>-<start>`, the name of this isolate's files. */
  readonly isolate: string;
  /** The most bytes that all files of the recording may have together; Infinity without a limit. */
  readonly mostBytes: number;
  /** A recording of tiers: instead of a profile V8 keeps its log, by flags on the command line. */
  readonly ofTiers: boolean;
  /** In a recording of tiers, the folder of Hotspan's `node`; empty where it is not known. */
  readonly shim: string;
  /** The command itself was `node -e …`: the given text is the program, and not a helper of some tool. */
  readonly evaluated: boolean;
  /** Absolute path of the folder in which the command was given. */
  readonly cwd: string;
  /** The program started this process for itself, so that nobody waits for its event loop. */
  readonly isBackground: boolean;
}

/**
 * The run that this isolate belongs to. Null where there is nothing to record: no recording, one that has ended, or a
 * runtime that is not plain Node.
 */
export function findRun(env: NodeJS.ProcessEnv): Run | null {
  inheritVariables(env);
  // A worker with an environment of its own gets it from its parent thread.
  const given: unknown = env[recordingDirVariable] ?? getEnvironmentData(recordingDirVariable);
  if (typeof given !== 'string' || given === '' || !isPlainNode()) return null;
  // Under `hotspan record`, and in processes that the first one has started, the folder was checked before.
  const isFirst = env[modeVariable] === undefined && isMainThread;
  const directory = isFirst ? closedFolder(path.resolve(given)) : path.resolve(given);
  if (directory === null) return null;
  // The program and its children may change the current folder.
  if (directory !== given) Reflect.set(env, recordingDirVariable, directory);
  const manifest = readManifest(directory) ?? newManifest(directory, env);
  if (manifest === null || internal(manifest, 'endedAt') !== null) return null;
  return {
    directory,
    intervalUs: validInterval(env[intervalVariable]),
    isolate: `${process.pid}-${threadId}-${host.wallClock().toString(36)}`,
    mostBytes: limitOf(internal(manifest, 'mostBytes')),
    ofTiers: internal(manifest, 'kind') === 'tiers',
    shim: textOf(env[shimVariable] ?? getEnvironmentData(shimVariable)),
    evaluated: internal(manifest, 'evaluated') === true,
    cwd: String(internal(manifest, 'cwd')),
    isBackground: isBackground(env),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Begins a recording and returns its manifest. Null under `hotspan record`, which always begins the recording itself:
 * there a missing manifest means that it was deleted.
 */
function newManifest(directory: string, env: NodeJS.ProcessEnv): object | null {
  if (env[modeVariable] !== undefined || !isMainThread) return null;
  beginRecording(directory, validInterval(env[intervalVariable]), validLimit(env[limitVariable]) * 1e6);
  return readManifest(directory);
}

/**
 * Whether this process runs in the background. A test runner does not, even where a script of the program starts it;
 * nor do the processes that it starts.
 */
function isBackground(env: NodeJS.ProcessEnv): boolean {
  if (env[kindVariable] !== 'background') return false;
  const isRunner = process.execArgv.includes('--test') || isPoolFile(realPath(process.argv[1] ?? ''));
  if (isRunner) Reflect.deleteProperty(env, kindVariable);
  return !isRunner;
}

/**
 * Whether this is Node's own thread for the hooks of module loaders. The program did not start it, and it is not
 * profiled.
 */
export function isInternalThread(run: Run, recorderFile: string): boolean {
  return !isMainThread && !process.execArgv.includes(run.ofTiers ? recorderFile : '--cpu-prof');
}

/**
 * Whether the recording has ended. A daemon outlives the command that started it; from then on it does not belong to
 * the recording.
 */
export function isOver(run: Run): boolean {
  try {
    const manifest = undisturbed(() => parseManifest(run.directory));
    return manifest === null || internal(manifest, 'endedAt') !== null;
  } catch (error) {
    return !isPassing(error) && !mayBeMocked();
  }
}

/**
 * Whether this process is a package manager, Hotspan, or a one-line helper (`node -e`) that a tool starts. It must pass the
 * recorder on to the processes that it starts, but is not recorded itself.
 */
export function isBystander(run: Pick<Run, 'evaluated'>): boolean {
  if (!isMainThread) return false;
  if (typeof internal(process, '_eval') === 'string') return !run.evaluated;
  const script = process.argv[1];
  if (script === undefined) return false;
  const file = realPath(script).replaceAll('\\', '/');
  return packageManager.test(file) || isHotspan(file);
}

/** Whether a file is that of the command `hotspan`: a command may record something itself. */
function isHotspan(file: string): boolean {
  const recorder = file.replace(/\/cli\.cjs$/, '/recorder.cjs');
  return recorder !== file && host.statSync(recorder, { throwIfNoEntry: false }) !== undefined;
}

/** Matches the real path of `npm`, `npx`, `yarn`, `pnpm` or `corepack`: `argv[1]` may be a link in a `bin` folder. */
const packageManager = /\/(node_modules\/(npm|npx|yarn|pnpm|corepack|@yarnpkg\/cli-dist)|\.yarn\/releases|corepack)\//;

/** Whether this is Node itself (not Electron, Bun or Deno) without its permission model. */
export function isPlainNode(): boolean {
  const isElsewhere = 'electron' in process.versions || 'bun' in process.versions || 'Deno' in globalThis;
  return !isElsewhere && internal(process, 'permission') === undefined;
}

function readManifest(directory: string): object | null {
  try {
    return parseManifest(directory);
  } catch {
    return null; // The folder was deleted, and the recording with it.
  }
}

function parseManifest(directory: string): object | null {
  const manifest: unknown = host.fromJson(host.readFileSync(path.join(directory, recordingFile), 'utf8'));
  return isObject(manifest) ? manifest : null;
}

/** The limit of the recording's size in MB. */
function validLimit(text: string | undefined): number {
  const value = Number(text);
  return value > 0 ? value : defaultLimitMb;
}

function limitOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : Infinity;
}

function validInterval(text: string | undefined): number {
  const value = Number(text);
  return value >= intervalRange.least && value <= intervalRange.most ? value : 1000;
}

/**
 * Takes our variables from the nearest process above that was started with them. This is for turbo, which passes
 * NODE_OPTIONS on, but no other variable that its configuration does not name. Only Linux tells with what variables a
 * process was started.
 */
function inheritVariables(env: NodeJS.ProcessEnv): void {
  const isCut = env[recordingDirVariable] === undefined && /[\\/]recorder-\w+\.cjs/.test(env['NODE_OPTIONS'] ?? '');
  if (!isCut || !isMainThread || process.platform !== 'linux') return;
  attempt(() => {
    for (const [name, value] of variablesAbove(process.ppid)) Reflect.set(env, name, value);
  });
}

/**
 * Our variables in the environment of a process, or of the nearest one above it that has them. Throws where there is
 * none, or its environment may not be read.
 */
function variablesAbove(pid: number): readonly (readonly [name: string, value: string])[] {
  const pairs = host.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const ours = pairs.filter((pair) => pair.startsWith('HOTSPAN_'));
  if (ours.some((pair) => pair.startsWith(`${recordingDirVariable}=`)))
    return ours.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  // After the name, which may contain anything: the state, and the id of the parent process.
  const [, , above] = host.readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.split(' ') ?? [];
  return variablesAbove(Number(above));
}

/** Packages that run tests or tasks, also in threads and processes of theirs. People wait for what blocks there. */
const packages =
  /^(tinypool|vitest|@vitest\/.+|vite-node|jest|jest-.+|@jest\/.+|ava|piscina|workerpool|mocha|tap|@tapjs\/.+|jasmine|jasmine-.+|uvu|tape|@playwright\/test|playwright|@cucumber\/cucumber)$/;

/** True for a file of such a package. The package's name is what stands after the last `node_modules/` of the path. */
export function isPoolFile(file: string): boolean {
  const inside = file.replaceAll('\\', '/').split('/node_modules/').pop() ?? '';
  if (inside === file.replaceAll('\\', '/')) return false;
  const [scope = '', name = ''] = inside.split('/');
  return packages.test(scope.startsWith('@') ? `${scope}/${name}` : scope);
}

/**
 * Begins a recording where no `hotspan record` has done so: the program was started with `--require hotspan/recorder`
 * and `HOTSPAN_DIR`. Nothing will note when such a recording ends. An existing manifest that cannot be read is left as
 * it is.
 */
function beginRecording(directory: string, intervalUs: number, mostBytes: number): void {
  attempt(() => {
    makeFolders(directory);
    if (host.readdirSync(directory).includes(recordingFile)) return;
    const file = path.join(directory, recordingFile);
    const unfinished = `${file}.${process.pid}.tmp`;
    writeFile(unfinished, 'w', `${host.toJson(manifestOf(intervalUs, mostBytes), null, 2)}\n`);
    host.renameSync(unfinished, file);
  });
}

/** Goes level by level: in `/proc` and similar file systems, Node's `recursive` never returns. */
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
 * The folder of such a recording. Node writes the profiles of worker threads through links, so it must belong to this
 * user, and only this user may write to it. In an existing folder that others may write to, the recording gets an inner
 * folder. Null if another user has already put files there: then nothing is recorded.
 */
function closedFolder(given: string): string | null {
  const user = process.geteuid?.();
  const stats = host.statSync(given, { throwIfNoEntry: false });
  if (user === undefined || stats === undefined || isClosed(stats, user)) return given;
  const inner = path.join(given, innerFolder);
  const isOwn = stats.uid === user;
  if (!isOwn && host.readdirSync(given).some((name) => name !== innerFolder)) return null;
  const isMade = isMadeNow(inner);
  const found = host.lstatSync(inner, { throwIfNoEntry: false });
  if (found !== undefined && isClosed(found, user)) return inner;
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

function isClosed(stats: Stats, user: number): boolean {
  const others = stats.gid === stats.uid ? 0o002 : 0o022; // Many systems give each user a group of the same number.
  return stats.isDirectory() && stats.uid === user && (stats.mode & others) === 0;
}

function isThere(file: string): boolean {
  return host.statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function manifestOf(intervalUs: number, mostBytes: number): RecordingManifest {
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
