import { metaNodes } from '../samples/call-tree.ts';
import type { GrowingTree } from './growing-tree.ts';
import { type Overlap, bordersOf, longestOverlap } from './longest-overlap.ts';

/** No neighbour, or nothing that says where a stack belongs. */
export const noPlace = -1;

/** So many frames in a row are no coincidence. */
const enoughFrames = 8;

/** Finds the node where a stack belongs among its neighbours, making it where there is none yet. */
export interface Grafter {
  /** Of a truncated stack. */
  readonly graft: (node: number, before: number, after: number) => number;
  /** Of one frame: below what both neighbours share, where that is much or `callers` has the outermost function of it. */
  readonly graftLone: (node: number, before: number, after: number, callers: ReadonlySet<number>) => number;
}

export function createGrafter(tree: GrowingTree): Grafter {
  const functionsOf = (path: Int32Array): Int32Array => path.map(tree.functionOf);
  const graftLone: Grafter['graftLone'] = (node, before, after, callers) => {
    if (before === noPlace) return noPlace;
    const path = tree.pathOf(before);
    const length = commonLength(path, tree.pathOf(after));
    const [outermost = noPlace, innermost = noPlace] = [path[0], path[length - 1]];
    const isKnown = length >= enoughFrames || callers.has(tree.functionOf(outermost));
    if (innermost === noPlace || !isKnown) return noPlace;
    const fn = tree.functionOf(node);
    return tree.functionOf(innermost) === fn ? innermost : tree.child(innermost, fn);
  };
  const graft: Grafter['graft'] = (node, before, after) => {
    const frames = functionsOf(tree.pathOf(node));
    const borders = bordersOf(frames);
    const overlapWith = (path: Int32Array): Overlap => longestOverlap(frames, borders, functionsOf(path));
    const pathBefore = tree.pathOf(before);
    const overlapBefore = overlapWith(pathBefore);
    if (overlapBefore.length >= enoughFrames) return continued(pathBefore, overlapBefore, frames, tree);
    const pathAfter = tree.pathOf(after);
    const overlapAfter = overlapWith(pathAfter);
    if (overlapAfter.length > overlapBefore.length) return continued(pathAfter, overlapAfter, frames, tree);
    if (overlapBefore.length > 0) return continued(pathBefore, overlapBefore, frames, tree);
    return continued(pathBefore, { length: 0, end: commonLength(pathBefore, pathAfter) }, frames, tree);
  };
  return { graft, graftLone };
}

/** The path down to the overlap's end, with the frames that come after the overlap. */
function continued(path: Int32Array, { length, end }: Overlap, frames: Int32Array, tree: GrowingTree): number {
  if (end === 0) return noPlace;
  return frames.subarray(length).reduce(tree.child, path[end - 1] ?? metaNodes.root);
}

/** Number of outer frames that two paths share; as nodes are merged by functions, those are the same nodes. */
function commonLength(a: Int32Array, b: Int32Array): number {
  const differs = a.findIndex((node, at) => node !== b[at]);
  return differs === -1 ? a.length : differs;
}
