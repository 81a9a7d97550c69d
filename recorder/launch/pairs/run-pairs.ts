import type { Failure } from '../../../protocol/failure.ts';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { LoadBeside, type LoadPlan } from '../load/record-under-load.ts';
import { record, type RecordOptions, type RecordOutcome } from '../run/record.ts';

/** What one side runs, one after the other. */
export type PairSide = readonly SideCommand[];

export interface SideCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  /** Variables that are added to the user's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The command is a server, which gets this load and is stopped then. */
  readonly load?: LoadPlan;
}

export interface PairOptions extends Omit<HowToRecord, 'env'> {
  /** The environment of each side. */
  readonly env: Readonly<Record<'base' | 'head', NodeJS.ProcessEnv>>;
  readonly base: PairSide;
  readonly head: PairSide;
  /** Numbers of the pairs: the recordings of pair 1 are `base-1` and `head-1`. */
  readonly from: number;
  readonly count: number;
  /** How many pairs another call will run, for the estimate of the time left. */
  readonly following: number;
  /** The run of the head in the first of these pairs, which was made before; null where both are to be made. */
  readonly firstHead: PairedRun | null;
  /** Whether the head is the first of odd pairs. */
  readonly isHeadFirst: boolean;
  /** Folder for the recordings, and for what the commands print. */
  readonly out: string;
  /** Called before each run. */
  readonly onRun: (run: PairProgress) => void;
  /** Called before each pair, after the last, and with the runs of the first after each: why runs are wrong, or null. */
  readonly whyUnsound: (ofFirst: FirstRuns) => Promise<string | null>;
  /** Whether to end before the next run. */
  readonly isStopped: () => boolean;
  /** Whether no pair is needed after this one. */
  readonly isLast: (pair: PairsRun['pairs'][number]) => boolean;
}

export interface PairProgress {
  readonly side: 'base' | 'head';
  readonly pair: number;
  /** Whether this side is the first of the pair. */
  readonly isFirst: boolean;
  /** Estimate for the remaining runs with this one, in ms; null before the first has ended. */
  readonly leftMs: number | null;
}

/** One run that is over. */
export interface PairedRun {
  /** One for each command of the side. */
  readonly recordings: readonly string[];
  /** The first exit code that is not 0. */
  readonly exitCode: number;
  /** The output of the command with that code; else of the last one. */
  readonly log: string;
}

/** Runs of the first pair. */
export type FirstRuns = Readonly<Partial<Record<'base' | 'head', PairedRun>>>;

export interface PairsRun {
  /** Whole pairs, in their order. */
  readonly pairs: readonly { readonly base: PairedRun; readonly head: PairedRun }[];
  /** Why it ended before all pairs were run; null where it did not. `stopped`: by the user. */
  readonly ended:
    | { readonly type: 'stopped' }
    | { readonly type: 'failed' | 'unsound'; readonly message: string }
    | null;
}

/** Runs the command on both sides in turn, in the order ABBA: a machine that becomes slower slows both sides alike. */
export async function runPairs(options: PairOptions): Promise<PairsRun> {
  await mkdir(options.out, { recursive: true, mode: 0o700 });
  const pairs: { base: PairedRun; head: PairedRun }[] = [];
  const times: number[] = [];
  for (let pair = options.from; pair < options.from + options.count; pair++) {
    // What the first run of the head wrote, which was made before the base existed, is not written there yet.
    const isBegun = pair === options.from && options.firstHead !== null;
    const changed = isBegun ? null : await options.whyUnsound({});
    if (changed !== null) return { pairs, ended: { type: 'unsound', message: changed } };
    const done = await runPair(options, pair, times);
    if ('ended' in done) return { pairs, ended: done.ended };
    pairs.push(done);
    if (options.isLast(done)) break;
  }
  const changed = await options.whyUnsound({});
  return { pairs, ended: changed === null ? null : { type: 'unsound', message: changed } };
}

