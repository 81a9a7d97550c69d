import type { FlameTree } from './frame-run.ts';

/**
 * Marks with 1 each frame that has a key and no caller, near or far, with the same one. Their times add up to the time
 * in frames of that key, each µs once. Keys are numbers below `keys`; −1 is none.
 */
export function outermostFrames(
  { size, parent }: FlameTree,
  keyOf: (frame: number) => number,
  keys: number,
): Uint8Array {
  const marks = new Uint8Array(size);
  const { first, next } = calleesOf({ size, parent });
  const above = new Int32Array(keys);
  let frame = 0;
  while (frame >= 0) {
    const key = keyOf(frame);
    if (key >= 0 && above[key] === 0) marks[frame] = 1;
    if (key >= 0) above[key] = (above[key] ?? 0) + 1;
    const callee = first[frame] ?? -1;
    frame = callee >= 0 ? callee : after(frame);
  }
  return marks;

  /** The frame after all that this one calls; −1 at the end. */
  function after(last: number): number {
    for (let left = last; left >= 0; left = parent[left] ?? -1) {
      const key = keyOf(left);
      if (key >= 0) above[key] = (above[key] ?? 0) - 1;
      if ((next[left] ?? -1) >= 0) return next[left] ?? -1;
    }
    return -1;
  }
}

interface Callees {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** A cache, not state: the lists follow from the tree, and go when the tree does. */
const calleesOfTrees = new WeakMap<Int32Array, Callees>();

/** The first frame that each one calls, and the next one with the same caller; −1 where there is none. */
export function calleesOf({ size, parent }: Pick<FlameTree, 'size' | 'parent'>): Callees {
  const known = calleesOfTrees.get(parent);
  if (known !== undefined) return known;
  const first = new Int32Array(size).fill(-1);
  const next = new Int32Array(size).fill(-1);
  for (let frame = size - 1; frame > 0; frame -= 1) {
    const above = parent[frame] ?? 0;
    next[frame] = first[above] ?? -1;
    first[above] = frame;
  }
  const callees = { first, next };
  calleesOfTrees.set(parent, callees);
  return callees;
}
