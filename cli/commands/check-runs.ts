import path from 'node:path';
import { analyze, type AnalyzeResult } from '../../engine/analyze.ts';
import { checkBudget, functionsOver } from '../../engine/compare/budget/check-budget.ts';
import { type RunFigures, runFigures } from '../../engine/compare/budget/run-figures.ts';
import type { Budget, CheckedEntry } from '../../protocol/budget.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { globMatcher } from '../../recorder/launch/packages/glob.ts';
import type { Failure } from '../../recorder/launch/pairs/git.ts';
import type { SideCommand } from '../../recorder/launch/pairs/run-pairs.ts';
import { describeFailure } from '../../words/failures.ts';
import { plural } from '../../words/formats/figures.ts';
import type { CheckArguments } from '../arguments/check-arguments.ts';
import { pathRulesOf } from '../arguments/shared-options.ts';
import { showProgress, type Surroundings, type Terminal } from '../views/terminal.ts';
import { type FailedCommand, HeadRuns } from './head-runs.ts';
import { commandOf, lastRecording } from './find-recording.ts';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { lowerThreshold } from '../../engine/compare/side.ts';
import type { AnalyzeFailure } from '../../engine/read/isolates/load-isolates.ts';
import { type AnalyzedRun, findAgain } from '../../engine/compare/runs/find-again.ts';
import { takeGiven, type Taken } from '../../engine/compare/runs/take-for.ts';
import { recordingFile } from '../../protocol/recording.ts';
import { parseManifest } from '../../protocol/formats/parse-manifest.ts';
import { copyTexts, countedText, leftOutTexts, otherCodeText } from '../../words/given-recordings.ts';

export interface CheckSession {
  readonly options: CheckArguments;
  readonly terminal: Terminal;
  readonly surroundings: Surroundings;
  readonly say: (sentence: string) => void;
  /** What counts as blocking. */
  readonly thresholdUs: Microseconds;
}

/** Runs with what they tell, and what was odd about them. */
export interface CheckRuns {
  readonly type: 'ran';
  readonly figures: readonly RunFigures[];
  readonly recordings: readonly (readonly string[])[];
  readonly warnings: readonly string[];
  /** Whether the person stopped them before all that was wanted had run. */
  readonly isStopped: boolean;
  /** The command has failed, and was not run again; null where each run ended well, or nothing was run. */
  readonly failed: FailedCommand | null;
}

export type CheckFailure = Failure & { readonly failed?: FailedCommand };

const none: CheckRuns = { type: 'ran', figures: [], recordings: [], warnings: [], isStopped: false, failed: null };

/** Reads what is given; else runs the command, and what is over the budget twice more. */
export async function runsForBudget(session: CheckSession, budget: Budget): Promise<CheckRuns | CheckFailure> {
  const { options, say } = session;
  if (options.paths.length > 0) return given(session);
  const run = await openRuns(session);
  if (run.type === 'failed') return run;
  const first = await run.times(run.whole, { numbers: [1], of: 'at most 3' });
  if (first.type === 'failed' || first.isStopped || first.failed !== null) return first;
  const over = checkBudget(budget, first.figures, globMatcher).filter(
    ({ verdict }) => verdict === 'over' || verdict === 'estimated',
  );
  if (over.length === 0) return first;
  const narrow = await run.runs.commandsOfTests(testsToRepeat(over, budget, first));
  const what = narrow === null ? 'the command' : plural(narrow.length, 'test file');
  say(`${plural(over.length, 'budget')} exceeded once: ${what} is run twice more …`);
  // These may run a part of the tests: what they do not reach is judged by the first run.
  const more = await run.times(narrow ?? run.whole, { numbers: [2, 3], of: 3 });
  return more.type === 'failed' ? more : together(first, more);
}

/** Reads what is given; else runs the command three times, for a new budget. */
export async function runsForUpdate(session: CheckSession): Promise<CheckRuns | CheckFailure> {
  if (session.options.paths.length > 0) return given(session);
  const run = await openRuns(session);
  if (run.type === 'failed') return run;
  const all = await run.times(run.whole, { numbers: [1, 2, 3], of: 3 });
  if (all.type === 'failed' || all.failed === null) return all;
  return { type: 'failed', message: `${all.warnings.join(' ')} No budget was written.`, failed: all.failed };
}

