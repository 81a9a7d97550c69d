import { isMainThread, threadId } from 'node:worker_threads';
import { intervalVariable, recordingDirVariable } from '../../protocol/recording.ts';
import { reachChildren } from './children.ts';
import { now } from './clock.ts';
import { watchEnding } from './ending.ts';
import { attempt, host } from './host.ts';
import { openOutput } from './output.ts';
import { rotationPeriod, startProfiler } from './profiler.ts';
import type { Profiler } from './profiler.ts';
import type { Output } from './output.ts';
import { findRun, isBystander, isOver } from './run.ts';
import type { Run } from './run.ts';
import { collectLiveScripts, collectSourceMaps, watchCompiling } from './source-maps.ts';
import { measureTurns } from './turns.ts';
import { reachWorkers } from './workers.ts';

/**
 * The recorder of one isolate, loaded by NODE_OPTIONS (`--require`) before the program. The build puts an ES5 check
 * of the Node version around it. It saves what it can and never disturbs the program: nothing here throws.
 */
attempt(() => {
  const run = findRun(process.env);
  if (run === null) return;
  const variables = { [recordingDirVariable]: run.directory, [intervalVariable]: String(run.intervalUs) };
  attempt(() => reachChildren(variables, __filename));
  if (!isBystander(run)) record(run);
  host.syncBuiltinESMExports();
});

function record(run: Run): void {
  const lost: (() => void)[] = [];
  const output = openOutput(run.directory, () => lost.forEach(attempt));
  announce(run, output);
  const workers = reachWorkers(run, output, __filename);
  const maps = collectSourceMaps(run, output);
  watchCompiling(maps);
  const profiler = isMainThread ? profilerOrReason(run, output) : null;
  const turns = measureTurns(run, output);
  const state = { isFinished: false };

  const finish = (reason: 'exit' | 'signal'): void => {
    if (state.isFinished) return;
    state.isFinished = true;
    host.clearInterval(rotating);
    if (isOver(run)) return;
    attempt(turns.finish);
    attempt(() => profiler?.stop());
    attempt(() => profiler !== null && collectLiveScripts(profiler.session, maps));
    output.event({ type: 'end', isolate: run.isolate, at: now(), reason });
  };
  const giveUp = (): void => {
    state.isFinished = true;
    host.clearInterval(rotating);
    turns.stop();
    profiler?.stop();
  };
  const rotate = (): void => (isOver(run) ? giveUp() : turns.own(() => profiler?.rotate()));
  const rotating = host.setInterval(() => attempt(rotate), rotationPeriod).unref();
  lost.push(giveUp);

  const note = (signal: NodeJS.Signals): void =>
    output.event({ type: 'signal', isolate: run.isolate, at: now(), signal });
  const handled = new Set<NodeJS.Signals>();
  const conduct = {
    finish,
    onHandler: (signal: NodeJS.Signals): void => {
      if (!handled.has(signal)) output.event({ type: 'handles', isolate: run.isolate, signal });
      handled.add(signal);
    },
    onHandledSignal: (signal: NodeJS.Signals): void => {
      note(signal);
      turns.own(() => profiler?.rotate());
    },
    onFatalSignal: (signal: NodeJS.Signals): void => {
      note(signal);
      workers.stopAll();
      finish('signal');
    },
  };
  watchEnding(conduct, isMainThread);
}

function announce(run: Run, output: Output): void {
  output.event({
    type: 'start',
    isolate: run.isolate,
    pid: process.pid,
    threadId,
    ppid: process.ppid,
    argv: process.argv,
    execArgv: process.execArgv,
    nodeVersion: process.version,
    at: now(),
  });
}

/** Null, and said in the recording, where Node has no inspector for us: nothing of the person's runs there. */
function profilerOrReason(run: Run, output: Output): Profiler | null {
  try {
    return startProfiler(run, output);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.event({ type: 'unprofiled', isolate: run.isolate, reason });
    return null;
  }
}
