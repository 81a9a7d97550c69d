import { failed, type Failure, messageOf, hasCode } from '../../protocol/failure.ts';
import { constants, createReadStream, existsSync } from 'node:fs';
import { access, appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkBudget, estimatedIn, unjudged, newBudget, unseenFunctions } from '../../engine/compare/budget.ts';
import { type Budget, type BudgetCheck, budgetFile, type CheckedEntry, splitKey } from '../../protocol/budget.ts';
import { MIN_PROCESSOR_SHARE } from '../../engine/compare/side.ts';
import { defaultThresholdUs, median, minOf } from '../../protocol/figures.ts';
import { microseconds } from '../../protocol/units.ts';
import { shellText } from '../../words/formats/command-text.ts';
import { budgetText, parseBudget, type JsonPlaces } from '../../protocol/formats/parse-budget.ts';
import { MAX_NAMED_BYTES, readText } from '../../engine/read/files/world.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { globMatcher } from '../../recorder/launch/packages/glob.ts';
import {
  doubtfulBudgetText,
  keptTexts,
  noRootText,
  otherNodeText,
  unjudgedText,
} from '../../words/formats/budget-texts.ts';
import { duration, plural } from '../../words/formats/figures.ts';
import type { CheckArguments, WantedReport } from '../arguments/check-arguments.ts';
import { nearest } from '../arguments/command.ts';
import { checkMarkdown, checkTable, besideReports, writeReports } from './write-reports.ts';
import { jsonText } from '../views/report-text.ts';
import { shownPath } from '../views/shown-code.ts';
import { refuse, type Session, type Terminal, sayStopped } from '../views/terminal.ts';
import {
  type CheckFailure,
  type CheckRuns,
  type CheckSession,
  repositoryAround,
  runsForBudget,
  runsForUpdate,
} from './check-runs.ts';
import type { FailedCommand } from './head-runs.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Judges a run by a budget. What is over it is run twice more, and fails only if it is over it each time. Gives the exit
 * code: 0: within; 1: over; 2: nothing can be judged, or a report cannot be written; 3: not all could be judged; else that
 * of a command that failed.
 */
export async function checkCommand(session: Session<CheckArguments>): Promise<number> {
  const { options, terminal, surroundings } = session;
  const { err } = terminal;
  const clash = clashOfReports(options, surroundings.cwd);
  if (clash !== null) return refuse(err, clash);
  const read = await readBudget(options, surroundings.cwd);
  if (read.type === 'failed') return refuse(err, read.message);
  if (options.update)
    return update(
      { ...session, thresholdUs: defaultThresholdUs, leastUs: defaultThresholdUs },
      read.type === 'read' ? read : null,
    );
  const named = options.budget === budgetFile ? [] : ['--budget', options.budget];
  const advice = `"${shellText(['hotspan', 'check', '--update', ...named, '--', 'npm', 'test'])}" writes it`;
  const above = read.type === 'none' ? budgetAbove(options.budget, surroundings.cwd) : null;
  if (above !== null)
    return refuse(err, `${options.budget} is not here, but further up: add "--budget ${shellText([above])}".`);
  if (read.type === 'none') return refuse(err, `${options.budget} is not here: ${advice} from what is measured today.`);
  if (isEmpty(read.budget)) return refuse(err, `${options.budget} has no budget in it: ${advice}.`);
  const runs = await runsForBudget({ ...session, ...limitsOf(read.budget) }, read.budget);
  if (runs.type === 'failed') return endFailed(runs, session);
  if (runs.figures.length === 0) return sayStopped(err);
  const { knownBy } = await repositoryAround(surroundings.cwd, surroundings.env);
  const code = await report(await checkOf(runs, read, knownBy === null), session);
  return runs.failed === null ? code : endWithCommand(runs.failed, session);
}

function isEmpty({ functions, files, routes, whole }: Budget): boolean {
  return functions.size + files.size + routes.size === 0 && whole === null;
}

