import workerThreads from 'node:worker_threads';
import { recordingDirVariable, shimVariable } from '../../../protocol/recording.ts';
import { attempt, call, construct, host, internal, isObject } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import { type Run, isOver } from '../host/run.ts';
import { isStartedByPool } from './children.ts';
import { checkTierFolder, hideFlags } from '../profile/tier-log.ts';

/**
 * Starts each new worker with Node's `--cpu-prof`: only C++ still writes the profile on `terminate()`, an error, or the
 * end of the process. `Worker` is replaced by a proxy and not by a subclass, so that the class, its name, its statics and
 * `instanceof` stay as they were.
 *
 * Returns a function that stops the workers that still run, and waits up to a second until Node has written their
 * profiles, which a signal that ends the process would lose. Call it only where the event loop will not turn again.
 */
export function reachWorkers(run: Run, output: Output, recorderFile: string): () => void {
  const started: WeakRef<workerThreads.Worker>[] = [];
  const Original = workerThreads.Worker;
  const Watched = new Proxy(Original, {
    construct: (target, args: unknown[], newTarget) => {
      // Node would write its profile into a recording that has ended, or make its deleted folder again.
      if (output.isClosed() || (!run.ofTiers && isOver(run))) return construct(target, args, newTarget);
      if (run.ofTiers) checkTierFolder(run);
      const start = (withFlags: unknown[]): object => construct(target, withFlags, newTarget);
      const worker = startWorker(args, run, recorderFile, start);
      if (worker instanceof Original) {
        started.push(new WeakRef(worker));
        const { threadId } = worker;
        attempt(() => {
          // Users wait for a pool of a test runner, except in the background.
          const kind = run.isBackground || !isStartedByPool() ? 'background' : 'pool';
          output.event({ type: 'worker', pid: process.pid, threadId, kind });
        });
      }
      return worker;
    },
  });
  workerThreads.Worker = Watched;
  Reflect.defineProperty(Original.prototype, 'constructor', { value: Watched });
  return () => {
    if (run.ofTiers) return;
    const ids = started.flatMap((reference) => stop(reference.deref()));
    const isMissing = (id: number): boolean => !host.readdirSync(run.directory).some((file) => isProfileOf(file, id));
    const until = host.performanceNow() + 1000;
    while (ids.some(isMissing) && host.performanceNow() < until)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  };
}

/** Starts a worker with flags, once more without those that Node refuses when they are explicit (`--expose-gc`). */
function startWorker(
  args: readonly unknown[],
  run: Run,
  recorderFile: string,
  start: (args: unknown[]) => object,
): object {
  const given = isObject(args[1]) ? args[1] : {};
  const inherited = internal(given, 'execArgv');
  const flags: readonly unknown[] = Array.isArray(inherited) ? inherited : process.execArgv;
  const isLoaded = passVariables(given, recorderFile);
  // With tiers, `--require` distinguishes a worker of the program from Node's own threads.
  const preload = isLoaded && !run.ofTiers ? [] : ['--require', recorderFile];
  // The program may profile its workers itself.
  const own = run.ofTiers || flags.includes('--cpu-prof') ? preload : [...ownFlags(run), ...preload];
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
  // Started with the program's own arguments: an error is thrown from Node's own place, not from here.
  if (refused.message === '' || Array.isArray(inherited)) return start([...args]);
  return start(withFlags(flags.filter((flag) => typeof flag === 'string' && !refused.message.includes(flag))));
}

function ownFlags({ directory, intervalUs }: Run): readonly string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-interval=${intervalUs}`];
}

/** In a worker: removes the recorder's flags from `execArgv`, which the program sees and its own children inherit. */
export function hideOwnFlags(run: Run, recorderFile: string): void {
  const preload = ['--require', recorderFile];
  const own = run.ofTiers ? preload : ownFlags(run);
  hideFlags([...own, ...preload]);
  hideFlags(own);
}

/** Passes the recorder's variables to a worker with its own environment. Whether NODE_OPTIONS load the recorder there. */
function passVariables(options: object, recorderFile: string): boolean {
  const env = internal(options, 'env');
  if (!isObject(env)) return true;
  workerThreads.setEnvironmentData(recordingDirVariable, process.env[recordingDirVariable] ?? '');
  workerThreads.setEnvironmentData(shimVariable, process.env[shimVariable] ?? '');
  return String(internal(env, 'NODE_OPTIONS')).includes(recorderFile);
}

/** Stops a worker. Returns its thread id, if it was still running. */
function stop(worker: workerThreads.Worker | undefined): readonly number[] {
  if (worker === undefined || worker.threadId < 0) return [];
  const { threadId } = worker;
  call(internal(worker, 'terminate'), worker, []);
  return [threadId];
}

/** Whether a file is Node's profile of a thread here: `CPU.<date>.<time>.<pid>.<threadId>.<seq>.cpuprofile`. */
function isProfileOf(file: string, threadId: number): boolean {
  const [kind, , , pid, thread] = file.split('.');
  return kind === 'CPU' && pid === String(process.pid) && thread === String(threadId);
}
