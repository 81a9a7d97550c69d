import path from 'node:path';
import { compareRecordings, type GivenSide } from '../../engine/compare/compare-recordings.ts';
import type { Confirmation } from '../../engine/compare/judge-functions.ts';
import type { ChangeVerdict, ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import { failsOnOneSide, failureTexts, unclearFunction } from '../../words/formats/comparison-texts.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { type WithoutCopies, withoutCopies } from '../../engine/read/recording-files/find-sources.ts';
import { describeFailure, refusalText } from '../../words/failures.ts';
import { copyTexts, mixedCodeTexts, sameOnBothSidesText } from '../../words/given-recordings.ts';
import { pathRulesOf } from '../arguments/path-maps.ts';
import type { CompareArguments, ComparisonShown } from '../arguments/compare-arguments.ts';
import { comparisonMarkdown } from '../../words/formats/comparison-markdown.ts';
import { comparisonTable } from '../views/comparison-views.ts';
import { jsonText } from '../views/report-text.ts';
import { showProgress, type Terminal, plainText } from '../views/terminal.ts';

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
