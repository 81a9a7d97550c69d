import { maxOf, minOf } from '../../protocol/figures.ts';
import { type KnownCode, knownCodeIn } from '../../engine/compare/compare-recordings.ts';
import { findInSide } from '../../engine/compare/find-function.ts';
import { isSameCommand } from '../../engine/compare/same-command.ts';
import type { Measured, SideFunction } from '../../engine/compare/side.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import { comparisonFolder } from '../../recordings/default-folder.ts';
import { deleteComparison } from '../../recordings/delete-recordings.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { headEnvironment } from '../../recorder/launch/pairs/base.ts';
import { repositoryOf } from '../../recorder/launch/pairs/git.ts';
import type { PairedRun, PairsRun } from '../../recorder/launch/pairs/run-pairs.ts';
import { earlyText } from '../../words/formats/change-texts.ts';
import { notCompared } from './compare.ts';
import { duration } from '../../words/formats/figures.ts';
import type { RecheckArguments } from '../arguments/recheck-arguments.ts';
import { jsonText } from '../views/report-text.ts';
import { plainText, refuse, type Session, sayStopped } from '../views/terminal.ts';
import { MIN_RUNS, planText } from '../../words/findings.ts';
import { askedFunction } from './asked-function.ts';
import { readingOptions, twoFunctionsText } from './named-function.ts';
import { type AskedSession, answerOf } from './recheck-answer.ts';
import { planRecheck, recordedBase, type RecheckPlan } from './recheck-plan.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { isUnchangedSince, sayUnchanged } from './is-unchanged.ts';
import { changedOfRuns, codeIn } from '../../recorder/launch/pairs/code-watch.ts';
import { readManifest } from '../../recordings/recording-folders.ts';
import { stopSignals } from '../../recorder/launch/run/end-command.ts';
import { shownCommand, wholeOf } from './find-recording.ts';
import { failAloneText, type HeadRun, HeadRuns, logOf } from './head-runs.ts';
import type { BothSides, PairedRuns } from './paired-runs.ts';
import { changedFileText, compareWithHead, ranOtherCode, warnIfRebuilt } from './outdated-runs.ts';
import { codeOfEnd, exitSentences, failsAlone, withPairs } from './paired-runs.ts';
import type { Known, WantedBase } from './known-base.ts';

/**
 * Runs the tests that reach one function on the base and on the person's files, in turn, until it is clear whether the
 * function changed: 3, 5 or 8 pairs. Gives the exit code: 0; 1 where it is slower; 2 where nothing can be run; 3 where it
 * is too noisy to say.
 */
export async function recheckCommand(given: Session<RecheckArguments>): Promise<number> {
  const { options, terminal, surroundings } = given;
  const { err } = terminal;
  const asked = await askedFunction(options, surroundings, err);
  if (asked.type === 'failed') return refuse(err, asked.message);
  const { known, code, fn, query, other } = asked;
  if (other !== null && options.format === 'text') err.say(twoFunctionsText(options.function, fn, other));
  const plan = await planRecheck(fn, code, wholeOf(known, surroundings.cwd), surroundings);
  const stopping = new AbortController();
  const out = await comparisonFolder(surroundings.cwd, new Date());
  const session = { ...given, query, known, fn, plan, stopping, out };
  if (options.dryRun) return printPlan(session);
  // From here on there may be a folder to delete.
  for (const signal of stopSignals) process.on(signal, () => stopping.abort());
  try {
    return await recheckAgainstBase(session, code);
  } finally {
    if (stopping.signal.aborted) await deleteComparison(out);
  }
}

async function recheckAgainstBase(session: RecheckSession, read: KnownCode): Promise<number> {
  const { known, options, surroundings } = session;
  const { whole } = read.times;
  if (known.base !== null) {
    const isRead = known.base.recordings === known.recordings;
    return recheckInTurn(session, { base: known.base, recordedUs: isRead ? whole : null });
  }
  const [recording = ''] = known.recordings;
  const base = await recordedBase(recording, read, surroundings, options);
  if (base.type === 'unchanged') return sayUnchanged('the last recording', options, session.terminal.out);
  if (base.type === 'unknown') return recheckAgainst(session, base.reason, whole);
  try {
    return await recheckInTurn(session, { base: base.base, recordedUs: base.isUnchanged ? null : whole });
  } finally {
    await base.close();
  }
}

interface RecheckSession extends AskedSession {
  readonly known: Known;
  readonly plan: RecheckPlan;
  /** Aborted by Ctrl+C. */
  readonly stopping: AbortController;
  /** Folder of its recordings, which is deleted if it is stopped. */
  readonly out: string;
}

