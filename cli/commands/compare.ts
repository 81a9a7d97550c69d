import path from 'node:path';
import { compareRecordings, type GivenSide } from '../../engine/compare/compare-recordings.ts';
import type { Confirmation } from '../../engine/compare/judge-functions.ts';
import type { ChangeVerdict, ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import {
  failsOnOneSide,
  failureTexts,
  unclearFunction,
  comparisonNotes,
  comparisonSummary,
} from '../../words/formats/comparison-texts.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { type WithoutCopies, withoutCopies } from '../../engine/read/recording-files/without-copies.ts';
import { describeFailure, refusalText } from '../../words/failures.ts';
import { copyTexts, mixedCodeTexts, sameOnBothSidesText } from '../../words/given-recordings.ts';
import { pathRulesOf } from '../arguments/shared-options.ts';
import type { CompareArguments, ComparisonShown } from '../arguments/compare-arguments.ts';
import { comparisonMarkdown } from '../../words/formats/comparison-markdown.ts';
import { jsonText } from '../views/report-text.ts';
import { showProgress, type Terminal, plainText, type Colors } from '../views/terminal.ts';
import {
  changeText,
  comparedLabel,
  comparedPlace,
  isChange,
  untouchedText,
  verdictNames,
} from '../../words/formats/change-texts.ts';
import { findingLines, wrap } from '../views/fit.ts';

/**
 * Compares recordings from before a change with others from after it. Gives the exit code: 0; 1 where something is
 * slower or new; 2 where they cannot be compared; 3 where it is too noisy to say, or a side has fewer than three recordings.
 */
export async function compareCommand(
  options: CompareArguments,
  { out, err }: Terminal,
  currentFolder: string,
): Promise<number> {
  const complain = (sentence: string): number => {
    err.write(`hotspan: ${plainText(sentence)}\n`);
    return 2;
  };
  const given = async (paths: readonly string[]): Promise<WithoutCopies> =>
    withoutCopies(
      paths.map((one) => path.resolve(currentFolder, one)),
      diskWorld,
    );
  const [before, after] = [await given(options.base), await given(options.head)];
  const [onBoth] = (await withoutCopies([...before.kept, ...after.kept], diskWorld)).copies;
  if (onBoth !== undefined) return complain(sameOnBothSidesText(onBoth));
  const [base, head] = [before.kept.length, after.kept.length];
  const result = await compareRecordings(sideOf(before), sideOf(after), diskWorld, {
    thresholdUs: options.thresholdUs,
    roots: [],
    currentFolder,
    pathRules: pathRulesOf(options.maps, currentFolder),
    order: 'blocks',
    confirm: confirmation(base, head),
    onRun: (done, total) => showProgress(err, `Reading recording ${done + 1} of ${total} …`),
  });
  showProgress(err, '');
  if (result.type === 'failed') return complain(describeFailure(result.failure));
  if (result.type === 'refused') return complain(refusalText(result.refusal));
  const told = withWarnings(result.comparison, options);
  const mixed = mixedCodeTexts(result.mixedFiles);
  const notes = [...copyTexts(before), ...copyTexts(after), ...mixed, ...blockNotes(Math.min(base, head), options)];
  const comparison = { ...told, warnings: [...told.warnings, ...notes] };
  out.write(printedComparison(comparison, options, out));
  return Math.min(base, head) < leastRuns || mixed.length > 0 ? 3 : exitCodeOf(comparison);
}

function sideOf({ kept }: WithoutCopies): GivenSide {
  return { name: null, runs: kept.map((one) => [one]) };
}

/** With fewer recordings of a side, nothing tells a change from chance. */
const leastRuns = 3;

/** With six runs a side, the last of them confirm what the first three show. */
function confirmation(base: number, head: number): Confirmation | null {
  return Math.min(base, head) >= 6 ? { from: 3, isNarrow: false } : null;
}

/** `runs`: of the side that has fewer. */
function blockNotes(runs: number, { format }: Pick<ComparisonShown, 'format'>): readonly string[] {
  const why = format === 'json' ? '' : ' That is why the exit code is 3.';
  const few =
    runs < leastRuns
      ? [
          `At least three recordings of each side are needed to tell a change from chance, and one side has ${runs}: this says what is apart, and is no verdict.${why}`,
        ]
      : [];
  return [
    ...few,
    'One side was recorded after the other, so a busier machine looks like slower code: a comparison with a commit (--base) or a baseline lets both take turns.',
  ];
}

/** A comparison as the options want it. */
export function printedComparison(
  comparison: Comparison,
  { format, all }: ComparisonShown,
  { colors, columns }: Pick<Terminal['out'], 'colors' | 'columns'>,
): string {
  if (format === 'json') return jsonText(comparison);
  return format === 'markdown' ? comparisonMarkdown(comparison) : comparisonTable(comparison, { colors, all, columns });
}

/**
 * 3 where a function may have become 1.5 × as slow and nobody can say, a side did not run as the other did, or the
 * command failed and nothing was seen.
 */
export function exitCodeOf(comparison: Comparison): 0 | 1 | 3 {
  const { functions, machine } = comparison;
  const isWorse = ({ verdict, isTest }: ComparedFunction): boolean => !isTest && worse.has(verdict);
  if (functions.some(isWorse)) return 1;
  const sawNothing = functions.length === 0 && failureTexts(comparison).length > 0;
  const isUnclear = unclearFunction(comparison) !== null || failsOnOneSide(comparison) || sawNothing;
  return machine.shifted || isUnclear ? 3 : 0;
}

const worse: ReadonlySet<ChangeVerdict> = new Set<ChangeVerdict>(['slower', 'new', 'moreOften']);

/** The comparison with what a person has to know of its runs. Who reads JSON does not see the exit code. */
export function withWarnings(comparison: Comparison, { format }: Pick<ComparisonShown, 'format'>): Comparison {
  const unclear = exitCodeOf(comparison) === 3 ? unclearFunction(comparison) : null;
  const label = unclear?.is?.label ?? unclear?.was?.label ?? null;
  const why = format === 'json' ? '' : ': that is why the exit code is 3';
  const doubts = label === null ? [] : [`Nothing is certainly slower, but ${label} may be${why}.`];
  return { ...comparison, warnings: [...comparison.warnings, ...failureTexts(comparison), ...doubts] };
}

/** A comparison for people at a terminal: what changed first, then what did not. Ends with a line break. */
export function comparisonTable(
  comparison: Comparison,
  { colors, all, columns }: { colors: Colors; all: boolean; columns: number },
): string {
  const changed = comparison.functions.filter(isChange);
  const rows = (all ? comparison.functions : changed).map((fn) => {
    const note = untouchedText(fn);
    return { fn, text: figuresText(fn, comparison), note: note === '' ? '' : `  ${note}` };
  });
  const verdict = Math.max(0, ...rows.map(({ fn }) => verdictNames[fn.verdict].length));
  const figuresOf = ({ fn, text }: (typeof rows)[number]): string =>
    `${verdictNames[fn.verdict].padEnd(verdict)}  ${text}`;
  const width = Math.max(0, ...rows.map((row) => figuresOf(row).length));
  const lines = rows.flatMap((row) => {
    const name = verdictNames[row.fn.verdict];
    const figures = (text: string): string =>
      text.startsWith(name) ? `${colorOf(row.fn, colors)(name)}${text.slice(name.length)}` : text;
    return findingLines(
      { figures: figuresOf(row), label: labelOf(row.fn), place: plainText(comparedPlace(row.fn)), note: row.note },
      width,
      columns,
      { figures, label: colors.bold, place: colors.cyan, note: colors.dim },
    );
  });
  const quiet = all ? [] : quietLines(comparison);
  return `${[
    lines,
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
function quietLines({ functions }: Comparison): readonly string[] {
  return (['tooNoisy', 'noChangeSeen'] as const).flatMap((verdict) => {
    const names = functions.filter((fn) => fn.verdict === verdict).map((fn) => plainText(comparedLabel(fn)));
    const shown = names.slice(0, mostNamed).join(', ');
    const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more (--all)` : '';
    return names.length === 0 ? [] : [`${verdictNames[verdict]}: ${shown}${more}`];
  });
}

const mostNamed = 6;
