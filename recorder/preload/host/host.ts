import { AsyncResource, createHook, executionAsyncResource } from 'node:async_hooks';
import childProcess from 'node:child_process';
import { hasSubscribers, subscribe, unsubscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import module from 'node:module';
import net from 'node:net';
import { performance } from 'node:perf_hooks';
import { types } from 'node:util';
import v8 from 'node:v8';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';

const hrtime = process.hrtime.bigint.bind(process.hrtime);
const resolved = Promise.resolve();
const then = internal(resolved, 'then');

/** The function that measures CPU time of this thread; before Node 22.19, of the whole process. */
const cpuUsage = internal(process, 'threadCpuUsage') ?? internal(process, 'cpuUsage');

const noLinks = Number(internal(fs.constants, 'O_NOFOLLOW') ?? 0);

const builtinModule = internal(process, 'getBuiltinModule');

const stringify = JSON.stringify;

const captureStackTrace = Error.captureStackTrace.bind(Error);

/**
 * The functions of Node that the recorder uses, taken before the program can replace them (fake timers, a mocked file
 * system, a patched `process`, spies). All other files of the preload call these, never the globals.
 */
export const host = {
  mkdirSync: fs.mkdirSync,
  openSync: fs.openSync,
  readSync: fs.readSync,
  writeSync: fs.writeSync,
  closeSync: fs.closeSync,
  renameSync: fs.renameSync,
  unlinkSync: fs.unlinkSync,
  readFileSync: fs.readFileSync,
  readdirSync: fs.readdirSync,
  statSync: fs.statSync,
  lstatSync: fs.lstatSync,
  rmdirSync: fs.rmdirSync,
  fstatSync: fs.fstatSync,
  accessSync: fs.accessSync,
  writable: fs.constants.W_OK,
  /** Flags that write nothing through a link, which Windows has not; `w` also writes to no existing file. */
  opening: {
    a: fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND | noLinks,
    w: fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | noLinks,
    /** The user has chosen this file: it may be a link, such as `/dev/stdout`. */
    log: 'a',
  },
  /** Flags for reading without waiting for a writer of a pipe. Windows has neither flag. */
  reading: fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0),
  realpathSync: fs.realpathSync,
  readlinkSync: fs.readlinkSync,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  performanceNow: performance.now.bind(performance),
  nodeTiming: performance.nodeTiming,
  nextTick: process.nextTick.bind(process),
  /** Runs `work` as a microtask. Cheaper than `queueMicrotask`, which makes a resource for async hooks. */
  afterTicks: (work: () => void) => void call(then, resolved, [work]),
  promiseHooks: v8.promiseHooks,
  GCProfiler: v8.GCProfiler,
  processCpuUsage: process.cpuUsage.bind(process),
  /** CPU time in ms. */
  cpuTime: () => {
    const usage = call(cpuUsage, process, []);
    return isObject(usage) ? (Number(internal(usage, 'user')) + Number(internal(usage, 'system'))) / 1000 : 0;
  },
  kill: process.kill.bind(process),
  wallClock: Date.now,
  toJson: (value: unknown, replacer: null = null, space?: number): string =>
    undisturbed(() => stringify(value, replacer, space)),
  fromJson: JSON.parse,
  bytesOf: Buffer.from.bind(Buffer),
  hrtime,
  AsyncResource,
  createHook,
  executionAsyncResource,
  isPromise: types.isPromise,
  ChildProcess: childProcess.ChildProcess,
  spawnSync: childProcess.spawnSync,
  serverAddress: internal(net.Server.prototype, 'address'),
  /** The functions by which `require` loads files, by file extension. */
  extensions: objectIn(module, '_extensions'),
  /** The modules that `require` has loaded, by file. */
  modules: (): object => objectIn(module, '_cache'),
  /** A built-in module, even if the program has replaced it; an empty object before Node 20.16. */
  builtinModule: (name: string): object => asObject(call(builtinModule, process, [name])),
  syncBuiltinESMExports: module.syncBuiltinESMExports,
} as const;

/** Reads a property that is missing in the types of Node (`process._exiting`). */
export function internal(target: object, name: PropertyKey): unknown {
  return Reflect.get(target, name);
}

/** Reads a property of a property …; undefined where a value on the way is neither an object nor a function. */
export function pathIn(target: unknown, ...names: readonly PropertyKey[]): unknown {
  return names.reduce<unknown>(
    (value, name) => (isObject(value) || isFunction(value) ? internal(value, name) : undefined),
    target,
  );
}