/** Says what a re-check costs. */
function printPlan({ options, terminal: { out }, plan }: RecheckSession): 0 {
  const { files, us } = plan;
  const json = { function: options.function, runs: MIN_RUNS, usPerRun: us, testFiles: files };
  out.write(options.format !== 'text' ? jsonText(json) : `${plainText(planText(plan))}\n`);
  return 0;
}

/** The number of pairs after each stage. */
const stages = [3, 5, 8] as const;

interface ChosenBase {
  readonly base: WantedBase;
  /** How long the whole command took in the recording that was read, if the base is the code of that; else null. */
  readonly recordedUs: Microseconds | null;
}

async function recheckInTurn(session: RecheckSession, chosen: ChosenBase): Promise<number> {
  const { surroundings, plan, known, stopping, options } = session;
  const { err } = session.terminal;
  const { base } = chosen;
  const repository = await repositoryOf(surroundings.cwd);
  if (repository.type === 'failed') return refuse(err, repository.message);
  // A preparation of the base may make another program of the same code.
  if (base.setup === null && (await isUnchangedSince(base, repository)))
    return sayUnchanged(base.name, options, session.terminal.out);
  if (isTooLong(plan.us, MIN_RUNS, session)) return 3;
  err.say(`re-check against ${base.name}: ${planText(plan)}`);
  const code = await codeIn(repository);
  const first = await firstRun(session, chosen.recordedUs !== null);
  if (typeof first === 'number') return first;
  const measure = async (pairs: PairedRuns): Promise<number> => {
    const narrow = await pairs.bothOfTests(first.plan.files, known);
    const used = narrow === null ? (first.plan.whole ?? first.plan) : first.plan;
    if (used !== first.plan) {
      err.say(`The test files cannot be run by themselves on ${base.name}. re-check: ${planText(used)}`);
      if (isTooLong(used.us, MIN_RUNS, session)) return 3;
    }
    const turns = { pairs, sides: narrow ?? pairs.bothOf(known), chosen, dropped: 0 };
    return inStages({ ...turns, firstHead: used === first.plan ? first.run : null }, { ...session, plan: used });
  };
  return withPairs(base, surroundings, err, measure, { folder: session.out, stopping, code });
}

/** The whole command, where test files fail by themselves; null where it takes longer than the caller allows. */
function wholeInstead({ plan: { whole }, options: { atMostUs } }: RecheckSession): RecheckPlan | null {
  return (whole?.us ?? 0) * MIN_RUNS > (atMostUs ?? Infinity) ? null : whole;
}

/** Whether that many runs take longer than the caller allows, which is said. An unknown time does not count. */
function isTooLong(
  us: Microseconds | null,
  runs: number,
  { options, terminal: { err } }: RecheckSession,
  what = 'This takes',
): boolean {
  const { atMostUs } = options;
  if (atMostUs === null || us === null || us * runs <= atMostUs) return false;
  const needed = duration(microseconds(us * runs));
  err.say(`${what} about ${needed}, more than ${duration(atMostUs)}: run "hotspan recheck" without --at-most.`);
  return true;
}

/**
 * Runs the work tree once, before there is a base, and says what is beyond doubt after that. Gives the run and what it
 * executed, or the exit code.
 */
async function firstRun(session: RecheckSession, isBaseKnown: boolean): Promise<FirstRun<PairedRun> | number> {
  const { signal: stopping } = session.stopping;
  const { err } = session.terminal;
  const { plan, run } = await firstOfHead(session);
  if (run.type === 'failed') return refuse(err, run.message);
  if (run.type === 'ran' && run.exitCode === 0 && plan.isAsRecorded && isBaseKnown)
    await sayEarly(run.recordings, timesOf(session.fn), session);
  if (run.type === 'ran' && !stopping.aborted) return { plan, run };
  return sayStopped(err);
}

interface FirstRun<Run> {
  readonly plan: RecheckPlan;
  readonly run: Run;
}

/** The tests fail by themselves for want of something, or the edit broke them: then the whole command fails, too. */
async function firstOfHead(session: RecheckSession): Promise<FirstRun<HeadRun>> {
  const { plan, surroundings, out, known, stopping } = session;
  const { err } = session.terminal;
  const runs = new HeadRuns({ ...surroundings, env: headEnvironment(surroundings.env) }, err, out);
  const start = async ({ commands }: RecheckPlan): Promise<HeadRun> =>
    stopping.signal.aborted ? { type: 'stopped' } : runs.run(commands, 1, `at least ${MIN_RUNS}`);
  const alone = await start(plan);
  const whole = hasFailed(alone) ? wholeInstead(session) : null;
  const recorded = whole === null ? null : await readManifest(known.recordings[0] ?? '');
  if (whole === null || recorded?.exitCode !== 0) return { plan, run: alone };
  err.say(`${failAloneText(logOf(alone))} re-check: ${planText(whole)}`);
  const run = await start(whole);
  if (!hasFailed(run)) return { plan: whole, run };
  err.say('The whole command fails, too, so only the test files are run again.');
  return { plan, run: alone };
}

