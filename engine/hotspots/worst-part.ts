import type { JudgedRun } from './judged-run.ts';
import { isBackground } from '../samples/sample-stream.ts';
import type { OwnPart } from '../function-figures/own-part.ts';

/**
 * The largest own part of a culprit, of equal ones the first in time; null for a function that is no culprit. It counts
 * event loops that somebody waits for, or background threads, where the culprit is only in those: it is the part of the
 * figure.
 */
export function worstPart(
  { ownParts, operations, streams, figures }: Pick<JudgedRun, 'ownParts' | 'operations' | 'streams' | 'figures'>,
  functionId: number,
): OwnPart | null {
  const isGrey = (figures[functionId]?.culprit ?? null) === null;
  const parts = ownParts.filter(
    (part) =>
      part.functionId === functionId && isBackground(streams[operations[part.operation]?.stream ?? -1]) === isGrey,
  );
  return parts.reduce<OwnPart | null>((worst, part) => (part.weight > (worst?.weight ?? 0) ? part : worst), null);
}