/** Reads a property like `pathIn`; empty where it is not a text. */
export function textIn(target: unknown, ...names: readonly PropertyKey[]): string {
  return asText(pathIn(target, ...names));
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value as a list of texts; empty where it is none. */
export function asTexts(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : [];
}

/** Reads a property; an object without properties where it is not an object. */
function objectIn(target: object, name: string): object {
  return asObject(internal(target, name));
}

function asObject(value: unknown): object {
  return isObject(value) ? value : {};
}

/** The frames below `called`, innermost first; a text, or what the program makes of them, where `Error` is frozen. */
export function stackBelow(called: AnyFunction, limit: number): unknown {
  const holder: { readonly stack?: unknown } = {};
  const undo = [
    setWithoutSetter(Error, 'stackTraceLimit', limit),
    setWithoutSetter(Error, 'prepareStackTrace', (_: unknown, frames: unknown) => frames),
  ];
  try {
    captureStackTrace(holder, called);
    // V8 makes the stack when it is read for the first time.
    return holder.stack;
  } finally {
    for (const one of undo) one();
  }
}

/** Sets a property, where that is possible without a setter of the program. Returns what puts it back as it was. */
export function setWithoutSetter(target: object, name: string, value: unknown): () => void {
  const before = Reflect.getOwnPropertyDescriptor(target, name);
  Reflect.defineProperty(target, name, { value, configurable: before?.configurable ?? true });
  return () =>
    before === undefined ? Reflect.deleteProperty(target, name) : Reflect.defineProperty(target, name, before);
}

export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Calls `target.apply(self, args)`; undefined where `target` is not a function. The result may be anything. */
export function call(target: unknown, self: unknown, args: readonly unknown[]): unknown {
  const result: unknown = isFunction(target) ? Reflect.apply(target, self, args) : undefined;
  return result;
}

/** Calls `new target(…args)` as a subclass `newTarget` does with `super`. */
export function construct(target: AnyConstructor, args: readonly unknown[], newTarget: AnyConstructor): object {
  return asObject(Reflect.construct(target, args, newTarget));
}

/** The type of the constructors that a proxy's `construct` trap gets. */
type AnyConstructor = NonNullable<Parameters<NonNullable<ProxyHandler<object>['construct']>>[2]>;

/** Runs a piece of the recorder. An error in it never reaches the program; it is reported to the recording. */
export function attempt(work: () => void): void {
  try {
    undisturbed(work);
  } catch (error) {
    // Reporting may fail, too, and is tried only a few times.
    if (failures.left <= 0) return;
    failures.left -= 1;
    attempt(() => failures.report(error));
  }
}

/** Sets how the first five failures of this isolate are reported. */
export function onFailure(report: (error: unknown) => void): void {
  failures.report = report;
}

const failures: { left: number; report: (error: unknown) => void } = { left: 5, report: () => undefined };

/** Replaces a function, with the same name, length and visibility. Does nothing where there is none (older Node). */
export function replace(target: object, name: string, wrap: (original: AnyFunction) => AnyFunction): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, name);
  const original: unknown = descriptor?.value;
  if (descriptor === undefined || !isFunction(original)) return;
  const wrapped = wrap(original);
  Object.defineProperty(wrapped, 'name', { value: original.name, configurable: true });
  Object.defineProperty(wrapped, 'length', { value: original.length, configurable: true });
  Object.defineProperty(target, name, { ...descriptor, value: wrapped });
  onLeaving(() => {
    if (internal(target, name) === wrapped) Object.defineProperty(target, name, descriptor);
  });
}

/** Calls `hear` with each message of a diagnostics channel. */
export function listen(channel: string, hear: (message: unknown) => void): void {
  const onMessage = (message: unknown): void => attempt(() => hear(message));
  subscribe(channel, onMessage);
  onLeaving(() => unsubscribe(channel, onMessage));
}

/**
 * Whether this thread has loaded a recorder before: `node --test` (Node 24 and later) gives its children the `--require`
 * of NODE_OPTIONS a second time, and a recorded process may be attached to. The mark is a diagnostics channel, where no
 * program looks.
 */
export function isLoaded(): boolean {
  const channel = 'hotspan:loaded';
  if (hasSubscribers(channel)) return true;
  listen(channel, () => undefined);
  return false;
}