function hasFailed(run: HeadRun): boolean {
  return run.type === 'failed' || (run.type === 'ran' && run.exitCode !== 0);
}

/**
 * Says what one run of the changed code shows beyond doubt: that the function takes at most half of its least time before,
 * or at least twice its longest. `base`: what runs of the base measured.
 */
async function sayEarly(
  recordings: readonly string[],
  base: readonly Measured[],
  session: RecheckSession,
): Promise<void> {
  const times = base.flatMap((run) => (run.isBelow ? [] : run.worst));
  const [now] = timesOf(await findIn([recordings], session));
  if (times.length === 0 || times.length < base.length || now === undefined) return;
  const [least, longest] = [minOf(times), microseconds(maxOf(times))];
  const isClear = now.worst * 2 <= least || (!now.isBelow && now.worst >= 2 * longest);
  if (isClear) session.terminal.err.say(`so far: ${earlyText(longest, now)}`);
}

async function findIn(
  runs: readonly (readonly string[])[],
  { query, options, surroundings, stopping }: RecheckSession,
): Promise<SideFunction | undefined> {
  const reading = { ...readingOptions(options, surroundings), signal: stopping.signal };
  const read = await knownCodeIn(runs, diskWorld, reading);
  const found = read.type === 'read' ? findInSide(query, read.functions) : [];
  return found.length === 1 ? found[0] : undefined;
}

function timesOf(fn: SideFunction | undefined): readonly Measured[] {
  return (fn?.runs ?? []).filter((run) => run !== null);
}

interface Turns {
  readonly pairs: PairedRuns;
  readonly sides: BothSides;
  readonly chosen: ChosenBase;
  readonly firstHead: PairedRun | null;
  /** The number of pairs that were run of test files which failed by themselves. */
  readonly dropped: number;
}

async function inStages(turns: Turns, session: RecheckSession): Promise<number> {
  const { pairs, sides, chosen, firstHead, dropped } = turns;
  const { plan, stopping, terminal } = session;
  const { err } = terminal;
  const { base: wanted, recordedUs } = chosen;
  const runs: PairsRun[] = [];
  // What fails on your work tree, too, was run there with the whole command.
  const whole = firstHead?.exitCode === 0 ? wholeInstead(session) : null;
  for (const stage of plan.isAsRecorded && recordedUs === null ? stages : [1, ...stages]) {
    const done = runs.reduce((sum, one) => sum + one.pairs.length, 0);
    const run = await pairs.run(sides, {
      ...{ from: dropped + done + 1, count: stage - done, noun: 'Pair', firstHead },
      ...{ first: done + 1, of: Math.max(stages[0], stage), whole: whole === null ? null : { pairs: [] } },
    });
    runs.push(run);
    if (run.ended?.type === 'stopped') return sayStopped(err);
    if (whole !== null && failsAlone(run, { pairs: [] }, err)) {
      const ofAll = { sides: pairs.bothOf(session.known), firstHead: null, dropped: stage };
      return inStages({ ...turns, ...ofAll }, { ...session, plan: whole });
    }
    const code = codeOfEnd(run, done, pairs.out, err);
    if (code !== null || run.ended !== null) return code ?? 3; // Fewer pairs than a stage give no verdict.
    const failures = done === 0 ? exitSentences(run, wanted.name) : [];
    for (const sentence of failures) err.say(sentence);
    const [pair] = run.pairs;
    if (stage === 1 && pair !== undefined) {
      const base = timesOf(await findIn([pair.base.recordings], session));
      const why = recordedUs === null ? null : whyOtherCode(pair, base, session);
      if (why !== null) return withoutBase(session, why, recordedUs);
      if (failures.length === 0 && !plan.isAsRecorded) await sayEarly(pair.head.recordings, base, session);
      continue;
    }
    const how = { thresholdUs: session.options.thresholdUs, signal: stopping.signal, asked: session.fn };
    const result = await pairs.compare(runs, { ...how, confirm: null, rule: 'stages' });
    if (result.type !== 'compared') return notCompared(result, err);
    if (ranOtherCode(result, err)) return 3;
    const answer = answerAfter(stage, result.comparison, session);
    if (answer !== null) return answer;
  }
  return 3;
}

