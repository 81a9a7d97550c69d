import { maxOf } from '../../protocol/figures.ts';
import type { Failure } from '../../protocol/failure.ts';
import path from 'node:path';
import type { GivenSide, CompareResult } from '../../engine/compare/compare-recordings.ts';
import { isDoubtful } from '../../engine/compare/change-rules.ts';
import type { Confirmation } from '../../engine/compare/judge-functions.ts';
import { testFilesOfAll } from '../../engine/compare/tests-to-run.ts';
import { type ComparedFunction, type Comparison, isChange, isWorse } from '../../protocol/comparison.ts';
import {
  unclearFunction,
  comparisonSummary,
  comparisonMarkdown,
  changeText,
  comparedLabel,
  comparedPlace,
  requestTexts,
  untouchedText,
  verdictNames,
} from '../../words/formats/change-texts.ts';
import { hasGapOnOneSide, gapNotes, gapTexts, comparisonNotes } from '../../words/formats/comparison-notes.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { type WithoutCopies, withoutCopies } from '../../engine/read/recording-files/find-sources.ts';
import { copyTexts, sameOnBothSidesText, whereTooNoisy } from '../../words/given-recordings.ts';
import { pathRulesOf } from '../arguments/shared-options.ts';
import type { CompareArguments, ComparisonShown, ComparePairsArguments } from '../arguments/compare-arguments.ts';
import { compared } from '../../agents/compared.ts';
import { jsonText } from '../views/report-text.ts';
import type { Colors, Output, Terminal, Surroundings, Session } from '../views/terminal.ts';
import { plainText, refuse, showProgress, sayStopped } from '../views/terminal.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import { findingLines, wrap } from '../views/fit.ts';
import { shownPath } from '../views/shown-code.ts';
import { describeFailure, refusalText } from '../../words/failures.ts';
import { plural, withLine } from '../../words/formats/figures.ts';
import type { LoadPlan } from '../../recorder/launch/load/record-under-load.ts';
import { repositoryOf } from '../../recorder/launch/pairs/git.ts';
import type { PairsRun } from '../../recorder/launch/pairs/run-pairs.ts';
import { differenceFrom, sayUnchanged } from './is-unchanged.ts';
import { type Known, whatIsKnown } from './known-base.ts';
import { compareWithHead, ranOtherCode } from './outdated-runs.ts';
import { type BothSides, codeOfEnd, exitSentences, failsAlone, type PairedRuns, withPairs } from './paired-runs.ts';

/**
 * Compares recordings from before a change with others from after it. Gives the exit code: 0; 1: something is slower or
 * new; 2: they cannot be compared; 3: it is too noisy to say, a side has fewer than three recordings, or ran other code.
 */
export async function compareCommand({ options, terminal, surroundings }: Session<CompareArguments>): Promise<number> {
  const { out, err } = terminal;
  const { cwd: currentFolder } = surroundings;
  const given = async (paths: readonly string[]): Promise<WithoutCopies> =>
    withoutCopies(
      paths.map((one) => path.resolve(currentFolder, one)),
      diskWorld,
    );
  const [before, after] = [await given(options.base), await given(options.head)];
  const [onBoth] = (await withoutCopies([...before.kept, ...after.kept], diskWorld)).copies;
  if (onBoth !== undefined) return refuse(err, sameOnBothSidesText(onBoth));
  const [base, head] = [before.kept.length, after.kept.length];
  const result = await compareWithHead(sideOf(before), sideOf(after), {
    thresholdUs: options.thresholdUs,
    roots: [],
    currentFolder,
    pathRules: pathRulesOf(options.maps, currentFolder),
    order: 'blocks',
    confirm: confirmation(base, head),
    onRun: (done, total) => showProgress(err, `Reading recording ${done + 1} of ${total} …`),
  });
  showProgress(err, '');
  if (result.type === 'failed') return refuse(err, describeFailure(result.failure));
  if (result.type === 'refused') return refuse(err, refusalText(result.refusal));
  if (ranOtherCode(result, err)) return 3;
  const warned = withWarnings(result.comparison, options);
  const notes = [...copyTexts(before), ...copyTexts(after), ...blockNotes(Math.min(base, head), options)];
  const comparison = { ...warned, warnings: [...warned.warnings, ...notes] };
  out.write(printedComparison(comparison, options, out, currentFolder));
  return Math.min(base, head) < MIN_RUNS ? 3 : exitCodeOf(comparison);
}

