import { frameMatcher } from '../../protocol/flame.ts';
import type { FlamePicture } from './flame-picture.ts';
import { framesBelow } from './flame-view.ts';
import { factsOf } from './frame-facts.ts';

/** Counts the frames with any time that match at and below the zoomed one; a match below a match adds no time. */
export function searchIn(
  { analysis, view, zoomed }: FlamePicture,
  pattern: string,
): { readonly matches: number; readonly matchedUs: number } {
  const { tree, total } = view;
  const matches = frameMatcher(pattern);
  const known = new Map<number, boolean>();
  const isBelow = framesBelow(tree, zoomed);
  const isCounted = new Uint8Array(tree.size);
  let count = 0;
  let time = 0;
  for (let frame = Math.max(1, zoomed); frame < tree.size; frame += 1) {
    if (isBelow[frame] !== 1 || (total[frame] ?? 0) === 0) continue;
    const kind = kindOf(frame);
    const isMatch = known.get(kind) ?? matches(factsOf(frame, tree, analysis));
    known.set(kind, isMatch);
    const isUnderMatch = frame !== zoomed && isCounted[tree.parent[frame] ?? 0] === 1;
    if (isMatch) count += 1;
    if (isMatch && !isUnderMatch) time += total[frame] ?? 0;
    isCounted[frame] = isMatch || isUnderMatch ? 1 : 0;
  }
  return { matches: count, matchedUs: time };

  /** Frames of one function, or of one category without function, say the same. */
  function kindOf(frame: number): number {
    const functionId = tree.functionId[frame] ?? -1;
    return functionId >= 0 ? functionId : -1 - (tree.category[frame] ?? 0);
  }
}
