import type { JudgedRun } from './judged-run.ts';
import { isBackground } from '../samples/sample-stream.ts';
import type { OwnPart } from '../function-figures/own-part.ts';

/**
 * A culprit's largest own part, of equal ones the first in time; null for what is no culprit. On event loops that somebody
 * waits on; of a culprit of background threads alone, in those: that of its figure.
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
