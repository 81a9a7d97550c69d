import inspector from 'node:inspector';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { isMainThread, threadId } from 'node:worker_threads';
import { clockMarker, v8LogSuffix } from '../../../protocol/recording.ts';
import { standsAgainstTiers, tierFlags } from '../../command-lines/tier-flags.ts';
import { attempt, call, host, replace } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import type { Profiler } from './profiler.ts';
import type { Run } from '../host/run.ts';

/**
 * V8 writes the log itself, from before the first line of JavaScript to its end, whatever that is. What is left to do
 * here is to mark whose it is, to say where there is none, and to end it when the recording is over.
 */
export function keepTierLog(run: Run, output: Output): Profiler {
  if (logsOf(run).length > 0) {
    for (let i = 0; i < 5; i += 1) mark();
  } else {
    output.event({ type: 'unprofiled', isolate: run.isolate, reason: whyNone() });
    if (isMainThread) logWorkers(run);
  }
  tellFlags((flag) => output.event({ type: 'flag', isolate: run.isolate, flag }));
  return {
    rotate: () => {},
    beforeLeavingRights: stopNewLogs,
    stop: () => {},
    discard: () => {
      stopNewLogs();
      holdLog();
    },
    session: openSession,
    // What was sampled is in V8's log: it is not known here.
    sampled: { urls: () => [], textsOnDisk: () => null, standsIn: () => false },
  };
}

/** The log of a process of which nothing counts. */
export function dropTierLog(run: Run): void {
  stopNewLogs();
  for (const file of logsOf(run)) attempt(() => host.unlinkSync(path.join(run.directory, file)));
}

/** The program sees the flags that it was started with itself, and so do its children. */
export function hideTierFlags(run: Run): void {
  const own = tierFlags(run, run.intervalUs);
  const start = process.execArgv.findIndex((_flag, index) =>
    own.every((flag, i) => process.execArgv[index + i] === flag),
  );
  if (start < 0) return;
  process.execArgv = [...process.execArgv.slice(0, start), ...process.execArgv.slice(start + own.length)];
}

/** Before a worker: V8 would write the log of its isolate to stdout where the folder is gone, or not to be written. */
export function checkTierFolder(run: Run): void {
  try {
    host.accessSync(run.directory, host.writable);
  } catch {
    stopNewLogs();
  }
}

/** Paths of the logs of this process, its threads included. */
function logsOf({ directory }: Run): readonly string[] {
  const own = `-${process.pid}-${process.pid}-`;
  return host.readdirSync(directory).filter((file) => file.endsWith(v8LogSuffix) && file.includes(own));
}

function mark(): void {
  void new vm.Script('0', { filename: `${clockMarker}${process.pid}:${threadId}:${host.hrtime()}` });
}

function whyNone(): string {
  const own = process.execArgv.find((flag) => standsAgainstTiers(flag));
  return own === undefined
    ? 'V8 kept no log of it, because nothing on its way could add flags to its command line. Let it be started as "node", by the PATH.'
    : `it was started with ${own}, which does not go together with V8's log: leave that out.`;
}

/** Flags that the program sets while it runs, if they change what is optimized or logged. */
function tellFlags(tell: (flag: string) => void): void {
  const telling = /opt|sparkplug|maglev|turbo|prof|log|jit|interpret|lazy|baseline|tier/;
  replace(
    v8,
    'setFlagsFromString',
    (original) =>
      function (...args) {
        const [flag] = args;
        attempt(() => {
          if (typeof flag === 'string' && telling.test(flag)) tell(flag);
        });
        return call(original, this, args);
      },
  );
}

/** Flags that V8 reads when an isolate begins; in this order none of Node 18 to 26 minds. It splits them at blanks. */
function logWorkers(run: Run): void {
  if (
    run.shim === '' ||
    /\s/.test(run.directory + run.shim) ||
    process.execArgv.some((flag) => standsAgainstTiers(flag))
  )
    return;
  const [, , ...rest] = tierFlags(run, run.intervalUs);
  for (const flag of ['--log', '--log-code', '--prof', '--prof-cpp', ...rest.filter(isNoDeopt), '--log-deopt'])
    setFlag(flag);
}

/** Before anybody's calls of it are watched. */
const setFlag = v8.setFlagsFromString;

function isNoDeopt(flag: string): boolean {
  return flag !== '--log-deopt';
}

/**
 * Stops the logs of isolates that begin after this, and of deopts: for each deopt V8 opens a file, and dies where it
 * cannot.
 */
function stopNewLogs(): void {
  for (const flag of ['--no-log-deopt', '--no-prof', '--no-prof-cpp', '--no-log-code', '--no-log']) setFlag(flag);
}

/** V8 writes nothing to its log while a CPU profile is taken: one that hardly ever looks. */
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
