import { lossesOfOwnCode } from '../../engine/judge/hotspots/losses.ts';
import { warningText } from '../../words/warnings/warning-text.ts';
import type { Failure } from '../../protocol/failure.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { analyze, type AnalyzeResult, type Analyzed } from '../../engine/analyze.ts';
import { checkBudget, functionsOver, type RunFigures, runFigures } from '../../engine/compare/budget.ts';
import type { Budget, CheckedEntry } from '../../protocol/budget.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { globMatcher } from '../../recorder/launch/packages/glob.ts';
import type { SideCommand } from '../../recorder/launch/pairs/run-pairs.ts';
import { describeFailure } from '../../words/failures.ts';
import { repeatText } from '../../words/formats/budget-texts.ts';
import type { CheckArguments } from '../arguments/check-arguments.ts';
import { readManifest } from '../../recordings/recording-folders.ts';
import { recordingsAt } from '../../engine/read/recording-files/find-sources.ts';
import { projectAround } from '../../engine/read/functions/find-workspace.ts';
import { isAtOrBelow } from '../../protocol/path-spelling.ts';
import { pathRulesOf } from '../arguments/shared-options.ts';
import type { Session } from '../views/terminal.ts';
import { failAloneText, type FailedCommand, folderForRuns, HeadRuns } from './head-runs.ts';
import { CodeOfRuns } from './code-of-runs.ts';
import { commandFrom, wholeOf } from './find-recording.ts';
import { nearestRecording } from '../../recordings/newest-of-project.ts';
import { constants } from 'node:os';
import { testFilesOfAll } from '../../engine/compare/tests-to-run.ts';
import { lowerThreshold } from '../../engine/compare/side.ts';
import type { AnalyzeFailure } from '../../engine/read/isolates/load-isolates.ts';
import { type AnalyzedRun, findAgain } from '../../engine/compare/runs/find-again.ts';
import { takeGiven, type Taken } from '../../engine/compare/runs/analyze-several.ts';
import { copyTexts, countedText, leftOutTexts, notOneBudgetText, otherCodeText } from '../../words/given-recordings.ts';

export interface CheckSession extends Session<CheckArguments> {
  readonly thresholdUs: Microseconds;
  /** The lowest budget. */
  readonly leastUs: number;
}

export interface CheckRuns {
  readonly type: 'ran';
  readonly figures: readonly RunFigures[];
  readonly recordings: readonly (readonly string[])[];
  readonly warnings: readonly string[];
  /** What was not recorded of the user's code. */
  readonly losses: readonly string[];
  /** Whether the user stopped them early. */
  readonly isStopped: boolean;
  /** The command that failed, and was not run again; null if each run succeeded, or nothing was run. */
  readonly failed: FailedCommand | null;
}

export type CheckFailure = Failure & { readonly failed?: FailedCommand };

const none: CheckRuns = {
  type: 'ran',
  figures: [],
  recordings: [],
  warnings: [],
  losses: [],
  isStopped: false,
  failed: null,
};

/** Reads the given recordings; else runs the command, and what is over the budget twice more. */
export async function runsForBudget(session: CheckSession, budget: Budget): Promise<CheckRuns | CheckFailure> {
  if (session.options.paths.length > 0) return given(session);
  const run = await openRuns(session);
  if (run.type === 'failed') return run;
  const first = await run.times([run.whole], { numbers: [1], of: 'at most 3' });
  if (first.type === 'failed' || first.isStopped || first.failed !== null) return first;
  const over = checkBudget(budget, first.figures, globMatcher).filter(
    ({ verdict }) => verdict === 'over' || verdict === 'estimated',
  );
  if (over.length === 0) return first;
  const narrow = await run.runs.commandsOfTests(testsToRepeat(over, budget, first), run.whole);
  session.terminal.err.say(repeatText(over.length, narrow?.length ?? null));
  const further = { numbers: [2, 3], of: 3 };
  // These may run only some tests: the first run judges what they do not reach.
  const byTests = narrow === null ? null : await run.times(narrow, further);
  const failed = byTests?.failed ?? null;
  const areFailing = byTests?.type === 'failed' || failed !== null;
  if (areFailing) session.terminal.err.say(failAloneText(failed?.log ?? null));
  const more = byTests === null || areFailing ? await run.times([run.whole], further) : byTests;
  return more.type === 'failed' ? more : run.withCodeWarning(together(first, more));
}

/** Reads the given recordings; else runs the command three times, for a new budget. */
export async function runsForUpdate(session: CheckSession): Promise<CheckRuns | CheckFailure> {
  if (session.options.paths.length > 0) return given(session);
  const run = await openRuns(session);
  if (run.type === 'failed') return run;
  const all = await run.times([run.whole], { numbers: [1, 2, 3], of: 3 });
  if (all.type === 'failed' || all.isStopped) return all;
  const { warnings, failed } = await run.withCodeWarning(all);
  if (warnings.length === 0) return all;
  const message = `${warnings.join(' ')} No budget was written.`;
  return { type: 'failed', message, ...(failed === null ? {} : { failed }) };
}