/** Why two reports cannot go to one place; null if they need not. The table may be beside a report on standard output. */
function clashOfReports({ reports, format }: CheckArguments, cwd: string): string | null {
  const files = reports.flatMap(({ file }) => (file === null ? [] : [path.resolve(cwd, file)]));
  if (reports.length - files.length + (format === 'table' ? 0 : 1) > 1)
    return 'Only one thing can go to standard output: name files for the reports, --report sarif=FILE.';
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  return twice === undefined ? null : `Only one report can go to ${twice}: name a file for each.`;
}

/** `thresholdUs`: figures have only what is over it, so a lower budget would never be exceeded. */
function limitsOf({ functions, files, whole }: Budget): Pick<CheckSession, 'thresholdUs' | 'leastUs'> {
  const leastUs = minOf([...functions.values(), ...files.values(), ...(whole === null ? [] : [whole])]);
  return { thresholdUs: microseconds(Math.min(defaultThresholdUs, leastUs)), leastUs };
}

/** Prints a check, and writes the wanted reports. Gives the exit code. */
async function report(
  check: BudgetCheck,
  { options, terminal, surroundings }: Session<CheckArguments>,
): Promise<number> {
  const { reports } = options;
  const target = { ...surroundings, budget: options.budget, out: terminal.out };
  if (!reports.some(isDocument)) terminal.out.write(besideReports(printed(check, options, terminal), reports));
  const last = (check.runs.at(-1) ?? []).map((recording) => shownPath(recording, surroundings.cwd));
  if (check.verdict === 'over' && options.format === 'table' && last.length > 0)
    terminal.err.say(`See why with "hotspan analyze ${shellText(last)}".`);
  const unwritten = await writeReports(check, reports, target);
  for (const sentence of unwritten) terminal.err.say(sentence);
  return unwritten.length > 0 && check.verdict !== 'over' ? 2 : exitCodes[check.verdict];
}

/** Whether a table beside it on standard output would spoil it. */
function isDocument({ format, file }: WantedReport): boolean {
  return file === null && format !== 'github';
}

const exitCodes = { within: 0, over: 1, unclear: 3 } as const;

function printed(check: BudgetCheck, { format }: CheckArguments, { out }: Terminal): string {
  if (format === 'json') return jsonText(check);
  return format === 'markdown' ? checkMarkdown(check) : checkTable(check, out.colors);
}

async function checkOf(
  { recordings, isStopped, ...runs }: CheckRuns,
  { budget, places }: ReadBudget,
  isRootless: boolean,
): Promise<BudgetCheck> {
  const unseen = await unseenFunctions(budget, runs.figures, textOnDisk);
  const figures = runs.figures.map((run) => ({ ...run, functions: [...run.functions, ...unseen] }));
  const keys = [...new Set(figures.flatMap((run) => run.functions.map(({ key }) => key)))];
  const routes = [...new Set(figures.flatMap((run) => [...run.routes.keys()]))];
  const isOfRoot = ({ kind, verdict, key }: CheckedEntry): boolean =>
    isRootless && kind === 'function' && verdict === 'unknown' && keys.some((one) => key.endsWith(`/${one}`));
  const entries = checkBudget(budget, figures, globMatcher).map((entry): CheckedEntry => ({
    ...entry,
    // Without confirmation it may be over its budget.
    verdict: isStopped && entry.verdict === 'over' ? 'estimated' : entry.verdict,
    budgetLine: places.lineOf(entry.kind === 'whole' ? ['whole'] : [sections[entry.kind], entry.key]),
    meant:
      entry.verdict === 'unknown' && entry.leftOut === null && !isOfRoot(entry) ? meantBy(entry, keys, routes) : null,
  }));
  const warnings = [
    ...runs.warnings,
    ...(entries.some(isOfRoot) ? [noRootText] : []),
    ...runs.losses,
    ...(isStopped ? ['It was stopped before what is over its budget was confirmed.'] : []),
    ...(figures.some(({ isSeen }) => !isSeen)
      ? ['None of your code was seen in a run, so nothing is known of it.']
      : []),
  ];
  const isUnclear =
    warnings.length > 0 || entries.some(({ verdict }) => verdict === 'estimated' || verdict === 'unknown');
  const verdict = entries.some((entry) => entry.verdict === 'over') ? 'over' : isUnclear ? 'unclear' : 'within';
  const notes = [
    otherNodeText(budget.node, figures[0]?.node ?? null),
    unjudgedText(unjudged(budget, figures, globMatcher)),
  ].filter((note) => note !== null);
  return { version: 1, kind: 'check', verdict, runs: recordings, entries, warnings, notes };
}

