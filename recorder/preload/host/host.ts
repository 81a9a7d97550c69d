import { AsyncResource, createHook, executionAsyncResource } from 'node:async_hooks';
import childProcess from 'node:child_process';
import fs from 'node:fs';
import module from 'node:module';
import { performance } from 'node:perf_hooks';
import { types } from 'node:util';
import v8 from 'node:v8';
import { undisturbed } from './undisturbed.ts';

const hrtime = process.hrtime.bigint.bind(process.hrtime);
const resolved = Promise.resolve();
const then = internal(resolved, 'then');

/** The function that measures CPU time of this thread; before Node 22.19, of the whole process. */
const cpuUsage = internal(process, 'threadCpuUsage') ?? internal(process, 'cpuUsage');

const noLinks = Number(internal(fs.constants, 'O_NOFOLLOW') ?? 0);

const builtinModule = internal(process, 'getBuiltinModule');

const stringify = JSON.stringify;

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
  /**
   * Flags for opening files. No link is followed, and a file that is written anew must not exist before, so that it
   * cannot be somebody else's. Windows has no such links.
   */
  opening: {
    a: fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND | noLinks,
    w: fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | noLinks,
    /** The person has chosen this file: it may be a link, such as `/dev/stdout`. */
    log: 'a',
  },
  /** Flags for reading without waiting for a writer of a pipe. Windows has neither flag. */
  reading: fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0),
  realpathSync: fs.realpathSync,
  readlinkSync: fs.readlinkSync,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
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
  extensions: extensionsOf(),
  forgetModule: (file: string) => {
    const cache = internal(module, '_cache');
    if (isObject(cache)) Reflect.deleteProperty(cache, file);
  },
  hasRequired: (file: string): boolean => {
    const cache = internal(module, '_cache');
    return isObject(cache) && Reflect.has(cache, file);
  },
  /**
   * A built-in module, even where the program has replaced it; an empty object where Node cannot be asked (before
   * 20.16).
   */
  builtinModule: (name: string): object => {
    const found = call(builtinModule, process, [name]);
    return isObject(found) ? found : {};
  },
  syncBuiltinESMExports: module.syncBuiltinESMExports,
} as const;

/** Reads a property that is missing in the types of Node (`process._exiting`). */
export function internal(target: object, name: PropertyKey): unknown {
  return Reflect.get(target, name);
}

/** The functions by which `require` loads files, by file extension. */
function extensionsOf(): object {
  const extensions = internal(module, '_extensions');
  return isObject(extensions) ? extensions : {};
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Calls `target.apply(self, args)`; undefined where `target` is no function. The result may be anything. */
export function call(target: unknown, self: unknown, args: readonly unknown[]): unknown {
  const result: unknown = isFunction(target) ? Reflect.apply(target, self, args) : undefined;
  return result;
}

/** Calls `new target(…args)` as a subclass `newTarget` does with `super`. */
export function construct(target: AnyConstructor, args: readonly unknown[], newTarget: AnyConstructor): object {
  const instance: unknown = Reflect.construct(target, args, newTarget);
  return isObject(instance) ? instance : {};
}

/** The type of the constructors that a proxy's `construct` trap gets. */
type AnyConstructor = NonNullable<Parameters<NonNullable<ProxyHandler<object>['construct']>>[2]>;

/** Runs a piece of the recorder. An error in it must never reach the program; it is reported to the recording. */
export function attempt(work: () => void): void {
  try {
    undisturbed(work);
  } catch (error) {
    // The program matters more than its profile. Reporting may fail, too, and is tried only a few times.
    if (failures.left <= 0) return;
    failures.left -= 1;
    attempt(() => failures.tell(error));
  }
}

/** Sets how failures are reported from here on. Only the first five of an isolate are. */
export function tellFailures(tell: (error: unknown) => void): void {
  failures.tell = tell;
}

const failures: { left: number; tell: (error: unknown) => void } = { left: 5, tell: () => undefined };

/**
 * Replaces a function of `target` in place, with the same name, length and visibility.
 * `wrap` gets the original; where there is none (older Node), nothing happens.
 */
export function replace(target: object, name: string, wrap: (original: AnyFunction) => AnyFunction): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, name);
  const original: unknown = descriptor?.value;
  if (descriptor === undefined || !isFunction(original)) return;
  const wrapped = wrap(original);
  Object.defineProperty(wrapped, 'name', { value: original.name, configurable: true });
  Object.defineProperty(wrapped, 'length', { value: original.length, configurable: true });
  Object.defineProperty(target, name, { ...descriptor, value: wrapped });
}

/**
 * The real path of a file that may be a link (`node_modules/.bin/mocha`); the path itself where there is no such file:
 * Node will report that.
 */
export function realPath(file: string): string {
  try {
    return host.realpathSync(file);
  } catch {
    return file;
  }
}
