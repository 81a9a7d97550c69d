/** Where the outermost frames of one stack stand in another one. */
export interface Overlap {
  /** Number of frames. */
  readonly length: number;
  /** Number of the other stack's frames down to the last of them, that one included. */
  readonly end: number;
}

/**
 * The longest beginning of `frames` that stands somewhere in `neighbour`, of equals the outermost; both are function
 * ids, outermost first. Linear in both (Knuth, Morris, Pratt).
 */
export function longestOverlap(frames: Int32Array, borders: Int32Array, neighbour: Int32Array): Overlap {
  let matched = 0;
  let longest = { length: 0, end: 0 };
  for (const [at, fn] of neighbour.entries()) {
    matched = step(frames, borders, matched, fn);
    if (matched > longest.length) longest = { length: matched, end: at + 1 };
  }
  return longest;
}

/** By number of frames less 1: how many of the first frames are, shorter than these, also their last ones. */
export function bordersOf(frames: Int32Array): Int32Array {
  const borders = new Int32Array(frames.length);
  for (let at = 1; at < frames.length; at++) {
    borders[at] = step(frames, borders, borders[at - 1] ?? 0, frames[at] ?? -1);
  }
  return borders;
}

/** How many of the first frames end with `fn`, where `matched` of them ended one frame earlier. */
function step(frames: Int32Array, borders: Int32Array, matched: number, fn: number): number {
  let length = matched;
  while (length > 0 && frames[length] !== fn) length = borders[length - 1] ?? 0;
  return frames[length] === fn ? length + 1 : 0;
}
