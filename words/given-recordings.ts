import type { Analysis, Several } from '../engine/analysis.ts';
import type { Taken } from '../engine/compare/runs/analyze-several.ts';
import type { WithoutCopies } from '../engine/read/recording-files/find-sources.ts';
import type { OtherText } from '../engine/compare/runs/find-again.ts';
import { describeFailure } from './failures.ts';
import { plural } from './formats/figures.ts';
import { warningText } from './warnings/warning-text.ts';
import { shellText } from './formats/command-text.ts';

/** How several recordings were combined, and the option for the opposite; null for one. */
export function takenForText(several: Several): string | null {
  const { paths } = several;
  return paths.length < 2 ? null : `${countedText(paths.length, several)}${middleText(several)}`;
}

/** The same for the editor, which has no options; empty for one recording. */
export function givenTexts(several: Several | undefined): readonly string[] {
  if (several === undefined || several.paths.length < 2) return [];
  return [`${reasonText(several.paths.length, several)}.${middleText(several)}`];
}

function middleText({ paths, middle }: Several): string {
  const path = middle === null ? null : (paths[middle] ?? null);
  return path === null
    ? ''
    : ` Figures are medians, with the range of the runs; operations, flamegraph, event loop and routes are of ${path}.`;
}

/** `5 recordings are runs of one thing: the command and the test files are the same (--shards counts them together).` */
export function countedText(count: number, taken: Taken): string {
  const otherwise = taken.takenFor === 'runs' ? '--shards counts them together' : '--runs shows them as runs';
  return `${reasonText(count, taken)} (${otherwise}).`;
}

/** Why a budget cannot be of these recordings, and what can be done; null where it can. */
export function notOneBudgetText(count: number, { why }: Taken): string | null {
  if (why !== 'otherCommand' && why !== 'otherFolder') return null;
  const reason = shardReasons[why].replace(/^they /, '');
  return `${count} recordings ${reason}, and a budget is of one: give those of one, or say what they are (--shards counts them together, --runs shows them as runs). No budget was written.`;
}

function reasonText(count: number, { takenFor, why }: Taken): string {
  return takenFor === 'runs'
    ? `${count} recordings are runs of one thing: ${runReasons[why]}`
    : `${count} recordings count together: ${shardReasons[why]}`;
}

const shardReasons = {
  asked: 'as you said',
  sameTests: 'they are of the same tests',
  sameCommand: 'they are of the same command',
  shardOptions: 'their commands ran different shards',
  otherCommand: 'they are of different commands',
  otherFolder: 'they ran in different folders',
  otherTests: 'they reached different test files',
  unknown: 'whether they are runs of one thing is not known',
} as const satisfies Record<Several['why'], string>;

const runReasons = {
  ...shardReasons,
  sameTests: 'the command and the test files are the same',
  sameCommand: 'the command is the same',
  unknown: 'nothing shows that they are parts of one',
} as const satisfies Record<Several['why'], string>;

export function copyTexts({ copies }: Pick<WithoutCopies, 'copies'>): readonly string[] {
  return copies.map(({ path, of }) =>
    path === of
      ? `${path} was given twice and counts once.`
      : `${path} is the same recording as ${of}, and counts once.`,
  );
}

/** About runs that could not be read. `left`: the number of the others. */
export function leftOutTexts(leftOut: Several['leftOut'], left: number): readonly string[] {
  const rest = `so there ${left === 1 ? 'is' : 'are'} ${plural(left, 'run')}`;
  return leftOut.map(({ path, failure }) => `${path} is left out, ${rest}: ${describeFailure(failure)}`);
}

export function warningTexts({ several, warnings }: Pick<Analysis, 'several' | 'warnings'>): readonly string[] {
  const given =
    several === undefined ? [] : [...copyTexts(several), ...leftOutTexts(several.leftOut, several.paths.length)];
  return [...given, ...warnings.map(warningText)];
}

/** If recordings look like runs, but ran different code. */
export function otherCodeText(differing: OtherText): string {
  return `${noRunsText(differing)}; --runs shows them as runs all the same, and --shards counts them together.`;
}

/** The same without the options, and without a full stop. */
export function noRunsText({ file, first, other }: OtherText): string {
  return `${first} and ${other} ran different code: ${file} differs. "hotspan compare ${shellText([first])} --head ${shellText([other])}" says what changed`;
}

/** If the recordings of one side of a comparison ran different code. */
export function mixedCodeTexts([file]: readonly string[]): readonly string[] {
  return file === undefined
    ? []
    : [
        `The runs of one side ran different code (${file} differs), so there is no verdict: measure one version on each side.`,
      ];
}

/** If a recording is on both sides of a comparison. */
export function sameOnBothSidesText({ path, of }: WithoutCopies['copies'][number]): string {
  const which =
    path === of ? `${path} is on both sides` : `${path} and ${of} are the same recording, and on both sides`;
  return `${which}: give recordings from before the change, and after --head others from after it.`;
}

/** What to do where pairs of runs were too noisy; for `compare`, and for `recheck`, which chooses their number. */
export const whereTooNoisy = {
  compare: 'More pairs (--pairs N) or a quieter machine may say more.',
  recheck: 'Run it again on a quieter machine, or compare more pairs of runs: "hotspan compare --base REF --pairs 20".',
} as const;
