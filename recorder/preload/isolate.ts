import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isMainThread, threadId } from 'node:worker_threads';
import { redactArguments } from '../command-lines/redact.ts';
import type { OwnCode } from './boot.ts';
import { reachWorkers } from './descendants/workers.ts';
import { type Conduct, watchLeavingRights } from './endings/ending.ts';
import { attempt, host, now } from './host/host.ts';
import { type Output, openOutput, writeFile } from './host/output.ts';
import { type Run, canWrite, isOver, systemThread } from './host/run.ts';
import {
  collectInThread,
  collectInTime,
  collectLiveScripts,
  collectNow,
  textKeeper,
} from './loaded-scripts/live-scripts.ts';
import { watchLoaderHooks, watchImports, watchCompiling } from './loaded-scripts/watch-compiling.ts';
import { collectSourceMaps } from './loaded-scripts/source-maps.ts';
import type { Profiler } from './profile/profiler.ts';
import { insureProfile, startProfiler, rotateInTime, MIN_PART_MS, watchSize } from './profile/profiler.ts';
import { keepTierLog } from './profile/tier-log.ts';
import { watchListening, watchRequests } from './requests/requests.ts';
import { watchTests } from './runners/runners.ts';
import { openTestLog } from './runners/test-log.ts';
import { watchCleanUps } from './turns/clean-ups.ts';
import { watchCollections } from './turns/collections.ts';
import { openTurnLog } from './turns/turn-log.ts';
import { measureTurns } from './turns/turns.ts';

/** Starts everything that records this thread. Returns what must be done when the thread or the process ends. */
export function recordIsolate(run: Run, recorderFile: string): Conduct {
  const parts = start(run, recorderFile);
  const { output, profiler, turns } = parts;
  const state = { isRecording: true, isFull: false, rotatedAt: -Infinity };
  const isFull = watchSize(run);
  const leave = (): void => {
    state.isRecording = false;
    stopRotating();
    turns.stop();
  };
  const rotate = (): void => {
    state.rotatedAt = host.performanceNow();
    if (!isOver(run) && !output.isLost()) {
      writePart(parts);
      if (!isFull()) return;
      state.isFull = true;
      output.event({ type: 'full', isolate: run.isolate, at: now(), mostBytes: run.mostBytes });
    }
    giveUp();
  };
  const giveUp = (): void => {
    leave();
    profiler?.discard();
    output.close();
  };
  const stopRotating = rotateInTime(rotate);
  const finish = (reason: 'exit' | 'signal'): void => {
    if (state.isFull) output.event({ type: 'end', isolate: run.isolate, at: now(), reason });
    state.isFull = false;
    if (!state.isRecording) return;
    leave();
    if (!isOver(run)) save(run, parts, reason);
  };
  if (isMainThread) saveBeforeLeaving(run, parts, () => state.isRecording, giveUp);
  // Some programs handle a hundred signals or errors a second.
  const saveForSafety = (): void => {
    if (state.isRecording && host.performanceNow() - state.rotatedAt >= MIN_PART_MS) rotate();
  };
  return conductOf(run, parts, finish, saveForSafety);
}

function conductOf(
  { isolate }: Run,
  { output, stopWorkers, turns }: Parts,
  finish: Conduct['finish'],
  saveForSafety: () => void,
): Conduct {
  const state = { hasThrown: false };
  const note = (signal: NodeJS.Signals): void => output.event({ type: 'signal', isolate, at: now(), signal });
  return {
    finish,
    onEmit: turns.emits,
    onHandler: (signal) => output.event({ type: 'handles', isolate, signal }),
    onHandledSignal: note,
    afterHandledSignal: saveForSafety,
    onUncaught: () => {
      if (!state.hasThrown) output.event({ type: 'uncaught', isolate });
      state.hasThrown = true;
      saveForSafety();
    },
    onFatalSignal: (signal) => {
      note(signal);
      stopWorkers();
      finish('signal');
    },
  };
}

/** Saves everything before the program gives up its user rights; the rest is recorded only if it may write. */
function saveBeforeLeaving(run: Run, parts: Parts, isRecording: () => boolean, giveUp: () => void): void {
  const { output, profiler, maps, keepTexts } = parts;
  const { isolate } = run;
  const state = { isLeaving: false };
  const before = (name: string): void => {
    profiler?.beforeLeavingRights();
    state.isLeaving = isRecording() && name.endsWith('uid') && process.geteuid?.() === 0;
    if (!state.isLeaving) return;
    writePart(parts);
    if (profiler !== null) collectLiveScripts(profiler, maps);
    attempt(keepTexts);
    output.event({ type: 'leaves', isolate, by: name });
  };
  watchLeavingRights(before, () => {
    if (!state.isLeaving) return;
    if (canWrite(run)) output.event({ type: 'stays', isolate });
    else giveUp();
  });
}

type Parts = ReturnType<typeof start>;