/** As `answerOf`, after a stage; the last one where the next would take longer than the caller allows. */
function answerAfter(stage: number, comparison: Comparison, session: RecheckSession): number | null {
  const next = stages.find((count) => count > stage);
  const answer = answerOf(comparison, session, next === undefined);
  if (answer !== null || next === undefined) return answer;
  const isEnd = isTooLong(session.plan.us, 2 * next, session, `${next} pairs take`);
  return isEnd ? answerOf(comparison, session, true) : null;
}

/** Why a run of the recorded code is not what was recorded: it fails, or takes half or twice the time. Null where it is. */
function whyOtherCode(
  { base, head }: PairsRun['pairs'][number],
  [now]: readonly Measured[],
  { fn, plan, known }: RecheckSession,
): string | null {
  // A baseline may have failing tests.
  if (known.base === null && base.exitCode !== 0 && head.exitCode === 0)
    return `it fails beside your work tree, see ${base.log}`;
  const before = timesOf(fn).flatMap((run) => (run.isBelow ? [] : run.worst));
  if (!plan.isAsRecorded || before.length === 0 || now === undefined) return null;
  const isOther = now.worst >= 2 * maxOf(before) || now.worst * 2 <= minOf(before);
  return isOther ? 'beside your work tree it takes a different time than recorded' : null;
}

/** Compares with the recorded figures instead; with those of a baseline not, as the machine may have changed since. */
async function withoutBase(session: RecheckSession, why: string, wholeUs: Microseconds | null): Promise<number> {
  const { known, terminal } = session;
  if (known.base === null) return recheckAgainst(session, why, wholeUs);
  terminal.err.say(
    `No verdict: ${known.base.name} does not take the time that it took when it was set. A file that git ignores may be missing, or the machine or Node has changed.`,
  );
  return 3;
}

/** Without the code of the base, only the head runs, and only a factor of two is a result. */
async function recheckAgainst(session: RecheckSession, reason: string, wholeUs: Microseconds | null): Promise<number> {
  const { known, options, surroundings } = session;
  const { err } = session.terminal;
  const why = reason.replace(/\.$/, '');
  if (session.stopping.signal.aborted) return sayStopped(err);
  const other = await otherCommandText(session, why);
  if (other !== null) return refuse(err, other);
  const cost = wholeUs === null ? '' : `: ${PLAIN_RUNS} × about ${duration(wholeUs)}, the whole command`;
  err.say(`The code that was recorded cannot be run again (${why}), so only a factor of two is a result${cost}.`);
  if (isTooLong(wholeUs, PLAIN_RUNS, session)) return 3;
  const repository = await repositoryOf(surroundings.cwd);
  const code = repository.type === 'found' ? await codeIn(repository) : null;
  const runs = new HeadRuns(surroundings, err, session.out);
  const recordings: (readonly string[])[] = [];
  const commands = [wholeOf(known, surroundings.cwd)];
  for (let number = 1; number <= PLAIN_RUNS; number++) {
    const run = await runs.run(commands, number, PLAIN_RUNS);
    if (run.type === 'failed') return refuse(err, run.message);
    if (run.type === 'stopped') return sayStopped(err);
    recordings.push(run.recordings);
  }
  const isWatched = repository.type === 'found' && code !== null;
  const changed = isWatched ? await changedOfRuns(code, repository, recordings.flat()) : null;
  if (changed !== null) {
    err.say(changedFileText(changed));
    return 3;
  }
  const compared = await compareWithHead(
    { name: 'the last recording', runs: known.baseRuns.map((one) => [one]) },
    { name: 'your work tree', runs: recordings },
    { ...readingOptions(options, surroundings), roots: [], order: 'blocks', confirm: null, asked: session.fn },
  );
  const { root } = repository.type === 'found' ? repository : { root: surroundings.cwd };
  const result = await warnIfRebuilt(compared, { root, recordings: recordings.flat() }, null);
  if (result.type !== 'compared') return notCompared(result, err);
  return ranOtherCode(result, err) ? 3 : (answerOf(result.comparison, session, true) ?? 3);
}

/** Why the typed command cannot be compared with the recorded figures, and the next step; null where it is the recorded one. */
async function otherCommandText(
  { known, options: { command }, surroundings: { cwd } }: RecheckSession,
  why: string,
): Promise<string | null> {
  const { command: words = null, cwd: folder = null } = (await readManifest(known.baseRuns[0] ?? '')) ?? {};
  if (command.length === 0 || words === null || isSameCommand({ words, cwd: folder }, { words: command, cwd }))
    return null;
  return `The code that was recorded cannot be run again (${why}), and its recording is of another command (${shownCommand(words)}): go back to that code and record yours, "hotspan record -- ${shownCommand(command)}".`;
}

/** Runs of the work tree alone. */
const PLAIN_RUNS = 3;