const sections = { function: 'functions', file: 'files', route: 'routes' } as const;

/** What ran and has a similar name, or the same name in another file. */
function meantBy({ kind, key }: CheckedEntry, keys: readonly string[], routes: readonly string[]): string | null {
  if (kind === 'route') return nearest(key, routes);
  if (kind !== 'function') return null;
  const [, name] = splitKey(key, null);
  const moved = keys.filter((one) => one.endsWith(`#${name}`));
  return moved.length === 1 ? (moved[0] ?? null) : nearest(key, keys);
}

async function endFailed({ message, failed }: CheckFailure, session: Session<CheckArguments>): Promise<number> {
  const code = failed === undefined ? 2 : await endWithCommand(failed, session);
  session.terminal.err.say(message);
  return code;
}

/**
 * Prints the output of the command unchanged. Gives its exit code, and notes it for the GitHub action, for which Hotspan's
 * own code 3 is a warning.
 */
async function endWithCommand(
  { exitCode, log }: FailedCommand,
  { options, terminal, surroundings }: Session<CheckArguments>,
): Promise<number> {
  if (log !== null) {
    terminal.err.say('The command failed. It printed:');
    await terminal.err.writeAll(createReadStream(log, 'utf8'));
  }
  const output = surroundings.env['GITHUB_OUTPUT'] ?? '';
  if (output !== '' && options.reports.some(({ format }) => format === 'github'))
    await appendFile(output, `command-exit-code=${exitCode}\n`).catch((error: unknown) =>
      terminal.err.say(`${output} cannot be written: ${messageOf(error)}.`),
    );
  return exitCode;
}

/** Writes a budget of twice the times of three runs, or of the given ones. Gives the exit code. */
async function update(session: CheckSession, read: ReadBudget | null): Promise<number> {
  const { options, surroundings } = session;
  const { err } = session.terminal;
  const file = path.resolve(surroundings.cwd, options.budget);
  const unwritable = await whyUnwritable(file);
  if (unwritable !== null) return refuse(err, `${options.budget} cannot be written: ${unwritable}.`);
  const runs = await runsForUpdate(session);
  if (runs.type === 'failed') return endFailed(runs, session);
  if (runs.isStopped) {
    err.say('It was stopped, so no budget was written.');
    return 3;
  }
  const nodes = [...new Set(runs.figures.flatMap(({ node }) => node ?? []))];
  if (nodes.length > 1)
    return refuse(
      err,
      `These recordings come from Node.js ${nodes.join(' and ')}, whose times differ: give those of one version.`,
    );
  if (runs.figures.every(({ isSeen }) => !isSeen))
    return refuse(err, 'None of your code was seen, so there is nothing to make a budget of.');
  for (const loss of runs.losses.slice(0, 1)) err.say(loss);
  return writeBudget(file, runs.figures, read, session);
}