function sideOf({ kept }: WithoutCopies): GivenSide {
  return { name: null, runs: kept.map((one) => [one]) };
}

/** With fewer recordings of a side, a change may be chance. */
const MIN_RUNS = 3;

/** With six runs a side, the last of them confirm what the first three show. */
function confirmation(base: number, head: number): Confirmation | null {
  return Math.min(base, head) >= 6 ? { from: 3, isNarrow: false } : null;
}

/** `runs`: of the side that has fewer. */
function blockNotes(runs: number, { format }: Pick<ComparisonShown, 'format'>): readonly string[] {
  const why = isJson(format) ? '' : ' That is why the exit code is 3.';
  const few =
    runs < MIN_RUNS
      ? [
          `At least three recordings of each side are needed to tell a change from chance, and one side has ${runs}: this says what is apart, without a verdict.${why}`,
        ]
      : [];
  return [
    ...few,
    'One side was recorded after the other, so a busier machine looks like slower code: a comparison with a commit (--base) or a baseline lets both take turns.',
  ];
}

export function printedComparison(
  comparison: Comparison,
  { format, all }: ComparisonShown,
  { colors, columns }: Pick<Terminal['out'], 'colors' | 'columns'>,
  currentFolder: string,
): string {
  if (format === 'json') return jsonText(comparison);
  if (format === 'brief') return jsonText(compared(comparison));
  if (format === 'markdown') return comparisonMarkdown(comparison);
  return comparisonTable(comparison, { colors, all, columns, currentFolder });
}

/**
 * 3: a function may take 1.5 × as long, but that is uncertain; the sides did not run alike; or the command failed and
 * nothing was seen.
 */
export function exitCodeOf(comparison: Comparison): 0 | 1 | 3 {
  const { functions, machine } = comparison;
  if (functions.some(isWorse)) return 1;
  const isUnclear = unclearFunction(comparison) !== null || hasDecidingGap(comparison);
  return machine.shifted || isUnclear ? 3 : 0;
}

/** Whether what is missing leaves no verdict: on one side alone, or where nothing was seen. */
function hasDecidingGap(comparison: Comparison): boolean {
  const sawNothing = comparison.functions.length === 0 && gapTexts(comparison).length > 0;
  return hasGapOnOneSide(comparison) || sawNothing;
}

function isJson(format: ComparisonShown['format']): boolean {
  return format === 'json' || format === 'brief';
}

/** Adds warnings about the runs, and which of them is why the exit code is 3. */
export function withWarnings(comparison: Comparison, { format }: Pick<ComparisonShown, 'format'>): Comparison {
  const isUnclear = exitCodeOf(comparison) === 3;
  const isGap = isUnclear && hasDecidingGap(comparison);
  const unclear = isUnclear && !isGap ? unclearFunction(comparison) : null;
  const label = unclear?.is?.label ?? unclear?.was?.label ?? null;
  const isText = !isJson(format);
  const why = isText ? ': that is why the exit code is 3' : '';
  const doubts = label === null ? [] : [`Nothing is certainly slower, but ${label} may be${why}.`];
  const gaps = gapNotes(comparison, isGap && isText);
  return { ...comparison, warnings: [...comparison.warnings, ...gaps, ...doubts] };
}