/** Writes everything so far, so that a process that is killed later does not lose it. */
function writePart({ profiler, turns, tests, flushRequests, keepMaps, keepTexts }: Parts): void {
  turns.own(() => {
    tests.flush();
    flushRequests();
    profiler?.rotate();
    attempt(keepMaps);
    attempt(keepTexts);
    turns.sumUp();
  });
}

function start(run: Run, recorderFile: string) {
  const output = openOutput(run.directory, run.isolate);
  announce(run, output);
  const stopWorkers = reachWorkers(run, output, recorderFile);
  const maps = collectSourceMaps(run, output);
  // Null without an inspector. In a worker thread it insures Node's profile; with tiers it is V8's log.
  const profiler = run.ofTiers
    ? keepTierLog(run, output)
    : isMainThread
      ? profilerOrReason(run, output)
      : insureProfile(run, output);
  const log = openTurnLog(run, output);
  const turns = measureTurns(log, watchCollections(log));
  watchCleanUps(() => turns.emits(false, true));
  output.writeBy(turns.own);
  const tests = openTestLog(run, output, turns.own);
  const flushRequests = watchRequests(run, output, turns.own);
  watchListening(run, output);
  watchCompiling(maps, turns.own, watchTests(tests));
  watchLoaderHooks();
  watchImports(() => turns.own(() => attempt(() => collectNow(isMainThread ? profiler : null, maps))));
  const keepMaps = isMainThread && profiler !== null ? collectInTime(profiler, maps) : collectInThread(maps);
  const keepTexts = isMainThread && profiler !== null ? textKeeper(run, output, profiler) : () => {};
  return { output, stopWorkers, maps, profiler, turns, tests, flushRequests, keepMaps, keepTexts };
}

/** Saves everything at the end, the profile first: a process that is being killed may not reach the end of this. */
function save(
  run: Run,
  { output, maps, profiler, turns, tests, flushRequests, keepTexts }: Parts,
  reason: 'exit' | 'signal',
): void {
  attempt(turns.finish);
  attempt(tests.flush);
  attempt(flushRequests);
  attempt(() => profiler?.stop());
  attempt(() => (isMainThread && profiler !== null ? collectLiveScripts(profiler, maps) : collectNow(null, maps)));
  attempt(keepTexts);
  output.event({ type: 'end', isolate: run.isolate, at: now(), reason });
  if (isMainThread) attempt(keepCode);
}

function announce(run: Run, output: Output): void {
  const { isolate } = run;
  output.event({
    type: 'start',
    isolate,
    pid: process.pid,
    threadId,
    ...systemThread(),
    ppid: process.ppid,
    argv: redactArguments(appArguments()),
    execArgv: redactArguments(process.execArgv),
    nodeVersion: process.version,
    at: now(),
    ...(isMainThread ? { kind: run.isBackground ? 'background' : 'main' } : {}),
  });
  if (isMainThread && !run.isBackground) return;
  // The first connection makes any thread a server of the program, for which clients wait.
  const channel = 'net.server.socket';
  const noteServing = (): void => {
    unsubscribe(channel, noteServing);
    output.event({ type: 'serves', isolate });
  };
  subscribe(channel, noteServing);
}

/** The command of the process. pm2 starts a script of its own, which loads the app. */
function appArguments(): readonly string[] {
  const [node = '', script = '', ...args] = process.argv;
  const app = process.env['pm_exec_path'];
  return /[/\\]pm2[/\\]lib[/\\]ProcessContainer/.test(script) && app !== undefined
    ? [node, app, ...args]
    : process.argv;
}

/** Starts the profiler. Null, with a note in the recording, where Node has no inspector; nothing of the user runs there. */
function profilerOrReason(run: Run, output: Output): Profiler | null {
  try {
    return startProfiler(run, output);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.event({ type: 'unprofiled', isolate: run.isolate, reason });
    return null;
  }
}

/** A parameter of the function that boot.ts puts around the recorder. */
declare const hotspanCode: OwnCode;

/** Later, V8 has dropped compiled code that was not used for a while. */
const MAX_AGE_MS = 10_000;

/** Keeps V8's compiled code of the recorder for later processes, once for each version of Node; it takes 2 ms. */
function keepCode(): void {
  const { file, script } = hotspanCode;
  // Code with counters for coverage is slower.
  if (file === null || host.performanceNow() > MAX_AGE_MS || process.env['NODE_V8_COVERAGE'] !== undefined) return;
  const unfinished = `${file}.${process.pid}-${host.wallClock().toString(36)}.tmp`;
  try {
    writeFile(unfinished, 'w', '');
    const code = script.createCachedData();
    for (let copy = 0; copy < 2; copy += 1) writeFile(unfinished, 'a', code);
    host.renameSync(unfinished, file);
  } catch {
    // The folder is read-only, or full.
    attempt(() => host.unlinkSync(unfinished));
  }
}