async function openRuns(session: CheckSession): Promise<OpenRuns | Failure> {
  const { options, surroundings, terminal } = session;
  const { cwd } = surroundings;
  const from = options.command.length > 0 ? null : await nearestRecording(cwd);
  const next = 'say what to run, "hotspan check -- npm test".';
  const known = await commandFrom(options.command, from, surroundings, next);
  if (known.type === 'failed') return known;
  const folder = await folderForRuns(cwd);
  const runs = new HeadRuns(surroundings, terminal.err, folder);
  const whole = wholeOf(known, cwd);
  const code = await CodeOfRuns.open(cwd);
  const times: OpenRuns['times'] = async (...what) => {
    const ran = await severalTimes(session, { runs, code }, ...what);
    if (ran.type === 'ran' && ran.isStopped && existsSync(folder))
      terminal.err.say(`What was recorded is in ${folder}.`);
    return ran;
  };
  const withCodeWarning: OpenRuns['withCodeWarning'] = async (ran) => {
    const other = await code.whyOther();
    return other === null ? ran : { ...ran, warnings: [...ran.warnings, other] };
  };
  return { type: 'open', runs, whole, times, withCodeWarning };
}

interface OpenRuns {
  readonly type: 'open';
  readonly runs: HeadRuns;
  readonly whole: SideCommand;
  readonly times: (commands: readonly SideCommand[], series: Series) => Promise<CheckRuns | CheckFailure>;
  /** With a warning where the code was edited between the runs. */
  readonly withCodeWarning: (ran: CheckRuns) => Promise<CheckRuns>;
}

/** Runs one after the other, until one fails. */
interface Series {
  /** From 1. */
  readonly numbers: readonly number[];
  /** As in `RunProgress`. */
  readonly of: number | string;
}

async function severalTimes(
  session: CheckSession,
  { runs, code }: { readonly runs: HeadRuns; readonly code: CodeOfRuns },
  commands: readonly SideCommand[],
  { numbers, of }: Series,
): Promise<CheckRuns | CheckFailure> {
  let all = none;
  for (const number of numbers) {
    const run = await runs.run(commands, number, of);
    if (run.type === 'failed') return run;
    if (run.type === 'stopped') return { ...all, isStopped: true };
    const result = await analyzed(run.recordings, session);
    const failed = run.exitCode === 0 ? null : { exitCode: run.exitCode, log: run.log };
    const warnings = failed === null ? [] : [failedText('The command', failed)];
    if (result.type === 'failed') {
      const [message = describeFailure(result.failure)] = warnings;
      return failed === null ? { type: 'failed', message } : { type: 'failed', message, failed };
    }
    await code.add({ ...result, path: run.recordings[0] ?? '' });
    const figures = [await figuresOf(result)];
    const losses = lossTexts(result, session);
    all = together(all, { ...none, figures, recordings: [run.recordings], warnings, losses, failed });
    if (failed !== null) return all;
  }
  return all;
}

function failedText(what: string, { exitCode }: FailedCommand): string {
  return `${what} failed (exit code ${exitCode}), so what did not run was not judged.`;
}

function together(some: CheckRuns, more: CheckRuns): CheckRuns {
  return {
    type: 'ran',
    figures: [...some.figures, ...more.figures],
    recordings: [...some.recordings, ...more.recordings],
    warnings: [...new Set([...some.warnings, ...more.warnings])],
    losses: [...some.losses, ...more.losses],
    isStopped: some.isStopped || more.isStopped,
    failed: some.failed ?? more.failed,
  };
}

/**
 * The tests that reach what is over the budget. Empty, which repeats the whole command, where those of a part are unknown,
 * or shared their threads with other files: by themselves, what was warm there is a first call, which no budget counts.
 */
function testsToRepeat(
  over: readonly CheckedEntry[],
  budget: Budget,
  { figures: [run] }: CheckRuns,
): readonly string[] {
  const functions = run === undefined ? [] : functionsOver(budget, run, globMatcher);
  const files = over.some(({ kind }) => kind === 'route') ? [] : testFilesOfAll(functions);
  return files.every((file) => run?.alone.has(file)) ? files : [];
}

/**
 * Reads the given recordings, or those in given folders, one after the other. Shards are one run; if it is unknown what they are, each recording is a
 * run. A run that cannot be read is left out, with a warning. Warnings prevent an update.
 */