async function writeBudget(
  file: string,
  figures: CheckRuns['figures'],
  read: ReadBudget | null,
  { options, terminal: { err } }: CheckSession,
): Promise<number> {
  const old = read?.budget ?? null;
  const unseen = old === null ? [] : await unseenFunctions(old, figures, textOnDisk);
  const budget = newBudget(figures, old, unseen);
  const ours = existsSync(path.resolve(path.dirname(file), schemaAddress)) ? schemaAddress : null;
  try {
    await replaceFile(file, budgetText(budget, read?.schema ?? ours));
  } catch (error) {
    return refuse(err, `${options.budget} cannot be written: ${messageOf(error)}.`);
  }
  const other = otherNodeText(old?.node ?? null, budget.node);
  if (other !== null) err.say(`${other} Its functions were measured again; what was written by hand is unchanged.`);
  const unchanged = [...new Set(unseen.map(({ key }) => key))].filter((key) => budget.functions.has(key));
  const removed = [...(old?.functions.keys() ?? [])].filter((key) => !budget.functions.has(key));
  for (const text of keptTexts(unchanged, removed)) err.say(text);
  const share = median(figures.flatMap(({ processorShare }) => processorShare ?? []));
  const doubt = doubtfulBudgetText(estimatedIn(budget, figures), share < MIN_PROCESSOR_SHARE ? share : null);
  const measured = budget.functions.size - unchanged.length;
  const allowed = [
    ...(measured === 0 && budget.whole !== null ? [] : [`${plural(measured, 'function')} twice what was measured`]),
    ...(budget.whole === null ? [] : [`each ${measured === 0 ? 'function' : 'other one'} ${duration(budget.whole)}`]),
  ];
  err.say(`${options.budget} allows ${allowed.join(', and ')}. ${doubt ?? 'Commit it; "hotspan check" judges by it.'}`);
  return 0;
}

async function textOnDisk(file: string): Promise<string | null> {
  return readText(file, diskWorld, MAX_NAMED_BYTES.text);
}

/** Why a file cannot be written, before anything runs; null if it can. */
async function whyUnwritable(file: string): Promise<string | null> {
  const place = existsSync(file) ? file : path.dirname(file);
  return access(place, constants.W_OK).then(
    () => null,
    (error: unknown) => messageOf(error),
  );
}

/** The schema for editors, if Hotspan is installed in the project. */
const schemaAddress = './node_modules/hotspan/docs/budget.schema.json';

interface ReadBudget {
  readonly type: 'read';
  readonly budget: Budget;
  readonly places: JsonPlaces;
  readonly schema: string | null;
}

/** `none`: the file does not exist, or `--update` may replace it, because it has no budget in it. */
async function readBudget(
  { budget: typed, update: isWritten }: CheckArguments,
  cwd: string,
): Promise<ReadBudget | { readonly type: 'none' } | Failure> {
  try {
    const parsed = parseBudget(await readFile(path.resolve(cwd, typed), 'utf8'));
    if (parsed.type === 'invalid' && parsed.isEmpty === true && isWritten) return { type: 'none' };
    if (parsed.type === 'invalid') return failed(`${at(typed, parsed.line)} ${parsed.reason}.`);
    const { budget, places, schema } = parsed;
    const unknown = [...budget.files.keys()].find((pattern) => globMatcher(pattern) === null);
    if (unknown === undefined) return { type: 'read', budget, places, schema };
    const line = places.lineOf(['files', unknown]);
    return failed(`${at(typed, line)} has a pattern that is not understood, "${unknown}": write one such as "src/**".`);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { type: 'none' };
    return failed(`${typed} cannot be read: ${messageOf(error)}.`);
  }
}

/** The path of the budget of this name in the nearest folder above, inside of the repository; null if there is none. */
function budgetAbove(name: string, cwd: string): string | null {
  if (path.basename(name) !== name) return null;
  let folder = cwd;
  while (!existsSync(path.join(folder, '.git')) && folder !== path.dirname(folder)) {
    folder = path.dirname(folder);
    if (existsSync(path.join(folder, name))) return path.relative(cwd, path.join(folder, name));
  }
  return null;
}

function at(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`;
}