async function openRuns(session: CheckSession): Promise<
  | {
      readonly type: 'open';
      readonly runs: HeadRuns;
      readonly whole: readonly SideCommand[];
      readonly times: (commands: readonly SideCommand[], series: Series) => Promise<CheckRuns | CheckFailure>;
    }
  | Failure
> {
  const { surroundings, terminal } = session;
  const known = await commandFor(session);
  if (known.type === 'failed') return known;
  const runs = await HeadRuns.open(surroundings, terminal.err);
  const whole = [{ command: known.command, cwd: surroundings.cwd, env: {} }];
  return { type: 'open', runs, whole, times: async (...what) => severalTimes(session, runs, ...what) };
}

/** Runs one after the other, until one fails. */
interface Series {
  /** Their numbers, as a person reads them. */
  readonly numbers: readonly number[];
  /** How many there will be. */
  readonly of: number | string;
}

async function severalTimes(
  session: CheckSession,
  runs: HeadRuns,
  commands: readonly SideCommand[],
  { numbers, of }: Series,
): Promise<CheckRuns | CheckFailure> {
  let all = none;
  for (const number of numbers) {
    const run = await runs.run(commands, number, of);
    if (run.type === 'failed') return run;
    if (run.type === 'stopped') return { ...all, isStopped: true };
    const figures = await figuresOf(run.recordings, session);
    const failed = run.exitCode === 0 ? null : { exitCode: run.exitCode, log: run.log };
    const sentence = `The command failed (exit code ${run.exitCode}), so what did not run was not judged.`;
    if (figures.type === 'failed') return failed === null ? figures : { type: 'failed', message: sentence, failed };
    const warnings = failed === null ? [] : [sentence];
    all = together(all, { ...none, figures: [figures.run], recordings: [run.recordings], warnings, failed });
    if (failed !== null) return all;
  }
  return all;
}

function together(some: CheckRuns, more: CheckRuns): CheckRuns {
  return {
    type: 'ran',
    figures: [...some.figures, ...more.figures],
    recordings: [...some.recordings, ...more.recordings],
    warnings: [...new Set([...some.warnings, ...more.warnings])],
    isStopped: some.isStopped || more.isStopped,
    failed: some.failed ?? more.failed,
  };
}

/**
 * The tests that reach all that is over the budget; none where a part of it is reached by nothing that is known, so that
 * the whole command is to be repeated.
 */
function testsToRepeat(
  over: readonly CheckedEntry[],
  budget: Budget,
  { figures: [run] }: CheckRuns,
): readonly string[] {
  const functions = run === undefined ? [] : functionsOver(budget, run, globMatcher);
  const isUnknown = over.some(({ kind }) => kind === 'route') || functions.some((fn) => fn.testFiles.length === 0);
  return isUnknown ? [] : functions.flatMap(({ testFiles }) => testFiles);
}

/** What is in doubt is judged with a warning, and nothing is made of it. */
async function given(session: CheckSession): Promise<CheckRuns | CheckFailure> {
  const { options, surroundings, say } = session;
  const paths = options.paths.map((one) => path.resolve(surroundings.cwd, one));
  const { sentence, ...runs } = await readGivenRuns(paths, options.takenFor, async (run) => analyzed(run, session));
  if (sentence !== null) say(sentence);
  const failed = runs.failed === null ? {} : { failed: runs.failed };
  if (runs.type === 'failed') return { type: 'failed', message: describeFailure(runs.failure), ...failed };
  const [doubt] = runs.warnings;
  return options.update && doubt !== undefined
    ? { type: 'failed', message: `${doubt} No budget was written.`, ...failed }
    : { ...none, ...runs, type: 'ran' };
}

async function figuresOf(
  paths: readonly string[],
  session: CheckSession,
): Promise<{ readonly type: 'figures'; readonly run: RunFigures } | Failure> {
  const result = await analyzed(paths, session);
  if (result.type === 'failed') return { type: 'failed', message: describeFailure(result.failure) };
  return { type: 'figures', run: await figuresOfRun(result) };
}

async function analyzed(
  paths: readonly string[],
  { options, thresholdUs, surroundings, terminal }: CheckSession,
): Promise<AnalyzeResult> {
  const { cwd: currentFolder } = surroundings;
  const pathRules = pathRulesOf(options.maps, currentFolder);
  const result = await analyze(paths, diskWorld, {
    thresholdUs,
    roots: [],
    currentFolder,
    pathRules,
    sourceMaps: true,
  });
  showProgress(terminal.err, '');
  return result;
}

