import path from 'node:path';
import { compareRecordings, type GivenSide } from '../../engine/compare/compare-recordings.ts';
import type { Confirmation } from '../../engine/compare/judge-functions.ts';
import type { ChangeVerdict, ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import { failsOnOneSide, failureTexts, unclearFunction } from '../../words/formats/change-texts.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { describeFailure, refusalText } from '../../words/failures.ts';
import type { CompareArguments, ComparisonShown } from '../arguments/compare-arguments.ts';
import { comparisonMarkdown, comparisonTable } from '../views/comparison-views.ts';
import { jsonText } from '../views/report-text.ts';
import { showProgress, type Terminal, plainText } from '../views/terminal.ts';

/**
 * Compares recordings from before a change with others from after it. Gives the exit code: 0; 1 where something is
 * slower or new; 2 where they cannot be compared; 3 where it is too noisy to say.
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
  const side = (paths: readonly string[]): GivenSide => {
    return { name: null, runs: paths.map((one) => [path.resolve(currentFolder, one)]) };
  };
  const result = await compareRecordings(side(options.base), side(options.head), diskWorld, {
    thresholdUs: options.thresholdUs,
    roots: [],
    currentFolder,
    order: 'blocks',
    confirm: confirmation(options.base.length, options.head.length),
    onRun: (done, total) => showProgress(err, `Reading recording ${done + 1} of ${total} …`),
  });
  showProgress(err, '');
  if (result.type === 'failed') return complain(describeFailure(result.failure));
  if (result.type === 'refused') return complain(refusalText(result.refusal));
  const told = withWarnings(result.comparison);
  const comparison = { ...told, warnings: [...told.warnings, ...blockNotes(options)] };
  out.write(printedComparison(comparison, options, out));
  return exitCodeOf(comparison);
}

/** With six runs a side, the last of them confirm what the first three show. */
function confirmation(base: number, head: number): Confirmation | null {
  return Math.min(base, head) >= 6 ? { from: 3, isNarrow: false } : null;
}

function blockNotes({ base, head }: CompareArguments): readonly string[] {
  const runs = Math.min(base.length, head.length);
  const few =
    runs < 3
      ? ['At least three recordings of each side are needed to tell a change from chance: this says what is apart.']
      : [];
  return [
    ...few,
    'One side was recorded after the other, so a busier machine looks like slower code: "hotspan compare --base REF -- COMMAND" lets both take turns.',
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

/** 3 where a function may have become 1.5 × as slow and nobody can say, or a side did not run as the other did. */
export function exitCodeOf(comparison: Comparison): 0 | 1 | 3 {
  const { functions, machine } = comparison;
  const isWorse = ({ verdict, isTest }: ComparedFunction): boolean => !isTest && worse.has(verdict);
  if (functions.some(isWorse)) return 1;
  return machine.shifted || unclearFunction(comparison) !== null || failsOnOneSide(comparison) ? 3 : 0;
}

const worse: ReadonlySet<ChangeVerdict> = new Set<ChangeVerdict>(['slower', 'new', 'moreOften']);

/** The comparison with what a person has to know of its runs. */
export function withWarnings(comparison: Comparison): Comparison {
  const unclear = exitCodeOf(comparison) === 3 ? unclearFunction(comparison) : null;
  const label = unclear?.is?.label ?? unclear?.was?.label ?? null;
  const doubts =
    label === null ? [] : [`Nothing is certainly slower, but ${label} may be: that is why the exit code is 3.`];
  return { ...comparison, warnings: [...comparison.warnings, ...failureTexts(comparison), ...doubts] };
}
