/** What one cause takes of some operations: numbers of operations, ascending, and its part of each in µs. */
export interface CoverPart {
  readonly operations: readonly number[];
  readonly us: readonly number[];
  /** The part of `us` that its largest function has: a change reaches one function at a time. */
  readonly core: readonly number[];
}

/** A cause in the order of the cover, with the excess that it removes, in µs. */
export interface Covered<Cause> {
  readonly cause: Cause;
  readonly removes: number;
  /** What all of its functions explain together: nothing of it is left for others. */
  readonly explains: number;
}

/**
 * Orders causes by what would go away with them: the one that removes most excess comes first, its part is taken away,
 * and so on (a greedy set cover). Equal ones keep the given order. `excess` is in µs by operation; what the causes remove
 * is taken off it. A gain never grows when other causes go, so only the best bound is computed in each step.
 */
export function coverExcess<Cause extends CoverPart>(
  causes: readonly Cause[],
  excess: Float64Array,
): readonly Covered<Cause>[] {
  const left = excess;
  const bounds = Float64Array.from(causes, (cause) => gainOf(cause, left, cause.core));
  const isFresh = new Uint8Array(causes.length).fill(1);
  const order: Covered<Cause>[] = [];
  while (order.length < causes.length) {
    const best = largest(bounds);
    const cause = causes[best];
    if (cause === undefined) break;
    if (isFresh[best] === 0) {
      bounds[best] = gainOf(cause, left, cause.core);
      isFresh[best] = 1;
      continue;
    }
    const removes = bounds[best] ?? 0;
    order.push({ cause, removes, explains: gainOf(cause, left, cause.us) });
    bounds[best] = taken;
    if (removes === 0) continue;
    for (const [at, operation] of cause.operations.entries())
      left[operation] = Math.max(0, (left[operation] ?? 0) - (cause.us[at] ?? 0));
    isFresh.fill(0);
  }
  return order;
}

/** The bound of a cause that is in the order already. */
const taken = -1;

function gainOf({ operations }: CoverPart, left: Float64Array, us: readonly number[]): number {
  let gain = 0;
  for (const [at, operation] of operations.entries()) gain += Math.min(us[at] ?? 0, left[operation] ?? 0);
  return gain;
}

/** Index of the largest bound, of equal ones the first. */
function largest(bounds: Float64Array): number {
  let best = 0;
  for (let at = 1; at < bounds.length; at++) if ((bounds[at] ?? 0) > (bounds[best] ?? 0)) best = at;
  return best;
}