/** A comparison for people at a terminal: what changed first, then what did not. Ends with a line break. */
export function comparisonTable(
  comparison: Comparison,
  { colors, all, columns, currentFolder }: { colors: Colors; all: boolean; columns: number; currentFolder: string },
): string {
  const changed = comparison.functions.filter(isChange);
  const rows = (all ? comparison.functions : changed).map((fn) => {
    const note = untouchedText(fn);
    const place = plainText(placeFrom(currentFolder, fn));
    return { fn, place, text: figuresText(fn, comparison), note: note === '' ? '' : `  ${note}` };
  });
  const verdict = Math.max(0, maxOf(rows.map(({ fn }) => verdictNames[fn.verdict].length)));
  const figuresOf = ({ fn, text }: (typeof rows)[number]): string =>
    `${verdictNames[fn.verdict].padEnd(verdict)}  ${text}`;
  const width = Math.max(0, maxOf(rows.map((row) => figuresOf(row).length)));
  const lines = rows.flatMap((row) => {
    const name = verdictNames[row.fn.verdict];
    const figures = (text: string): string =>
      text.startsWith(name) ? `${colorOf(row.fn, colors)(name)}${text.slice(name.length)}` : text;
    return findingLines(
      { figures: figuresOf(row), label: labelOf(row.fn), place: row.place, note: row.note },
      width,
      columns,
      { figures, label: colors.bold, place: colors.cyan, note: colors.dim },
    );
  });
  const quiet = all ? [] : quietLines(comparison);
  return `${[
    lines,
    firstRequests(comparison).flatMap((text) => wrap(text, columns)),
    wrap(comparisonSummary(comparison), columns),
    quiet.flatMap((text) => wrap(text, columns)).map(colors.dim),
    comparisonNotes(comparison)
      .flatMap((note) => wrap(`! ${plainText(note)}`, columns))
      .map(colors.yellow),
  ]
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`;
}

/** Where a function is, as the table of hotspots shows it; in its repository where it is gone or has no file. */
export function placeFrom(currentFolder: string, fn: ComparedFunction): string {
  const file = fn.is === null ? null : filePathOf(fn.is.url);
  return fn.is === null || file === null ? comparedPlace(fn) : withLine(shownPath(file, currentFolder), fn.is.line);
}

/** A line for each request of a load, for people at a terminal. */
export function firstRequests(comparison: Comparison): readonly string[] {
  const all = requestTexts(comparison).map(plainText);
  const left = all.length - MAX_REQUESTS;
  return [...all.slice(0, MAX_REQUESTS), ...(left > 0 ? [`${plural(left, 'more request')} in --json`] : [])];
}

const MAX_REQUESTS = 8;

/** What happened to a function, without the words that its column of verdicts has already. */
function figuresText(fn: ComparedFunction, comparison: Comparison): string {
  const text = plainText(changeText(fn, comparison));
  const name = `${verdictNames[fn.verdict]} `;
  return text.startsWith(name) ? text.slice(name.length) : text;
}

function colorOf({ verdict }: ComparedFunction, colors: Colors): (text: string) => string {
  if (verdict === 'slower' || verdict === 'new' || verdict === 'moreOften') return colors.red;
  if (verdict === 'faster' || verdict === 'gone' || verdict === 'lessOften') return colors.green;
  return colors.dim;
}

function labelOf(fn: ComparedFunction): string {
  return plainText(comparedLabel(fn));
}

