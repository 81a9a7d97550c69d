import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { analyze } from '../../engine/analyze.ts';
import { checkBudget } from '../../engine/budget/check-budget.ts';
import { newBudget } from '../../engine/budget/new-budget.ts';
import { type RunFigures, runFigures } from '../../engine/budget/run-figures.ts';
import { lowerThreshold } from '../../engine/compare/side.ts';
import type { Budget, BudgetCheck, CheckedEntry } from '../../protocol/budget.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { budgetText, parseBudget } from '../../recordings/formats/parse-budget.ts';
import { globMatcher } from '../../recorder/launch/packages/glob.ts';
import { describeFailure } from '../../words/failures.ts';
import { plural } from '../../words/formats/figures.ts';
import type { CheckArguments } from '../arguments/check-arguments.ts';
import { jsonText } from '../views/report-text.ts';
import type { WantedReport } from '../arguments/parse-report.ts';
import { checkMarkdown, checkTable } from '../views/check-views.ts';
import { plainText, showProgress, type Terminal } from '../views/terminal.ts';
import { commandOf, lastRecording } from './last-recording.ts';
import { HeadRuns } from './head-runs.ts';
import type { Surroundings } from './record.ts';
import { besideReports, writeReports } from './write-reports.ts';

/**
 * Judges a run by a budget. What is over it is run twice more, and fails only if it is over it each time. Gives the exit
 * code: 0 within; 1 over; 2 where nothing can be judged by it, or a report cannot be written; 3 where not all could be
 * judged.
 */
export async function checkCommand(
  options: CheckArguments,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const say = (sentence: string): void => terminal.err.write(`hotspan: ${plainText(sentence)}\n`);
  try {
    const session = { options, terminal, surroundings, say };
    const { reports } = options;
    if (claimsOfOutput(reports, options) > 1)
      throw new Obstacle('Only one thing can go to standard output: name files for the reports, --report sarif=FILE.');
    const budget = await readBudget(options, surroundings.cwd);
    if (options.update) return await update(session, budget);
    if (budget === null)
      throw new Obstacle(
        `${options.budget} is not here: "hotspan check --update -- npm test" writes it from what is measured today.`,
      );
    if (isEmpty(budget))
      throw new Obstacle(`${options.budget} has no budget in it: "hotspan check --update -- npm test" writes it.`);
    const runs = await firstRuns(session, budget);
    const check = checkOf(runs, budget);
    const target = { ...surroundings, budget: options.budget, out: terminal.out };
    if (!reports.some(isDocument)) terminal.out.write(besideReports(printed(check, options, terminal), reports));
    const unwritten = await writeReports(check, reports, target);
    for (const sentence of unwritten) say(sentence);
    return unwritten.length > 0 && check.verdict !== 'over' ? 2 : exitCodes[check.verdict];
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    say(error.message);
    return 2;
  }
}

function isEmpty({ functions, files, routes, whole }: Budget): boolean {
  return functions.size + files.size + routes.size === 0 && whole === null;
}

/** How many things are to be printed in place of the table, or beside it. */
function claimsOfOutput(reports: readonly WantedReport[], { format }: CheckArguments): number {
  return reports.filter(({ file }) => file === null).length + (format === 'table' ? 0 : 1);
}

/** Whether it is printed as a whole, so that a table beside it would spoil it. */
function isDocument({ format, file }: WantedReport): boolean {
  return file === null && format !== 'github';
}

const exitCodes = { within: 0, over: 1, unclear: 3 } as const;

/** What keeps a check from being done, as a sentence for the person. */
class Obstacle extends Error {}

interface Session {
  readonly options: CheckArguments;
  readonly terminal: Terminal;
  readonly surroundings: Surroundings;
  readonly say: (sentence: string) => void;
}

/** Runs with what they tell, and what was odd about them. */
interface Runs {
  readonly figures: readonly RunFigures[];
  readonly recordings: readonly (readonly string[])[];
  readonly warnings: readonly string[];
}

