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
} from '../../../protocol/recording.ts';
import { beginRecording, closedFolder } from './begin-recording.ts';
import { host, internal, isObject, attempt, realPath } from './host.ts';
import { isPassing } from './output.ts';

/** The recording that this process belongs to, and who this isolate is in it. */
export interface Run {
  readonly directory: string;
  readonly intervalUs: number;
  /** `<pid>-<threadId>-<start>`, the name of this isolate's files. */
  readonly isolate: string;
  /** What all files of the recording may have together; Infinity without a limit. */
  readonly mostBytes: number;
  /** V8 keeps its log, by flags that it was started with, instead of a profile. */
  readonly ofTiers: boolean;
  /** Then, the folder of our own `node`; empty where it is not known. */
  readonly shim: string;
  /** The command itself was `node -e …`: the text given is the program, not some tool's helper. */
  readonly evaluated: boolean;
  /** Absolute folder in which the command was given. */
  readonly cwd: string;
  /** The program started this process, so that nobody waits for its event loop. */
  readonly isBackground: boolean;
}

/** Null where there is nothing to record: no recording, one that is over, or a runtime that is not plain Node. */
export function findRun(env: NodeJS.ProcessEnv): Run | null {
  inheritVariables(env);
  // A worker with an environment of its own is told by its parent thread.
  const given: unknown = env[recordingDirVariable] ?? getEnvironmentData(recordingDirVariable);
  if (typeof given !== 'string' || given === '' || !isPlainNode()) return null;
  // Under `hotspan record`, and in what the first process has started, the folder has been looked at before.
  const isFirst = env[modeVariable] === undefined && isMainThread;
  const directory = isFirst ? closedFolder(path.resolve(given)) : path.resolve(given);
  if (directory === null) return null;
  // The program, and what it starts, may have another current folder.
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

/** A new manifest; null under `hotspan record`, which has begun the recording itself: there it was deleted. */
function newManifest(directory: string, env: NodeJS.ProcessEnv): object | null {
  if (env[modeVariable] !== undefined || !isMainThread) return null;
  beginRecording(directory, validInterval(env[intervalVariable]), validLimit(env[limitVariable]) * 1e6);
  return readManifest(directory);
}

/** A test runner that the program's own script starts is not in the background, nor is what it starts in its turn. */
function isBackground(env: NodeJS.ProcessEnv): boolean {
  if (env[kindVariable] !== 'background') return false;
  const isRunner = process.execArgv.includes('--test') || isPoolFile(realPath(process.argv[1] ?? ''));
  if (isRunner) Reflect.deleteProperty(env, kindVariable);
  return !isRunner;
}

/** Node's own thread for the hooks of module loaders: started by nobody, no profile is taken there. */
export function isInternalThread(run: Run, recorderFile: string): boolean {
  return !isMainThread && !process.execArgv.includes(run.ofTiers ? recorderFile : '--cpu-prof');
}

/** A daemon outlives the command that started it: from then on nothing of it belongs to the recording. */
export function isOver(run: Run): boolean {
  try {
    const manifest = parseManifest(run.directory);
    return manifest === null || internal(manifest, 'endedAt') !== null;
  } catch (error) {
    return !isPassing(error);
  }
}

/**
 * A package manager, or a one-line helper (`node -e`) that a tool starts: it must pass the recorder on to what it
 * starts, but its own work is none of the person's.
 */
export function isBystander(run: Pick<Run, 'evaluated'>): boolean {
  if (!isMainThread) return false;
  if (typeof internal(process, '_eval') === 'string') return !run.evaluated;
  const script = process.argv[1];
  return script !== undefined && packageManager.test(realPath(script).replaceAll('\\', '/'));
}

/** Matches where `npm`, `npx`, `yarn`, `pnpm` or `corepack` really is: `argv[1]` may be a link in a `bin` folder. */
const packageManager = /\/(node_modules\/(npm|npx|yarn|pnpm|corepack|@yarnpkg\/cli-dist)|\.yarn\/releases|corepack)\//;

/** Neither Electron, Bun or Deno, nor under Node's permissions. */
export function isPlainNode(): boolean {
  const isElsewhere = 'electron' in process.versions || 'bun' in process.versions || 'Deno' in globalThis;
  return !isElsewhere && internal(process, 'permission') === undefined;
}

function readManifest(directory: string): object | null {
  try {
    return parseManifest(directory);
  } catch {
    return null; // The folder is gone: the recording was deleted.
  }
}

function parseManifest(directory: string): object | null {
  const manifest: unknown = host.fromJson(host.readFileSync(path.join(directory, recordingFile), 'utf8'));
  return isObject(manifest) ? manifest : null;
}

/** In MB. */
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
 * Takes our variables from the nearest process above that was started with them. turbo hands on NODE_OPTIONS, and else only
 * the variables that its file names. Linux alone tells what a process was started with.
 */
function inheritVariables(env: NodeJS.ProcessEnv): void {
  const isCut = env[recordingDirVariable] === undefined && /[\\/]recorder-\w+\.cjs/.test(env['NODE_OPTIONS'] ?? '');
  if (!isCut || !isMainThread || process.platform !== 'linux') return;
  attempt(() => {
    for (const [name, value] of variablesAbove(process.ppid)) Reflect.set(env, name, value);
  });
}

/** Throws where no process above has them, or one may not be looked at. */
function variablesAbove(pid: number): readonly (readonly [name: string, value: string])[] {
  const pairs = host.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const ours = pairs.filter((pair) => pair.startsWith('HOTSPAN_'));
  if (ours.some((pair) => pair.startsWith(`${recordingDirVariable}=`)))
    return ours.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  // Behind the name, which may hold anything: its state, and the process above.
  const [, , above] = host.readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.split(' ') ?? [];
  return variablesAbove(Number(above));
}

/** Packages that run somebody's tests or tasks, in threads and processes of theirs too: what blocks there is waited for. */
const packages =
  /^(tinypool|vitest|@vitest\/.+|vite-node|jest|jest-.+|@jest\/.+|ava|piscina|workerpool|mocha|tap|@tapjs\/.+|jasmine|jasmine-.+|uvu|tape|@playwright\/test|playwright|@cucumber\/cucumber)$/;

/** True for a file of such a package: what stands after the path's last `node_modules/`. */
export function isPoolFile(file: string): boolean {
  const inside = file.replaceAll('\\', '/').split('/node_modules/').pop() ?? '';
  if (inside === file.replaceAll('\\', '/')) return false;
  const [scope = '', name = ''] = inside.split('/');
  return packages.test(scope.startsWith('@') ? `${scope}/${name}` : scope);
}