async function commandFor({
  options,
  surroundings,
}: CheckSession): Promise<{ readonly type: 'known'; readonly command: readonly string[] } | Failure> {
  if (options.command.length > 0) return { type: 'known', command: options.command };
  const last = await lastRecording(surroundings.cwd);
  return last === null
    ? { type: 'failed', message: 'Nothing was recorded here: say what to run, hotspan check -- npm test.' }
    : commandOf(last, surroundings);
}

/** What recordings tell that a person gave to be judged, run by run. */
type GivenRuns = {
  /** What several were taken for; null where there is one. */
  readonly sentence: string | null;
  /** The first command of them that failed; null where each ended well, or its end is not known. */
  readonly failed: FailedCommand | null;
} & (
  | {
      readonly type: 'read';
      readonly figures: readonly RunFigures[];
      readonly recordings: readonly (readonly string[])[];
      /** What keeps them from being judged as runs, in sentences. */
      readonly warnings: readonly string[];
    }
  | { readonly type: 'failed'; readonly failure: AnalyzeFailure }
);

/**
 * Reads runs, one after the other. Parts of one thing are one run; where nothing tells, each recording is a run. A run
 * that cannot be read is left out, and said.
 */
async function readGivenRuns(
  paths: readonly string[],
  asked: Taken['takenFor'] | null,
  analyzed: (paths: readonly string[]) => Promise<AnalyzeResult>,
): Promise<GivenRuns> {
  const given = await takeGiven(paths, diskWorld, asked);
  const taken: Taken | null = given.taken?.why === 'unknown' ? { takenFor: 'runs', why: 'unknown' } : given.taken;
  const copies = copyTexts(given);
  const texts = [...copies, ...(taken === null ? [] : [countedText(given.kept.length, taken)])];
  const sentence = texts.length === 0 ? null : texts.join(' ');
  const recordings = taken?.takenFor === 'shards' ? [given.kept] : given.kept.map((one) => [one]);
  const read: (AnalyzedRun & { readonly figures: RunFigures; readonly paths: readonly string[] })[] = [];
  const leftOut: { readonly path: string; readonly failure: AnalyzeFailure }[] = [];
  for (const run of recordings) {
    const [first = ''] = run;
    const result = await analyzed(run);
    if (result.type === 'failed') leftOut.push({ path: first, failure: result.failure });
    else read.push({ ...result, path: first, paths: run, figures: await figuresOfRun(result) });
  }
  const ends = await Promise.all(given.kept.map(endOf));
  const told = { sentence, failed: ends.find((end) => end !== null) ?? null };
  if (read.length === 0) return { type: 'failed', ...told, failure: leftOut[0]?.failure ?? { type: 'cancelled' } };
  const { differing } = await findAgain(read);
  return {
    type: 'read',
    ...told,
    figures: read.map(({ figures }) => figures),
    recordings: read.map((run) => run.paths),
    warnings: [
      ...leftOutTexts(leftOut, read.length),
      ...given.kept.flatMap((one, index) => failedText(one, ends[index] ?? null)),
      ...differing.slice(0, 1).map(otherCodeText),
    ],
  };
}

/** How the command of a recording failed; null where it ended well, or that is not known. */
async function endOf(recording: string): Promise<FailedCommand | null> {
  const text = await readFile(path.join(recording, recordingFile), 'utf8').catch(() => '');
  const { exitCode, signal } = parseManifest(text) ?? { exitCode: null, signal: null };
  const [, number = 0] = Object.entries(constants.signals).find(([name]) => name === signal) ?? [];
  const code = exitCode ?? (number === 0 ? 0 : 128 + number);
  return code === 0 ? null : { exitCode: code, log: null };
}

function failedText(recording: string, failed: FailedCommand | null): readonly string[] {
  return failed === null
    ? []
    : [`The command of ${recording} failed (exit code ${failed.exitCode}), so what did not run was not judged.`];
}

async function figuresOfRun({
  analysis,
  at,
  textOf,
}: Extract<AnalyzeResult, { readonly type: 'analyzed' }>): Promise<RunFigures> {
  return runFigures({ analysis, lower: await at(lowerThreshold(analysis.thresholdUs)), textOf });
}
