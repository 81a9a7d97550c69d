import type { Analysis } from '../analysis.ts';
import type { OwnPart } from './own-part.ts';

/** A culprit's largest own part, of equal ones the first in time; null for what is no culprit. */
export function worstPart({ ownParts }: Pick<Analysis, 'ownParts'>, functionId: number): OwnPart | null {
  const parts = ownParts.filter((part) => part.functionId === functionId);
  return parts.reduce<OwnPart | null>((worst, part) => (part.weight > (worst?.weight ?? 0) ? part : worst), null);
}
