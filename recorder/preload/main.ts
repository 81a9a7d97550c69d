import { hasSubscribers, subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';
import { intervalVariable, kindVariable, modeVariable, recordingDirVariable } from '../../protocol/recording.ts';
import { reachChildren } from './descendants/children.ts';
import { watchEnding } from './endings/ending.ts';
import { attempt, host, tellFailures } from './host/host.ts';
import { recordIsolate } from './isolate.ts';
import { logHistogram } from './turns/histogram-mode.ts';
import { openOutput } from './host/output.ts';
import { type Run, findRun, isBystander, isInternalThread, isPlainNode } from './host/run.ts';
import { reachTierChildren } from './descendants/tier-children.ts';
import { dropTierLog, hideTierFlags } from './profile/tier-log.ts';
import { hideOwnFlags } from './descendants/workers.ts';

/**
 * The recorder of one isolate, loaded by NODE_OPTIONS (`--require`) before the program. The build puts a check of the
 * Node version around it, written in ES5. It saves what it can and never disturbs the program: boot.ts reports what is
 * thrown before the run is known, and nothing throws after that.
 */
begin();

function begin(): void {
  // The program must find only its own modules in `require.cache`.
  host.forgetModule(__filename);
  if (isLoaded()) return;
  if (process.env[modeVariable] === 'histogram') {
    if (isMainThread && isPlainNode() && !isBystander({ evaluated: true })) logHistogram(process.env);
    return;
  }
  const run = findRun(process.env);
  if (run === null) return;
  const output = openOutput(run.directory, run.isolate);
  tellFailures((error) => output.event({ type: 'failed', isolate: run.isolate, reason: describe(error) }));
  try {
    beginRun(run);
  } catch (error) {
    const reason = `the recorder failed (${String(error)}). Please report it.`;
    output.event({ type: 'unprofiled', isolate: run.isolate, reason });
  }
  attempt(() => host.syncBuiltinESMExports());
}

/** An error with its stack. */
function describe(error: unknown): string {
  return error instanceof Error ? String(error.stack).slice(0, 500) : String(error);
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
  if (run.ofTiers && isMainThread) attempt(() => hideTierFlags(run));
  if (run.ofTiers && isMainThread && isLeftOut) attempt(() => dropTierLog(run));
  if (!isMainThread) hideOwnFlags(run, __filename);
  const onOtherUser = (uid: number): void =>
    openOutput(run.directory, run.isolate).event({ type: 'otherUser', isolate: run.isolate, uid });
  attempt(() => reachChildren(variables, __filename, { cwd: isLeftOut ? null : run.cwd, tiers, onOtherUser }));
  if (!isLeftOut) watchEnding(recordIsolate(run, __filename), isMainThread);
}

/**
 * Whether the recorder was loaded in this thread before. `node --test` (Node 24 and later) gives its children the
 * `--require` of NODE_OPTIONS a second time, and the module is in no cache that would prevent loading it again. The
 * mark is a diagnostics channel, where no program looks.
 */
function isLoaded(): boolean {
  const channel = 'hotspan:loaded';
  if (hasSubscribers(channel)) return true;
  subscribe(channel, () => undefined);
  return false;
}