async function given(session: CheckSession): Promise<CheckRuns | CheckFailure> {
  const { options, surroundings, terminal } = session;
  const typed = options.paths.map((one) => path.resolve(surroundings.cwd, one));
  const found = await Promise.all(typed.map(async (one) => recordingsAt(one, diskWorld)));
  const paths = found.flatMap((one) => one.paths);
  const { kept, ...others } = await takeGiven(paths, diskWorld, options.takenFor);
  const taken: Taken | null = others.taken?.why === 'unknown' ? { takenFor: 'runs', why: 'unknown' } : others.taken;
  const refusal = options.update && taken !== null ? notOneBudgetText(kept.length, taken) : null;
  if (refusal !== null) return { type: 'failed', message: refusal };
  const texts = [...copyTexts(others), ...(taken === null ? [] : [countedText(kept.length, taken)])];
  const read: (AnalyzedRun & { readonly figures: RunFigures; readonly paths: readonly string[] })[] = [];
  const leftOut: { readonly path: string; readonly failure: AnalyzeFailure }[] = [];
  for (const run of taken?.takenFor === 'shards' ? [kept] : kept.map((one) => [one])) {
    const [first = ''] = run;
    const result = await analyzed(run, session);
    if (result.type === 'failed') leftOut.push({ path: first, failure: result.failure });
    else read.push({ ...result, path: first, paths: run, figures: await figuresOf(result) });
  }
  if (texts.length > 0) terminal.err.say(texts.join(' '));
  const ends = await Promise.all(kept.map(endOf));
  const failed = ends.find((end) => end !== null) ?? null;
  const fail = (message: string): CheckFailure => ({
    ...{ type: 'failed', message },
    ...(failed === null ? {} : { failed }),
  });
  if (read.length === 0) return fail(describeFailure(leftOut[0]?.failure ?? { type: 'cancelled' }));
  const { differing } = await findAgain(read);
  const warnings = [
    ...found.flatMap((one) => one.warnings.map(warningText)),
    ...leftOutTexts(leftOut, read.length),
    ...ends.flatMap((end, index) => (end === null ? [] : [failedText(`The command of ${kept[index]}`, end)])),
    ...differing.slice(0, 1).map(otherCodeText),
  ];
  if (options.update && warnings[0] !== undefined) return fail(`${warnings[0]} No budget was written.`);
  const [figures, recordings] = [read.map((run) => run.figures), read.map((run) => run.paths)];
  return { ...none, figures, recordings, warnings, losses: read.flatMap((run) => lossTexts(run, session)), failed };
}

function lossTexts({ analysis }: Pick<Analyzed, 'analysis'>, { leastUs }: CheckSession): readonly string[] {
  return lossesOfOwnCode(analysis, leastUs).map(warningText);
}

async function analyzed(
  paths: readonly string[],
  { options, thresholdUs, surroundings }: CheckSession,
): Promise<AnalyzeResult> {
  const { cwd: currentFolder, env } = surroundings;
  const pathRules = pathRulesOf(options.maps, currentFolder);
  const { cwd = null } = (await readManifest(paths[0] ?? '')) ?? {};
  const { root, knownBy } = await repositoryAround(cwd ?? currentFolder, env);
  const roots = knownBy === 'service' ? [root] : [];
  return analyze(paths, diskWorld, { thresholdUs, roots, currentFolder, pathRules, sourceMaps: true });
}

interface Repository {
  /** Absolute path. Keys of a budget, and paths in reports, are from here. */
  readonly root: string;
  /** `git`: it has `.git`; `service`: a CI service names it; else it may be a folder in the repository. */
  readonly knownBy: 'git' | 'service' | null;
}

export async function repositoryAround(folder: string, env: NodeJS.ProcessEnv): Promise<Repository> {
  const project = await projectAround(folder, diskWorld);
  if (existsSync(path.join(project, '.git'))) return { root: project, knownBy: 'git' };
  const named = env['GITHUB_WORKSPACE'] ?? env['CI_PROJECT_DIR'] ?? '';
  return named !== '' && isAtOrBelow(project, named)
    ? { root: named, knownBy: 'service' }
    : { root: project, knownBy: null };
}

/** How the command of a recording failed; null if it did not, or that is unknown. */
async function endOf(recording: string): Promise<FailedCommand | null> {
  const { exitCode = null, signal = null } = (await readManifest(recording)) ?? {};
  const [, number = 0] = Object.entries(constants.signals).find(([name]) => name === signal) ?? [];
  const code = exitCode ?? (number === 0 ? 0 : 128 + number);
  return code === 0 ? null : { exitCode: code, log: null };
}

async function figuresOf({ analysis, at, textOf }: Analyzed): Promise<RunFigures> {
  return runFigures({ analysis, lower: await at(lowerThreshold(analysis.thresholdUs)), textOf });
}
