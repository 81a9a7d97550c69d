import workerThreads from 'node:worker_threads';
import { recordingDirVariable, shimVariable } from '../../../protocol/recording.ts';
import { attempt, construct, host, internal, isFunction, isObject } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import { type Run, isOver } from '../host/run.ts';
import { isStartedByPool } from './starter.ts';
import { checkTierFolder } from '../profile/tier-log.ts';
import type { ThreadKind } from '../../../protocol/recording-lines.ts';

/** The worker threads that this thread has started. */
export interface Workers {
  /**
   * Stops the workers that still run, and waits up to a second until Node has written their profiles: when a signal
   * ends a process, these would be lost. Call it only where the program's event loop will not turn again.
   */
  readonly stopAll: () => void;
}

/**
 * Starts each new worker with Node's own `--cpu-prof`: only C++ still writes the profile on `terminate()`, an error, or
 * the end of the process. `Worker` is replaced by a proxy and not by a subclass, so that the class, its name, its
 * statics and `instanceof` stay as they were.
 */
export function reachWorkers(run: Run, output: Output, recorderFile: string): Workers {
  const started: WeakRef<workerThreads.Worker>[] = [];
  const Original = workerThreads.Worker;
  const Watched = new Proxy(Original, {
    construct: (target, args: unknown[], newTarget) => {
      // Node would write its profile into a recording that has ended, or make the deleted folder of one again.
      if (output.isClosed() || (!run.ofTiers && isOver(run))) return construct(target, args, newTarget);
      if (run.ofTiers) checkTierFolder(run);
      const start = (withFlags: unknown[]): object => construct(target, withFlags, newTarget);
      const worker = startWorker(args, run, recorderFile, start);
      if (worker instanceof Original) {
        started.push(new WeakRef(worker));
        const { threadId } = worker;
        attempt(() => output.event({ type: 'worker', pid: process.pid, threadId, kind: kindOf(run) }));
      }
      return worker;
    },
  });
  workerThreads.Worker = Watched;
  Reflect.defineProperty(Original.prototype, 'constructor', { value: Watched });
  return {
    stopAll: () => {
      if (run.ofTiers) return;
      const ids = started.flatMap((reference) => stop(reference.deref()));
      const isMissing = (id: number): boolean => !host.readdirSync(run.directory).some((file) => isProfileOf(file, id));
      const until = host.performanceNow() + 1000;
      while (ids.some(isMissing) && host.performanceNow() < until) pause(10);
    },
  };
}

/**
 * Starts a worker with our flags. V8 flags that it inherits (`--expose-gc`) are refused once they are given explicitly:
 * then it is started once more without the flags that the error names.
 */
function startWorker(
  args: readonly unknown[],
  run: Run,
  recorderFile: string,
  start: (args: unknown[]) => object,
): object {
  const given = isObject(args[1]) ? args[1] : {};
  const inherited = internal(given, 'execArgv');
  const flags: readonly unknown[] = Array.isArray(inherited) ? inherited : process.execArgv;
  const own = run.ofTiers
    ? tierWorkerFlags(given, recorderFile)
    : [...profileFlags(flags, run), ...preloadFlags(given, recorderFile)];
  const withFlags = (execArgv: readonly unknown[]): unknown[] => [
    args[0],
    { ...given, execArgv: [...execArgv, ...own] },
  ];
  const refused = { message: '' };
  try {
    return start(withFlags(flags));
  } catch (error) {
    if (isObject(error) && internal(error, 'code') === 'ERR_WORKER_INVALID_EXEC_ARGV')
      refused.message = String(internal(error, 'message'));
  }
  // Started as the program has asked for it: an error is thrown from Node's own place, not from here.
  if (refused.message === '' || Array.isArray(inherited)) return start([...args]);
  return start(withFlags(flags.filter((flag) => typeof flag === 'string' && !refused.message.includes(flag))));
}

/** People wait for a pool of a test runner, except in the background. */
function kindOf(run: Run): ThreadKind {
  return run.isBackground || !isStartedByPool() ? 'background' : 'pool';
}

/** Flags that profile a worker; empty where the program profiles its workers itself. */
function profileFlags(flags: readonly unknown[], run: Run): readonly string[] {
  return flags.some((flag) => flag === '--cpu-prof') ? [] : ownFlags(run);
}

function ownFlags({ directory, intervalUs }: Run): readonly string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-interval=${intervalUs}`];
}

/** In a worker: removes our flags from `execArgv`, which the program sees and its own children inherit. */
export function hideOwnFlags(run: Run, recorderFile: string): void {
  const own = run.ofTiers ? ['--require', recorderFile] : ownFlags(run);
  const start = process.execArgv.findIndex((_flag, index) =>
    own.every((flag, i) => process.execArgv[index + i] === flag),
  );
  if (start < 0) return;
  const after = process.execArgv.slice(start + own.length);
  process.execArgv = [...process.execArgv.slice(0, start), ...(after[1] === recorderFile ? after.slice(2) : after)];
}

/**
 * The flags of a worker in a recording of tiers. V8's log needs none; `--require` distinguishes a worker of the program
 * from Node's own threads.
 */
function tierWorkerFlags(given: object, recorderFile: string): readonly string[] {
  preloadFlags(given, recorderFile);
  return ['--require', recorderFile];
}

/** The flags that load the recorder in a worker. One with an environment of its own does not see our NODE_OPTIONS. */
function preloadFlags(options: object, recorderFile: string): readonly string[] {
  const env = internal(options, 'env');
  if (!isObject(env)) return [];
  workerThreads.setEnvironmentData(recordingDirVariable, process.env[recordingDirVariable] ?? '');
  workerThreads.setEnvironmentData(shimVariable, process.env[shimVariable] ?? '');
  return String(internal(env, 'NODE_OPTIONS')).includes(recorderFile) ? [] : ['--require', recorderFile];
}

/** Stops a worker. Its thread id, if it was still running. */
function stop(worker: workerThreads.Worker | undefined): readonly number[] {
  if (worker === undefined || worker.threadId < 0) return [];
  const { threadId } = worker;
  const terminate = internal(worker, 'terminate');
  if (isFunction(terminate)) Reflect.apply(terminate, worker, []);
  return [threadId];
}

/**
 * Whether a file is Node's profile of a thread of this process: `CPU.<date>.<time>.<pid>.<threadId>.<seq>.cpuprofile`.
 */
function isProfileOf(file: string, threadId: number): boolean {
  const [kind, , , pid, thread] = file.split('.');
  return kind === 'CPU' && pid === String(process.pid) && thread === String(threadId);
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
