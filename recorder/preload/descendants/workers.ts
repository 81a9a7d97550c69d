import workerThreads from 'node:worker_threads';
import { recordingDirVariable, shimVariable } from '../../../protocol/recording.ts';
import { asTexts, attempt, call, construct, host, internal, isObject, pathIn, textIn } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import { type Run, isOver } from '../host/run.ts';
import { isStartedByPool } from './children.ts';
import { checkTierFolder, hideFlags } from '../profile/tier-log.ts';

/**
 * Starts each new worker with Node's `--cpu-prof`: only C++ still writes the profile on `terminate()`, an error, or the
 * end of the process.
 *
 * Returns a function that stops the workers that still run, and waits up to a second until Node has written their
 * profiles, which a signal that ends the process would lose. Call it only where the event loop will not turn again.
 */
export function reachWorkers(run: Run, output: Output, recorderFile: string): () => void {
  const started: WeakRef<object>[] = [];
  const Original = workerThreads.Worker;
  // What a worker inherits, whatever the program does to `process.execArgv`.
  const inherited = [...process.execArgv];
  const Watched = classLike(Original, (args, newTarget) => {
    // Node would write its profile into a recording that has ended, or make its deleted folder again.
    if (output.isClosed() || (!run.ofTiers && isOver(run))) return construct(Original, args, newTarget);
    if (run.ofTiers) checkTierFolder(run);
    const start = (options: object): object => construct(Original, [args[0], options], newTarget);
    const watched = startWatched(args[1], start, inherited, run, recorderFile);
    // Started with the program's own arguments: an error is thrown from Node's own place, not from here.
    const worker = watched ?? construct(Original, args, newTarget);
    started.push(new WeakRef(worker));
    attempt(() => {
      // Users wait for a pool of a test runner, except in the background.
      const kind = run.isBackground || !isStartedByPool() ? 'background' : 'pool';
      output.event({ type: 'worker', pid: process.pid, threadId: threadIdOf(worker), kind });
    });
    return worker;
  });
  Reflect.set(workerThreads, 'Worker', Watched);
  return () => {
    if (run.ofTiers) return;
    const ids = started.flatMap((reference) => stop(reference.deref()));
    const isMissing = (id: number): boolean => !host.readdirSync(run.directory).some((file) => isProfileOf(file, id));
    const until = host.performanceNow() + 1000;
    while (ids.some(isMissing) && host.performanceNow() < until)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  };
}

/**
 * Starts a worker with the recorder's flags, and without inherited flags that Node refuses when they are explicit
 * (`--expose-gc`). Null where Node refuses what the program gave.
 */
function startWatched(
  options: unknown,
  start: (options: object) => object,
  inherited: readonly string[],
  run: Run,
  recorderFile: string,
): object | null {
  const given = pathIn(options, 'execArgv');
  const isInherited = !Array.isArray(given);
  if (options === null || (isInherited && Boolean(given))) return null;
  const isLoaded = passVariables(options, recorderFile);
  // With tiers, `--require` distinguishes a worker of the program from Node's own threads.
  const preload = isLoaded && !run.ofTiers ? [] : ['--require', recorderFile];
  const startWith = (flags: readonly unknown[]): object | null => {
    // The program may profile its workers itself.
    const own = run.ofTiers || flags.includes('--cpu-prof') ? preload : [...ownFlags(run), ...preload];
    try {
      return start(withExecArgv(options, [...flags, ...own]));
    } catch (error) {
      const left = isInherited ? withoutRefused(flags, error) : flags;
      return left.length < flags.length ? startWith(left) : null;
    }
  };
  workerThreads.setEnvironmentData(inheritedFlags, isInherited ? inherited : undefined);
  try {
    return startWith(isInherited ? inherited : given);
  } finally {
    workerThreads.setEnvironmentData(inheritedFlags, undefined);
  }
}

/** The environment data that pass the flags of a process on to a worker that inherits them. */
const inheritedFlags = 'HOTSPAN_EXEC_ARGV';

