import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type CompareResult, compareRecordings, functionsIn } from '../../engine/compare/compare-recordings.ts';
import {
  findInComparison,
  findInSide,
  type FunctionQuery,
  functionsAround,
  placesOf,
} from '../../engine/compare/find-function.ts';
import type { SideFunction } from '../../engine/compare/side.ts';
import type { ChangeVerdict, ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import type { Failure } from '../../recorder/launch/pairs/git.ts';
import type { PairsRun } from '../../recorder/launch/pairs/run-pairs.ts';
import { comparedLabel, changeText, failsOnOneSide } from '../../words/formats/change-texts.ts';
import { nearest } from '../arguments/command.ts';
import { isMixed, whyNot, withWarnings } from './compare.ts';
import { duration, plural, withLine } from '../../words/formats/figures.ts';
import { pathRulesOf } from '../arguments/shared-options.ts';
import type { RecheckArguments } from '../arguments/recheck-arguments.ts';
import { jsonText } from '../views/report-text.ts';
import { plainText, refuse, type Session, type Surroundings, type Terminal } from '../views/terminal.ts';
import { folderForRuns, HeadRuns } from './head-runs.ts';
import {
  type BothSides,
  codeOfEnd,
  exitSentences,
  type Known,
  type PairedRuns,
  whatIsKnown,
  withPairs,
} from './paired-runs.ts';

/**
 * Runs the tests that reach one function on the base and on the person's files, in turn, until it is clear whether the
 * function changed: 3, 5 or 8 pairs. Gives the exit code: 0; 1 where it is slower; 2 where nothing can be run; 3 where it
 * is too noisy to say.
 */
export async function recheckCommand(
  options: RecheckArguments,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const { err } = terminal;
  const query = await queryOf(options.function, surroundings.cwd);
  if (query.type === 'failed') return refuse(err, query.message);
  const known = await whatIsKnown(options, surroundings);
  if (known.type === 'failed') return refuse(err, known.message);
  const read = await functionsIn(known.recordings, diskWorld, readingOptions(options, surroundings));
  if (read.type !== 'read') return refuse(err, whyNot(read));
  const found = findInSide(query, read.functions);
  const [fn, ...others] = found;
  if (others.length > 0) return refuse(err, severalOf(options.function, found));
  if (fn === undefined && read.functions.length > 0) {
    if (query.type === 'name') return refuse(err, unknownName(options.function, read.functions));
    const recording = known.recordings[0] ?? 'the recording';
    err.say(`${options.function} was not seen in ${recording}: the whole command is run.`);
  }
  const facts = { isKnown: fn !== undefined, testFiles: [...(fn?.testFiles ?? [])] };
  const session = { options, terminal, surroundings, query, known, ...facts };
  const { base, command } = known;
  if (base === null) return recheckAgainst(session);
  return withPairs(base, surroundings, err, async (pairs) => {
    const sides = (await pairs.bothOfTests(session.testFiles)) ?? pairs.bothOf(command);
    return inStages(pairs, sides, base.name, session);
  });
}

interface RecheckSession extends Session<RecheckArguments> {
  readonly query: FunctionQuery;
  readonly known: Known;
  /** Whether a recording has the function. */
  readonly isKnown: boolean;
  readonly testFiles: readonly string[];
}

async function queryOf(typed: string, cwd: string): Promise<FunctionQuery | Failure> {
  const places = placesOf(typed);
  for (const { file: named, line } of places) {
    const file = path.resolve(cwd, named);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    const place = { type: 'place', file, line, text } as const;
    return functionsAround(place).length > 0
      ? place
      : { type: 'failed', message: `${typed} is in no function: name a line inside of one, or its name.` };
  }
  const [place] = places;
  return place === undefined
    ? { type: 'name', name: typed }
    : {
        type: 'failed',
        message: `${place.file} cannot be read: name a file as it is called from here, or a function.`,
      };
}

function readingOptions(
  { thresholdUs, maps }: RecheckArguments,
  { cwd }: Surroundings,
): Parameters<typeof functionsIn>[2] {
  return { thresholdUs, currentFolder: cwd, pathRules: pathRulesOf(maps, cwd) };
}

/** The number of pairs after each stage. */
const stages = [3, 5, 8];

async function inStages(
  pairs: PairedRuns,
  sides: BothSides,
  baseName: string,
  session: RecheckSession,
): Promise<number> {
  const { options } = session;
  const { err } = session.terminal;
  const runs: PairsRun[] = [];
  for (const stage of stages) {
    const done = runs.reduce((sum, one) => sum + one.pairs.length, 0);
    const run = await pairs.run(sides, done + 1, stage - done, 'Pair');
    runs.push(run);
    const code = codeOfEnd(run, done, pairs.out, err);
    if (code !== null) return code;
    const failures = done === 0 ? exitSentences(run, baseName) : [];
    for (const sentence of failures) err.say(sentence);
    const result = await pairs.compare(runs, { thresholdUs: options.thresholdUs, confirm: null, rule: 'stages' });
    if (result.type !== 'compared') return refuse(err, whyNot(result));
    if (isMixed(result, err)) return 3;
    const answer = answerOf(result.comparison, session, stage === stages.at(-1), run.ended !== null);
    if (answer !== null) return answer;
  }
  return 3;
}

/** Without the sources of the base, only the head runs, and only a change of at least 2 × can be seen. */
async function recheckAgainst(session: RecheckSession): Promise<number> {
  const { known, options, surroundings } = session;
  const { err } = session.terminal;
  err.say(
    'There is no baseline with sources, so the last recording is the base: only a change from twice on can be told.',
  );
  const runs = new HeadRuns(surroundings, err, await folderForRuns(surroundings.cwd));
  const recordings: (readonly string[])[] = [];
  const commands = [{ command: known.command, cwd: surroundings.cwd, env: {} }];
  let isStopped = false;
  for (const number of [1, 2, 3]) {
    const run = await runs.run(commands, number, 3);
    if (run.type === 'failed') return refuse(err, run.message);
    isStopped = run.type === 'stopped';
    if (run.type === 'stopped') break;
    recordings.push(run.recordings);
  }
  if (recordings.length === 0) {
    err.say('It was stopped before anything could be said.');
    return 3;
  }
  const result: CompareResult = await compareRecordings(
    { name: 'the last recording', runs: known.baseRuns.map((one) => [one]) },
    { name: 'your work tree', runs: recordings },
    diskWorld,
    { ...readingOptions(options, surroundings), roots: [], order: 'blocks', confirm: null },
  );
  return result.type === 'compared'
    ? (answerOf(result.comparison, session, true, isStopped) ?? 3)
    : refuse(err, whyNot(result));
}

/** Prints the answer and gives the exit code; null if it is unclear and more pairs may run. */
function answerOf(comparison: Comparison, session: RecheckSession, isLast: boolean, isStopped: boolean): number | null {
  const { query, options, terminal } = session;
  const found = findInComparison(query, comparison.functions);
  const [fn] = found;
  if (found.length > 1) return refuse(terminal.err, severalOf(options.function, found));
  if (fn?.verdict === 'tooNoisy' && !isLast && !isStopped) return null;
  if (isStopped) terminal.err.say('It was stopped: this is what can be said so far, and no verdict.');
  if (options.format === 'json') {
    const functions = fn === undefined ? [] : [fn];
    terminal.out.write(jsonText({ ...withWarnings(comparison, { format: 'json' }), functions }));
  } else terminal.out.write(`${plainText(answerText(fn, comparison, session))}\n`);
  if (isStopped) return 3;
  if (fn?.verdict === 'slower' || fn?.verdict === 'new' || fn?.verdict === 'moreOften') return 1;
  const isUnclear = fn === undefined ? !session.isKnown : unclear.has(fn.verdict);
  return isUnclear || failsOnOneSide(comparison) ? 3 : 0;
}

const unclear: ReadonlySet<ChangeVerdict> = new Set<ChangeVerdict>(['tooNoisy', 'notReached']);

function answerText(
  fn: ComparedFunction | undefined,
  comparison: Comparison,
  { options: { function: asked }, isKnown }: RecheckSession,
): string {
  const below = duration(comparison.thresholdUs);
  if (fn === undefined)
    return isKnown ? `${asked}: never over ${below}, neither before nor now.` : `${asked}: not seen in these runs.`;
  const place = fn.is ?? fn.was;
  const where = place === null ? asked : `${comparedLabel(fn)}, ${withLine(place.file, place.line)}`;
  return `${where}: ${leads[fn.verdict] ?? ''}${changeText(fn, comparison)}`;
}

/** Text before the figures of a verdict, if they do not say it. */
const leads: Readonly<Partial<Record<ChangeVerdict, string>>> = {
  ...{ faster: 'faster, was ', slower: 'slower, was ', gone: 'gone, was ' },
  ...{ moved: 'moved: ', new: 'new: ' },
};

function severalOf(asked: string, found: readonly (SideFunction | ComparedFunction)[]): string {
  const places = found.flatMap((one) => ('place' in one ? one.place : (one.is ?? one.was ?? [])));
  const named = places.slice(0, 3).map(({ file, line }) => withLine(file, line));
  const more = places.length > 3 ? ', …' : '';
  return `${asked} names ${plural(found.length, 'function')}: give one by its line (${named.join(', ')}${more}).`;
}

function unknownName(asked: string, functions: readonly SideFunction[]): string {
  const meant = nearest(asked, [...new Set(functions.map(({ place }) => place.label))]);
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return `No function that ran is called ${asked}.${hint} One by its line is always found: hotspan recheck src/cart.ts:12.`;
}
