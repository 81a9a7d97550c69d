import path from 'node:path';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import type { Construct, Constructs, Place } from './constructs.ts';
import type { GroupRun, MarkedLine } from './run-group.ts';

/**
 * `right`: the slow line, as certain. `honest`: a guess with the slow line among the marked ones. `whole`: the function's
 * first line, said to stand for all of it. `missed`: a guess that leaves the slow line out. `wrong`: another line as
 * certain. `lost`: no line.
 */
export type Verdict = 'right' | 'honest' | 'whole' | 'missed' | 'wrong' | 'lost';
export const verdicts: readonly Verdict[] = ['right', 'honest', 'whole', 'missed', 'wrong', 'lost'];

export interface Judged {
  readonly construct: Construct;
  /** In µs. */
  readonly truth: number;
  readonly verdict: Verdict;
  /** Time of the truth, in µs, on lines that are right or honest. */
  readonly told: number;
  /** The marks in the lines of the construct, longest first. */
  readonly marks: readonly Mark[];
}

export interface Mark extends Place, Pick<MarkedLine, 'worst' | 'precision' | 'reason'> {
  readonly isHot: boolean;
}

/**
 * Judges what is said of each construct that a group has run; those that were too short for a mark to be due are left
 * out. Throws where one did not run.
 */
export function judgeGroup(
  chosen: readonly Construct[],
  { ownerOf }: Constructs,
  { truth, lines }: GroupRun,
  folder: string,
): readonly Judged[] {
  const marks = lines.flatMap((line) => {
    const file = path.relative(folder, filePathOf(line.url) ?? '').replaceAll('\\', '/');
    const owner = ownerOf({ file, line: line.line });
    return owner === undefined ? [] : [{ file, owner, ...line }];
  });
  return chosen.flatMap((construct) => {
    const held = truth.get(construct.name);
    if (held === undefined) throw new Error(`${construct.name} was not run: ${construct.group} has to export it.`);
    if (held < leastTruthUs) return [];
    const own = marks.filter(({ owner }) => owner === construct.name);
    return judge(
      construct,
      held,
      own.map((mark) => ({ ...mark, isHot: isHot(mark, construct) })),
    );
  });
}

/** Twice the threshold of a mark. */
const leastTruthUs = 20_000;

function isHot({ file, line }: Place, { hot }: Construct): boolean {
  return hot.some((place) => place.file === file && place.line === line);
}

function judge(construct: Construct, truth: number, marks: readonly Mark[]): Judged {
  const certain = sumOf(marks.filter((mark) => mark.isHot && mark.precision === 'exact'));
  const guessed = sumOf(marks.filter((mark) => mark.isHot && mark.precision !== 'exact'));
  const whole = sumOf(marks.filter(isWholeFunction));
  const isWrong = marks.some(
    (mark) => !mark.isHot && mark.precision === 'exact' && mark.worst > Math.max(mostWrongUs, truth * mostWrongShare),
  );
  const isMost = (us: number): boolean => us >= truth / 2;
  const verdict = verdictOf();
  const found = certain + guessed + whole;
  return { construct, truth, verdict, told: found >= truth * nearlyAll ? truth : found, marks };

  function verdictOf(): Verdict {
    if (isWrong) return 'wrong';
    if (isMost(certain)) return 'right';
    if (isMost(certain + guessed)) return 'honest';
    if (isMost(whole)) return 'whole';
    return marks.length > 0 ? 'missed' : 'lost';
  }
}

/** What may stand on another line as certain: a few samples. */
const mostWrongUs = 3000;
const mostWrongShare = 0.05;
/** So much of the time, and the rest is that of the lines around it, of compiling and of the sampler's steps. */
const nearlyAll = 0.9;

function isWholeFunction({ reason, isHot: hot }: Mark): boolean {
  return !hot && reason?.type === 'wholeFunction';
}

function sumOf(marks: readonly Mark[]): number {
  return marks.reduce((sum, { worst }) => sum + worst, 0);
}