/** One pair, or why there is none. `times` get how long each run takes, in ms. */
async function runPair(
  options: PairOptions,
  pair: number,
  times: number[],
): Promise<PairsRun['pairs'][number] | Pick<PairsRun, 'ended'>> {
  const isOdd = pair % 2 === 1;
  const order = isOdd === options.isHeadFirst ? (['head', 'base'] as const) : (['base', 'head'] as const);
  const done: { base?: PairedRun; head?: PairedRun } = {};
  for (const side of order) {
    if (side === 'head' && pair === options.from && options.firstHead !== null) {
      done.head = options.firstHead;
      continue;
    }
    if (options.isStopped()) return { ended: { type: 'stopped' } };
    const isGiven = options.firstHead !== null;
    const left = 2 * (options.count + options.following) - times.length - (isGiven ? 1 : 0);
    const meanMs = times.length === 0 ? null : times.reduce((sum, one) => sum + one, 0) / times.length;
    const isFirst = side === order[0] || (isGiven && pair === options.from);
    options.onRun({ side, pair, isFirst, leftMs: meanMs === null ? null : meanMs * left });
    const begin = performance.now();
    const run = await runOnce(options, side, pair);
    if (run.type === 'failed') return { ended: run };
    if (run.type === 'stopped' || options.isStopped()) return { ended: { type: 'stopped' } };
    times.push(performance.now() - begin);
    done[side] = run;
    const unsound = pair === options.from ? await options.whyUnsound(done) : null;
    if (unsound !== null) return { ended: { type: 'unsound', message: unsound } };
  }
  const { base, head } = done;
  return base === undefined || head === undefined ? { ended: { type: 'stopped' } } : { base, head };
}

type OneRun = ({ readonly type: 'ran' } & PairedRun) | Failure | { readonly type: 'stopped' };

async function runOnce(options: PairOptions, side: 'base' | 'head', pair: number): Promise<OneRun> {
  const recordings: string[] = [];
  const failed: { exitCode: number; log: string }[] = [];
  const commands = options[side];
  let log = '';
  for (const [number, one] of commands.entries()) {
    const name = commands.length === 1 ? `${side}-${pair}` : `${side}-${pair}-${number + 1}`;
    log = path.join(options.out, `${name}.log`);
    const how = { ...options, env: options.env[side] };
    const outcome = await recordSilently(how, one, path.join(options.out, name));
    if (options.isStopped()) return { type: 'stopped' };
    if (outcome.type === 'notLoaded') {
      const where = side === 'base' ? 'On the base' : 'On your work tree';
      return { type: 'failed', message: `${where}: ${outcome.message} Its output is in ${log}.` };
    }
    if (outcome.type !== 'ended') return { type: 'failed', message: outcome.message };
    if (outcome.signal !== null) return endedBy(outcome.signal, log);
    recordings.push(outcome.directory);
    if (outcome.exitCode !== 0) failed.push({ exitCode: outcome.exitCode ?? 1, log });
  }
  return { type: 'ran', recordings, ...(failed[0] ?? { exitCode: 0, log }) };
}

/** Why there is no run although the user did not stop it: the command crashed, or was killed. */
export function endedBy(signal: NodeJS.Signals, log: string): Failure {
  return {
    type: 'failed',
    message: `The command was ended by ${signal}, so nothing can be said. Its output is in ${log}.`,
  };
}

export interface HowToRecord extends Pick<RecordOptions, 'env' | 'intervalUs' | 'recorderFile' | 'hotspanVersion'> {
  /** Reports to the user where the load goes, if not where it was to go. */
  readonly say: (sentence: string) => void;
}

/** Records a command once. Its output goes into a file beside the recording, named like it with `.log`. */
export async function recordSilently(
  how: HowToRecord,
  { command, cwd, env: added, load }: SideCommand,
  out: string,
): Promise<RecordOutcome | { readonly type: 'notLoaded'; readonly message: string }> {
  const { env, intervalUs, recorderFile, hotspanVersion, say } = how;
  const output = openSync(`${out}.log`, 'w', 0o600);
  const beside = load === undefined ? null : new LoadBeside({ ...load, say }, { isAgain: true });
  try {
    const outcome = await record({
      ...{ command, cwd, output, out, intervalUs, recorderFile, hotspanVersion },
      ...{ kind: 'profile', mostBytes: null, notes: [], ...(beside === null ? {} : { during: beside.during }) },
      // A shell sets PWD, other programs believe it.
      env: { ...env, ...(env['PWD'] === undefined ? {} : { PWD: cwd }), ...added },
    });
    if (beside === null || outcome.type !== 'ended') return outcome;
    // How it ends says nothing: it is stopped after the load.
    return beside.load === null
      ? { type: 'notLoaded', message: beside.message ?? 'The load was not sent: the command was stopped before.' }
      : { ...outcome, exitCode: 0, signal: null };
  } finally {
    closeSync(output);
  }
}