/** The functions of which nothing can be said, and those without a change, by name. */
function quietLines({ functions, order }: Comparison): readonly string[] {
  return (['tooNoisy', 'noChangeSeen'] as const).flatMap((verdict) => {
    const names = functions.filter((fn) => fn.verdict === verdict).map((fn) => plainText(comparedLabel(fn)));
    const shown = names.slice(0, MAX_NAMES).join(', ');
    const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more (--all)` : '';
    const next = verdict === 'tooNoisy' && order === 'interleaved' ? `. ${whereTooNoisy.compare}` : '';
    return names.length === 0 ? [] : [`${verdictNames[verdict]}: ${shown}${more}${next}`];
  });
}

const MAX_NAMES = 6;

/**
 * Runs a command on a commit and on the work tree, in turn, and compares them. Gives the exit code: as `compareCommand`,
 * and 3 if it was stopped before there was a verdict.
 */
export async function comparePairsCommand(session: Session<ComparePairsArguments>): Promise<number> {
  const { options, terminal, surroundings } = session;
  const { err } = terminal;
  const load = await loadOf(options, surroundings, err);
  if (load !== null && 'message' in load) return refuse(err, load.message);
  const known = await whatIsKnown(options, surroundings, load);
  if (known.type === 'failed') return refuse(err, known.message);
  const { base } = known;
  if (base === null) return refuse(err, withoutSources(options.baseline ?? ''));
  const repository = await repositoryOf(surroundings.cwd);
  if (repository.type === 'failed') return refuse(err, repository.message);
  // A preparation of the base may make another program of the same code.
  const difference = base.setup === null ? await differenceFrom(base, repository) : 'more';
  if (difference === 'nothing') return sayUnchanged(base.name, options, terminal.out);
  return withPairs(base, surroundings, err, async (pairs) =>
    measure({ ...session, pairs, known, baseName: base.name, isOnlyCode: difference === 'code' }),
  );
}

/** The load of the command line; null without one. */
async function loadOf(
  { load }: ComparePairsArguments,
  surroundings: Surroundings,
  { say }: Output,
): Promise<LoadPlan | Failure | null> {
  if (load === null) return null;
  const { planLoad } = await import('./load-plan.ts');
  return planLoad(load, surroundings, say, { mayListenAnywhere: true });
}

function withoutSources(baseline: string): string {
  return `The baseline "${baseline}" has no sources that could be run: give its recordings instead (hotspan compare BEFORE… --head AFTER…).`;
}

interface PairsSession extends Session<ComparePairsArguments> {
  readonly pairs: PairedRuns;
  readonly known: Known;
  readonly baseName: string;
  readonly isOnlyCode: boolean;
}

/** Runs the first pairs; if something seems to have changed, or may have, others to confirm it. */
async function measure(session: PairsSession): Promise<number> {
  const { pairs, options, isOnlyCode } = session;
  const { err } = session.terminal;
  const sides = pairs.bothOf(session.known);
  const first = await pairs.run(sides, { from: 1, count: options.pairs, noun: 'Pair' });
  const code = codeOfEnd(first, 0, pairs.out, err);
  if (code !== null) return code;
  for (const sentence of exitSentences(first, session.baseName)) err.say(sentence);
  const { thresholdUs } = options;
  const seen = await pairs.compare([first], { thresholdUs, confirm: null, isOnlyCode });
  if (seen.type !== 'compared') return notCompared(seen, err);
  if (ranOtherCode(seen, err)) return 3;
  const changed = seen.comparison.functions.filter(isChange);
  if (first.ended !== null) return print(seen.comparison, session, first.pairs.length);
  const doubtful = seen.comparison.functions.filter(isDoubtful);
  if (changed.length + doubtful.length === 0) return print(seen.comparison, session, null);
  return confirm(session, { sides, first, seen: seen.comparison, changed, doubtful, dropped: null });
}

interface FirstPairs {
  readonly sides: BothSides;
  readonly first: PairsRun;
  readonly seen: Comparison;
  readonly changed: readonly ComparedFunction[];
  readonly doubtful: readonly ComparedFunction[];
  /** The number of pairs whose test files failed, though the whole command does not; null where they were not run. */
  readonly dropped: number | null;
}

/**
 * Runs the pairs that confirm what seems to have changed, and more where something is in doubt: that is worth runs of some
 * test files, not of the whole command.
 */
async function confirm(session: PairsSession, given: FirstPairs): Promise<number> {
  const { sides, first, seen, changed, doubtful, dropped } = given;
  const { pairs, options, isOnlyCode } = session;
  const { err } = session.terminal;
  const testsOf = async (functions: readonly ComparedFunction[]): Promise<BothSides | null> =>
    dropped === null ? pairs.bothOfTests(testFilesOfAll(functions), session.known) : null;
  const ofAll = await testsOf([...changed, ...doubtful]);
  if (ofAll === null && changed.length === 0) return print(seen, session, null);
  const narrow = ofAll ?? (await testsOf(changed));
  const clearable = ofAll === null ? 0 : doubtful.length;
  const by = narrow === null ? '' : `, by ${plural(narrow.base.length, 'test file')}`;
  err.say(`${openText(changed.length, clearable)}${by} …`);
  const rule = { from: first.pairs.length, isNarrow: narrow !== null };
  const made = [first];
  let shown = seen;
  let count = clearable > 0 ? Math.max(options.pairs, PAIRS_FOR_DOUBT) : options.pairs;
  while (count > 0) {
    const before = made.flatMap((one) => one.pairs).length;
    const wanted = { from: before + (dropped ?? 0) + 1, count, noun: 'Confirming pair', whole: narrow && first };
    const next = await pairs.run(narrow ?? sides, wanted);
    if (narrow !== null && failsAlone(next, first, err))
      return confirm(session, { ...given, dropped: before + count - first.pairs.length });
    const code = codeOfEnd(next, before, pairs.out, err);
    if (code !== null) return code;
    if (next.ended !== null) return print(shown, session, before);
    made.push(next);
    const all = await pairs.compare(made, { thresholdUs: options.thresholdUs, confirm: rule, isOnlyCode });
    if (all.type !== 'compared') return notCompared(all, err);
    if (ranOtherCode(all, err)) return 3;
    shown = all.comparison;
    const isOpen = shown.functions.some(isDoubtful) || changesIn(shown) < changesIn(seen);
    count = isOpen && narrow !== null ? PAIRS_FOR_DOUBT - (before - first.pairs.length) - count : 0;
  }
  return print(shown, session, null);
}

function changesIn({ functions }: Comparison): number {
  return functions.filter((fn) => isChange(fn) && !fn.isTest).length;
}

/** With the first three these are eight, with which a function that varies by half can still be judged. */
const PAIRS_FOR_DOUBT = 5;

/** `1 change to confirm, 2 possible changes to make sure of` */
function openText(changed: number, doubtful: number): string {
  const sure = changed === 0 ? [] : [`${plural(changed, 'change')} to confirm`];
  const unsure = doubtful === 0 ? [] : [`${plural(doubtful, 'possible change')} to make sure of`];
  return [...sure, ...unsure].join(', ');
}

/** Says why there is no comparison. Gives the exit code: 3 if it was stopped while the recordings were read. */
export function notCompared(result: Exclude<CompareResult, { readonly type: 'compared' }>, err: Output): 2 | 3 {
  return result.type === 'failed' && result.failure.type === 'cancelled'
    ? sayStopped(err)
    : refuse(err, whyNot(result));
}

/** Why two runs cannot be compared. */
export function whyNot(result: Exclude<CompareResult, { readonly type: 'compared' }>): string {
  return result.type === 'failed' ? describeFailure(result.failure) : refusalText(result.refusal);
}

/** Prints a comparison. `cut`: the number of pairs after which it ended early, without confirmation; else null. */
function print(
  comparison: Comparison,
  { options, pairs, surroundings, terminal: { out } }: PairsSession,
  cut: number | null,
): number {
  const warning = `It was ended after ${plural(cut ?? 0, 'pair')}, before all changes were confirmed: run it again for a verdict. Its recordings are in ${pairs.out}.`;
  const warned = withWarnings(comparison, options);
  const shown = cut === null ? warned : { ...warned, warnings: [...warned.warnings, warning] };
  out.write(printedComparison(shown, options, out, surroundings.cwd));
  return cut === null ? exitCodeOf(shown) : 3;
}