/** The options with other flags. The rest is read from the program's object, which may inherit it or have getters. */
function withExecArgv(options: unknown, execArgv: readonly unknown[]): object {
  return new Proxy({}, { get: (_, name) => (name === 'execArgv' ? execArgv : pathIn(options, name)) });
}

/** The flags without those that an error of Node names, and without their values. */
function withoutRefused(flags: readonly unknown[], error: unknown): readonly unknown[] {
  if (textIn(error, 'code') !== 'ERR_WORKER_INVALID_EXEC_ARGV') return flags;
  const refused = `, ${textIn(error, 'message').replace(/^.*?: /, '')}, `;
  const isRefused = (flag: unknown): boolean => refused.includes(`, ${String(flag)}, `);
  const isValue = (flag: unknown): boolean => !String(flag).startsWith('-');
  return flags.filter((flag, index) => !isRefused(flag) && !(isValue(flag) && isRefused(flags[index - 1])));
}

/**
 * A class with the name, methods and `instanceof` of Node's, whose instances `make` makes. Not a proxy: V8 names an object
 * in stacks after its `prototype.constructor` only where that is a function of JavaScript.
 */
function classLike(Original: typeof workerThreads.Worker, make: Make): object {
  const { Worker } = {
    // Named by the property, which the build does not shorten.
    Worker: class extends null {
      constructor(file: unknown, ...others: readonly unknown[]) {
        return make([file, ...others], new.target); // oxlint-disable-line eslint/no-constructor-return -- Node's own class makes the worker.
      }
    },
  };
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(Original.prototype);
  Object.defineProperties(Worker.prototype, methods);
  Reflect.setPrototypeOf(Worker.prototype, Reflect.getPrototypeOf(Original.prototype));
  Reflect.setPrototypeOf(Worker, Reflect.getPrototypeOf(Original));
  return Worker;
}

type Make = (args: readonly unknown[], newTarget: Parameters<typeof construct>[2]) => object;

function ownFlags({ directory, intervalUs }: Run): readonly string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-interval=${intervalUs}`];
}

/** In a worker: removes the recorder's flags from `execArgv`, which the program sees and its own children inherit. */
export function hideOwnFlags(run: Run, recorderFile: string): void {
  const preload = ['--require', recorderFile];
  const own = run.ofTiers ? preload : ownFlags(run);
  hideFlags([...own, ...preload]);
  hideFlags(own);
  const inherited = asTexts(workerThreads.getEnvironmentData(inheritedFlags));
  if (inherited.length > 0) process.execArgv = [...inherited];
  workerThreads.setEnvironmentData(inheritedFlags, undefined);
}

/** Passes the recorder's variables to a worker with its own environment. Whether NODE_OPTIONS load the recorder there. */
function passVariables(options: unknown, recorderFile: string): boolean {
  const env = pathIn(options, 'env');
  if (!isObject(env)) return true;
  workerThreads.setEnvironmentData(recordingDirVariable, process.env[recordingDirVariable] ?? '');
  workerThreads.setEnvironmentData(shimVariable, process.env[shimVariable] ?? '');
  return String(internal(env, 'NODE_OPTIONS')).includes(recorderFile);
}

/** Stops a worker. Returns its thread id, if it was still running. */
function stop(worker: object | undefined): readonly number[] {
  const threadId = worker === undefined ? -1 : threadIdOf(worker);
  if (worker === undefined || threadId < 0) return [];
  call(internal(worker, 'terminate'), worker, []);
  return [threadId];
}

/** -1 where it has ended. */
function threadIdOf(worker: object): number {
  return Number(internal(worker, 'threadId') ?? -1);
}

/** Whether a file is Node's profile of a thread here: `CPU.<date>.<time>.<pid>.<threadId>.<seq>.cpuprofile`. */
function isProfileOf(file: string, threadId: number): boolean {
  const [kind, , , pid, thread] = file.split('.');
  return kind === 'CPU' && pid === String(process.pid) && thread === String(threadId);
}
