import type { ComparedSide, Comparison } from '../../protocol/comparison.ts';
import { plural, ratioText } from './figures.ts';
import { shellText } from './command-text.ts';

/** What a comparison says of its sides, and of what makes it uncertain. */

/** `main (3 runs) → your work tree (3 runs), in turn`. */
export function sidesText({ base, head, order }: Pick<Comparison, 'base' | 'head' | 'order'>): string {
  const sideText = ({ name, runs }: Comparison['base'], without: string): string =>
    `${name ?? without}${runs.length === 0 ? '' : ` (${plural(runs.length, 'run')})`}`;
  const how = order === 'interleaved' ? ', in turn' : ', one after the other';
  return `${sideText(base, 'before')} → ${sideText(head, 'now')}${base.runs.length === 0 ? '' : how}`;
}

export function comparisonNotes({ machine, warnings }: Pick<Comparison, 'machine' | 'warnings'>): readonly string[] {
  const changed = machineText(machine);
  return [...(changed === null ? [] : [changed]), ...warnings];
}

/** If functions with unchanged code take another time; which of the two reasons it has is unknown. */
export function machineText({ shifted, flagged, of, medianRatio }: Comparison['machine']): string | null {
  if (!shifted) return null;
  if (flagged > 0)
    return `${flagged} of ${plural(of, 'function')} with unchanged code are faster or slower, too: ${reasons}`;
  return `Functions with unchanged code take ${ratioText(medianRatio ?? 1)} the time now: ${reasons}`;
}

const reasons =
  'the machine was busier for one side, or they are called for other work. Only larger changes than theirs count.';

/** Sentences about sides of which something is missing: the command failed, was not all recorded, or lacks samples. */
export function gapTexts({ base, head }: Pick<Comparison, 'base' | 'head'>): readonly string[] {
  return [base, head].flatMap(({ name, runs }, side) => {
    const where = name ?? (side === 0 ? 'the base' : 'the head');
    const count = (some: ComparedSide['runs']): string => `${some.length} of ${plural(runs.length, 'run')}`;
    const [failed, lossy] = [runs.filter(hasFailed), runs.filter(isLossy)];
    const [lost] = lossy;
    return [
      ...(failed.length === 0
        ? []
        : [`The command failed on ${where} in ${count(failed)}: what did not run there has no figures.`]),
      ...(lost === undefined
        ? []
        : [
            `Figures may be missing on ${where} in ${count(lossy)}: "hotspan analyze ${shellText([lost.path])}" says why.`,
          ]),
    ];
  });
}

/** These as notes; `isWhy`: they are why the exit code is 3. */
export function gapNotes(sides: Pick<Comparison, 'base' | 'head'>, isWhy: boolean): readonly string[] {
  const texts = gapTexts(sides);
  return isWhy ? [[...texts, 'That is why the exit code is 3.'].join(' ')] : texts;
}

/** Whether one side alone lacks what the other may have: a run of it failed, or not all was recorded in each. */
export function hasGapOnOneSide({ base, head }: Pick<Comparison, 'base' | 'head'>): boolean {
  const [before, now] = [base, head].map(
    ({ runs }) => runs.some(hasFailed) || (runs.length > 0 && runs.every(isLossy)),
  );
  return before !== now;
}

function hasFailed({ exitCode }: ComparedSide['runs'][number]): boolean {
  return exitCode !== null && exitCode !== 0;
}

export function isLossy({ isIncomplete }: ComparedSide['runs'][number]): boolean {
  return isIncomplete === true;
}