/** Sets what takes a change of the program back, for a recorder that leaves before the program ends. */
export function onLeaving(undo: () => void): void {
  changes.push(undo);
}

/** Takes all changes of the program back, the last one first. */
export function leaveProgram(): void {
  for (let undo = changes.pop(); undo !== undefined; undo = changes.pop()) attempt(undo);
}

const changes: (() => void)[] = [];

/** The real path of a file that may be a link (`node_modules/.bin/mocha`); the path itself where there is no such file. */
export function realPath(file: string): string {
  try {
    return host.realpathSync(file);
  } catch {
    return file;
  }
}

/**
 * Runs a piece of the recorder with Node as it was at the start, then restores the program's changes: mock-fs replaces
 * the C++ functions below all of `fs`, and old libraries give every object a `toJSON`, which also changes captured
 * functions. No code of the program may run inside. Costs 0.1 µs where nothing was changed.
 */
export function undisturbed<Result>(work: () => Result): Result {
  const isMocked = files !== null && watched.some((name) => Reflect.get(files, name) !== functions.get(name));
  if (!isMocked && !prototypes.some((one) => Reflect.has(one, 'toJSON'))) return work();
  const undo = [...(isMocked ? restoreFiles() : []), ...prototypes.map(hideToJson)];
  try {
    return work();
  } finally {
    for (const one of undo) one();
  }
}

/** Whether a file that seems to be missing may be there, behind a mock that cannot be seen through. */
export function mayBeMocked(): boolean {
  return files === null;
}

/** A C++ part of Node, such as `spawn_sync`; null with --permission, or where reading it would print a deprecation warning. */
export function bindingOf(name: string): object | null {
  if (hasNodeOption(/pending-deprecation/) || process.env['NODE_PENDING_DEPRECATION'] === '1') return null;
  try {
    const value = call(internal(process, 'binding'), process, [name]);
    return isObject(value) ? value : null;
  } catch {
    return null; // With --permission, or a `process.binding` of the program, it throws.
  }
}

/** Whether an option of Node matches, on the command line or in the whole text of NODE_OPTIONS. */
export function hasNodeOption(pattern: RegExp): boolean {
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) => pattern.test(text));
}

const files = bindingOf('fs');
const functions = new Map(Object.entries(files ?? {}).filter(([, value]) => typeof value === 'function'));
/** What replaces one of these replaces all that it mocks. */
const watched = ['open', 'writeBuffer', 'read'] as const;
const prototypes = [Object.prototype, Array.prototype] as const;

/** Restores the C++ functions of `fs`. Like `hideToJson`, it returns what puts the program's own back. */
function restoreFiles(): readonly (() => void)[] {
  if (files === null) return [];
  return [...functions].flatMap(([name, original]) => {
    const replaced: unknown = Reflect.get(files, name);
    if (replaced === original) return [];
    Reflect.set(files, name, original);
    return [() => void Reflect.set(files, name, replaced)];
  });
}

function hideToJson(prototype: object): () => void {
  const descriptor = Reflect.getOwnPropertyDescriptor(prototype, 'toJSON');
  if (descriptor === undefined || !Reflect.deleteProperty(prototype, 'toJSON')) return () => {};
  return () => Reflect.defineProperty(prototype, 'toJSON', descriptor);
}

/** Between `process.hrtime` (CLOCK_MONOTONIC, as V8's profiles) and `performance.now()`, in µs. */
const offset = constantDifference(() => Number(host.hrtime()) / 1000 - host.performanceNow() * 1000);

/**
 * The difference of two clocks, of which each reading is a second one less the first. A thread that loses the processor
 * between the two reads the later one late, so the largest of several differences is the nearest.
 */
function constantDifference(read: () => number): number {
  let largest = read();
  for (let i = 1; i < 5; i += 1) largest = Math.max(largest, read());
  return largest;
}

/** The current time in whole µs on the recording's clock. */
export function now(): Microseconds {
  return onRecordingClock(host.performanceNow());
}

/** A time of `performance.now()`, in ms, on the recording's clock. It costs a tenth of `hrtime.bigint()`. */
export function onRecordingClock(ms: number): Microseconds {
  return microseconds(Math.round(ms * 1000 + offset));
}

/** When this process began, on the clock of the file system, in ms since the epoch. */
export const beganAt = host.wallClock() - host.performanceNow();