/** Null where there is no such file. */
async function readBudget({ budget: typed }: CheckArguments, cwd: string): Promise<Budget | null> {
  const text = await readFile(path.resolve(cwd, typed), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Obstacle(`${typed} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  });
  if (text === null) return null;
  const parsed = parseBudget(text);
  if (parsed.type === 'invalid') throw new Obstacle(`${typed} ${parsed.reason}.`);
  const strange = [...parsed.budget.files.keys()].find((pattern) => globMatcher(pattern) === null);
  if (strange !== undefined) throw new Obstacle(`${typed} has a pattern that is not understood: "${strange}".`);
  return parsed.budget;
}

/** Judges what is given; else runs the command, and what is over the budget twice more. */
async function firstRuns(session: Session, budget: Budget): Promise<Runs> {
  const { options, surroundings, say, terminal } = session;
  if (options.paths.length > 0) return given(session);
  const command = await commandFor(session);
  const runs = await HeadRuns.open(surroundings, terminal.err);
  const first = await ran(session, runs, command, 1);
  const over = checkBudget(budget, first.figures, globMatcher).filter(
    ({ verdict }) => verdict === 'over' || verdict === 'estimated',
  );
  if (over.length === 0) return first;
  const files = testFilesOf(over, first.figures);
  const narrow = await runs.commandsOfTests(files);
  say(
    `${plural(over.length, 'budget')} exceeded once: ${narrow === null ? 'the command' : plural(narrow.length, 'test file')} is run twice more …`,
  );
  // These may run a part of the tests: what they do not reach is judged by the first run.
  return together([first, await ran(session, runs, command, 2, narrow), await ran(session, runs, command, 3, narrow)]);
}

function together(all: readonly Runs[]): Runs {
  return {
    figures: all.flatMap(({ figures }) => figures),
    recordings: all.flatMap(({ recordings }) => recordings),
    warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
  };
}

function testFilesOf(over: readonly CheckedEntry[], [run]: readonly RunFigures[]): readonly string[] {
  const places = new Set(over.map(({ place }) => (place === null ? '' : `${place.file}:${place.line}`)));
  return (
    run?.functions.flatMap(({ place, testFiles }) => (places.has(`${place.file}:${place.line}`) ? testFiles : [])) ?? []
  );
}

async function given(session: Session): Promise<Runs> {
  const { options, surroundings } = session;
  const runs = options.paths.map((one) => [path.resolve(surroundings.cwd, one)]);
  const figures: RunFigures[] = [];
  for (const run of runs) figures.push(await figuresOf(run, session));
  return { figures, recordings: runs, warnings: [] };
}

async function ran(
  session: Session,
  runs: HeadRuns,
  command: readonly string[],
  number: number,
  narrow: Awaited<ReturnType<HeadRuns['commandsOfTests']>> = null,
): Promise<Runs> {
  const run = await runs.run(narrow ?? [{ command, cwd: session.surroundings.cwd, env: {} }], number);
  if (run.type === 'failed') throw new Obstacle(run.message);
  const warnings =
    run.exitCode === 0
      ? []
      : [
          `The command failed (exit code ${run.exitCode}), so what did not run was not judged. Its output is in ${run.log}.`,
        ];
  return { figures: [await figuresOf(run.recordings, session)], recordings: [run.recordings], warnings };
}

async function figuresOf(paths: readonly string[], { options, surroundings, terminal }: Session): Promise<RunFigures> {
  const { thresholdUs } = options;
  const result = await analyze(paths, diskWorld, {
    thresholdUs,
    roots: [],
    currentFolder: surroundings.cwd,
    sourceMaps: true,
  });
  showProgress(terminal.err, '');
  if (result.type === 'failed') throw new Obstacle(describeFailure(result.failure));
  const { analysis, textOf } = result;
  return runFigures({ analysis, lower: await result.at(lowerThreshold(thresholdUs)), textOf });
}

async function commandFor({ options, surroundings }: Session): Promise<readonly string[]> {
  if (options.command.length > 0) return options.command;
  const last = await lastRecording(surroundings.cwd);
  if (last === null) throw new Obstacle('Nothing was recorded here: say what to run, hotspan check -- npm test.');
  const known = await commandOf(last, surroundings);
  if (known.type === 'failed') throw new Obstacle(known.message);
  return known.command;
}

function checkOf({ figures, recordings, warnings }: Runs, budget: Budget): BudgetCheck {
  const entries = checkBudget(budget, figures, globMatcher);
  const unseen = figures.some(({ isSeen }) => !isSeen)
    ? ['None of your code was seen in a run, so nothing is known of it.']
    : [];
  const isUnclear =
    unseen.length > 0 ||
    warnings.length > 0 ||
    entries.some(({ verdict }) => verdict === 'estimated' || verdict === 'unknown');
  const verdict = entries.some((entry) => entry.verdict === 'over') ? 'over' : isUnclear ? 'unclear' : 'within';
  return { version: 1, kind: 'check', verdict, runs: recordings, entries, warnings: [...warnings, ...unseen] };
}

/** Writes a budget of twice what three runs, or the given ones, have measured. */
async function update(session: Session, old: Budget | null): Promise<number> {
  const { options, surroundings, say, terminal } = session;
  const figures = options.paths.length > 0 ? (await given(session)).figures : await threeRuns(session, terminal);
  if (figures.every(({ isSeen }) => !isSeen))
    throw new Obstacle('None of your code was seen, so there is nothing to make a budget of.');
  const budget = newBudget(figures, old);
  const file = path.resolve(surroundings.cwd, options.budget);
  const schema = existsSync(path.resolve(path.dirname(file), schemaAddress)) ? schemaAddress : null;
  await writeFile(file, budgetText(budget, schema)).catch((error: unknown) => {
    throw new Obstacle(
      `${options.budget} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    );
  });
  say(
    `${options.budget} allows twice what was measured: ${plural(budget.functions.size, 'function')}. Commit it; "hotspan check" judges by it.`,
  );
  return 0;
}

async function threeRuns(session: Session, { err }: Terminal): Promise<readonly RunFigures[]> {
  const command = await commandFor(session);
  const runs = await HeadRuns.open(session.surroundings, err);
  const all: RunFigures[] = [];
  for (const number of [1, 2, 3]) {
    const { figures, warnings } = await ran(session, runs, command, number);
    if (warnings[0] !== undefined) throw new Obstacle(`${warnings[0]} No budget was written.`);
    all.push(...figures);
  }
  return all;
}

/** Where editors find the schema, from a budget in a project in which Hotspan is installed. */
const schemaAddress = './node_modules/hotspan/docs/budget.schema.json';

function printed(check: BudgetCheck, { format }: CheckArguments, { out }: Terminal): string {
  if (format === 'json') return jsonText(check);
  return format === 'markdown' ? checkMarkdown(check) : checkTable(check, out.colors);
}
