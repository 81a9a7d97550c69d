import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import {
  intervalVariable,
  kindVariable,
  modeVariable,
  recordingDirVariable,
  logVariable,
  metricsVariable,
} from '../../protocol/recording.ts';
import { reachChildren, reachTierChildren } from './descendants/children.ts';
import { watchEnding } from './endings/ending.ts';
import { tierFlags } from '../command-lines/tier-flags.ts';
import { attempt, host, isLoaded, onFailure } from './host/host.ts';
import { recordIsolate } from './isolate.ts';
import { codeOf, isPassing, openOutput, writeFile, writeWhole } from './host/output.ts';
import { type Run, findRun, isBystander, isInternalThread, isPlainNode } from './host/run.ts';
import { dropTierLog, hideFlags } from './profile/tier-log.ts';
import { hideOwnFlags } from './descendants/workers.ts';
import { Metrics } from './turns/metrics.ts';
import { measurePeriods, type Period } from './turns/periods.ts';
import { type HistogramLine, turnClassBounds } from '../../protocol/recording-lines.ts';

/**
 * The recorder of one isolate, loaded by NODE_OPTIONS (`--require`) before the program. The build puts a check of the
 * Node version around it, written in ES5. It saves what it can and never disturbs the program: boot.ts reports what is
 * thrown before the run is known, and nothing throws after that.
 */
function begin(): void {
  // The program must find only its own modules in `require.cache`.
  Reflect.deleteProperty(host.modules(), __filename);
  if (isLoaded()) return;
  if (isForProduction(process.env)) {
    if (isMainThread && isPlainNode() && !isBystander({ evaluated: true })) logHistogram();
    return;
  }
  const run = findRun(process.env);
  if (run === null) return;
  const output = openOutput(run.directory, run.isolate);
  onFailure((error) => {
    const reason = error instanceof Error ? String(error.stack).slice(0, 500) : String(error);
    output.event({ type: 'failed', isolate: run.isolate, reason });
  });
  try {
    beginRun(run);
  } catch (error) {
    const reason = `the recorder failed (${String(error)}). Please report it.`;
    output.event({ type: 'unprofiled', isolate: run.isolate, reason });
  }
  attempt(() => host.syncBuiltinESMExports());
}

function beginRun(run: Run): void {
  const variables = {
    [recordingDirVariable]: run.directory,
    [intervalVariable]: String(run.intervalUs),
    [modeVariable]: 'run',
    ...(run.isBackground ? { [kindVariable]: 'background' } : {}),
  };
  const isLeftOut = isBystander(run) || isInternalThread(run, __filename);
  const tiers = run.ofTiers ? reachTierChildren(run) : null;
  if (run.ofTiers && isMainThread) attempt(() => hideFlags(tierFlags(run, run.intervalUs)));
  if (run.ofTiers && isMainThread && isLeftOut) attempt(() => dropTierLog(run));
  if (!isMainThread) hideOwnFlags(run, __filename);
  const onOtherUser = (uid: number): void =>
    openOutput(run.directory, run.isolate).event({ type: 'otherUser', isolate: run.isolate, uid });
  attempt(() => reachChildren(variables, __filename, { cwd: isLeftOut ? null : run.cwd, tiers, onOtherUser }));
  if (!isLeftOut) watchEnding(recordIsolate(run, __filename), isMainThread);
}

function isForProduction(env: NodeJS.ProcessEnv): boolean {
  const mode = env[modeVariable] ?? '';
  const isAlone = mode === '' && (env[recordingDirVariable] ?? '') === '';
  return mode === 'histogram' || (isAlone && (env[metricsVariable] ?? '') !== '');
}

/**
 * The mode for production: every 10 s and at the end a line with the number of turns of each length, or a file of metrics,
 * or both.
 */
function logHistogram(): void {
  const [file, metricsFile] = [fileNow(process.env[logVariable]), fileNow(process.env[metricsVariable])];
  const metrics = metricsFile === '' ? null : new Metrics();
  const scraped = metricsFile.replace('%p', String(process.pid));
  const [toLog, toMetrics] = [sayingWhyNot(logVariable, file), sayingWhyNot(metricsVariable, scraped)];
  measurePeriods(metrics, (period) => {
    const text = `${host.toJson(histogramLine(period))}\n`;
    if (file !== '') toLog(() => writeFile(file, 'log', text));
    else if (metrics === null) attempt(() => host.writeSync(2, text));
    // Numbers: whoever scrapes may be another user.
    if (metrics !== null) toMetrics(() => writeWhole(scraped, metrics.text(), 0o644));
  });
}

/** Attempts to write a file that a variable names. The first failure is said on stderr, as no command reports it. */
function sayingWhyNot(variable: string, file: string): (write: () => void) => void {
  const state = { isSaid: false };
  return (write) => {
    try {
      write();
    } catch (error) {
      if (state.isSaid || isPassing(error)) return;
      state.isSaid = true;
      const reason = `${variable}=${file} cannot be written (${codeOf(error)})`;
      attempt(() => host.writeSync(2, `hotspan: ${reason}: name a file in a folder that this user may write to.\n`));
    }
  };
}

/** The absolute path, as the program may change its folder; as typed where its folder is gone; `''` for none. */
function fileNow(typed = ''): string {
  try {
    return typed === '' ? '' : path.resolve(typed);
  } catch {
    return typed;
  }
}

function histogramLine({ line: [, from, to, counts, times], longestUs }: Period): HistogramLine {
  return {
    hotspan: 'histogram',
    at: new Date(host.wallClock()).toISOString(),
    pid: process.pid,
    seconds: Math.round((to - from) / 1000) / 1000,
    belowUs: [...turnClassBounds, null],
    turns: counts,
    sumUs: times,
    longestUs,
  };
}

begin();
