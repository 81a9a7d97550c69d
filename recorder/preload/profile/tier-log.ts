import inspector from 'node:inspector';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { isMainThread, threadId } from 'node:worker_threads';
import { clockMarker, v8LogSuffix } from '../../../protocol/recording.ts';
import { preventsTiers, tierFlags } from '../../command-lines/tier-flags.ts';
import { attempt, call, host, replace } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import { nothingSampled, type Profiler } from './profiler.ts';
import { canWrite, type Run } from '../host/run.ts';

/** Marks V8's log, which V8 writes from start to end, notes where there is none, and stops it after the recording. */
export function keepTierLog(run: Run, output: Output): Profiler {
  if (logsOf(run).length > 0) {
    for (let i = 0; i < 5; i += 1)
      void new vm.Script('0', { filename: `${clockMarker}${process.pid}:${threadId}:${host.hrtime()}` });
  } else {
    output.event({ type: 'unprofiled', isolate: run.isolate, reason: missingReason() });
    if (isMainThread) logWorkers(run);
  }
  watchFlags((flag) => output.event({ type: 'flag', isolate: run.isolate, flag }));
  return {
    rotate: () => {},
    beforeLeavingRights: stopNewLogs,
    stop: () => {},
    discard: () => {
      stopNewLogs();
      holdLog();
    },
    session: openSession,
    sampled: nothingSampled,
  };
}

/** Deletes the log of a process that is not recorded. */
export function dropTierLog(run: Run): void {
  stopNewLogs();
  for (const file of logsOf(run)) attempt(() => host.unlinkSync(path.join(run.directory, file)));
}

/** Removes flags that follow each other from `execArgv`, which the program sees and its children inherit. */
export function hideFlags(own: readonly string[]): void {
  const { execArgv } = process;
  const start = execArgv.findIndex((_flag, index) => own.every((flag, i) => execArgv[index + i] === flag));
  if (start >= 0) process.execArgv = [...execArgv.slice(0, start), ...execArgv.slice(start + own.length)];
}

/** Call it before a worker starts: V8 would write the log to stdout where the folder is missing or read-only. */
export function checkTierFolder(run: Run): void {
  if (!canWrite(run)) stopNewLogs();
}

/** File names of the logs of this process, with those of its threads. */
function logsOf({ directory }: Run): readonly string[] {
  const own = `-${process.pid}-${process.pid}-`;
  return host.readdirSync(directory).filter((file) => file.endsWith(v8LogSuffix) && file.includes(own));
}

function missingReason(): string {
  const own = process.execArgv.find(preventsTiers);
  return own === undefined
    ? 'V8 kept no log of it, because no flags could be added to its command line. Start it as "node", by the PATH.'
    : `it was started with ${own}, which does not go together with V8's log: leave that out.`;
}

/** Calls `note` with flags that the program sets while it runs, if they change what is optimized or logged. */
function watchFlags(note: (flag: string) => void): void {
  const relevant = /opt|sparkplug|maglev|turbo|prof|log|jit|interpret|lazy|baseline|tier/;
  replace(
    v8,
    'setFlagsFromString',
    (original) =>
      function (...args) {
        const [flag] = args;
        attempt(() => {
          if (typeof flag === 'string' && relevant.test(flag)) note(flag);
        });
        return call(original, this, args);
      },
  );
}

/** Sets the flags for worker threads, in the order for Node 18 to 26. V8 splits them at blanks. */
function logWorkers(run: Run): void {
  if (run.shim === '' || /\s/.test(run.directory + run.shim) || process.execArgv.some(preventsTiers)) return;
  const rest = tierFlags(run, run.intervalUs).slice(2);
  const others = rest.filter((flag) => flag !== '--log-deopt');
  for (const flag of ['--log', '--log-code', '--prof', '--prof-cpp', ...others, '--log-deopt']) setFlag(flag);
}

/** Captured before calls of it are watched. */
const setFlag = v8.setFlagsFromString;

/** Stops the logs of isolates that begin after this, and of deopts: V8 dies where it cannot open their file. */
function stopNewLogs(): void {
  for (const flag of ['--no-log-deopt', '--no-prof', '--no-prof-cpp', '--no-log-code', '--no-log']) setFlag(flag);
}

/** Pauses V8's log by a CPU profile, which hardly ever samples: V8 writes nothing to the log meanwhile. */
function holdLog(): void {
  const session = openSession();
  session?.post('Profiler.enable');
  session?.post('Profiler.setSamplingInterval', { interval: 1_000_000 });
  session?.post('Profiler.start');
}

function openSession(): inspector.Session | null {
  try {
    const session = new inspector.Session();
    session.connect();
    return session;
  } catch {
    return null; // The parent of `node --test` has no inspector.
  }
}
