import type { PlainFunction } from './plain-function.ts';
import type { OperationSample, PlainOperation } from './plain-operations.ts';

/** Rule 12: what a function of own code holds of one operation, without what deeper culprits took. */
export interface PlainOwnPart {
  readonly fn: PlainFunction;
  /** In µs: the sum of its places. */
  readonly weight: number;
  readonly places: readonly PlainPlace[];
}

/** One node of the operation's call tree. */
export interface PlainPlace {
  /** From the root to the function, it included. */
  readonly path: readonly PlainFunction[];
  /** What it took. */
  readonly samples: readonly OperationSample[];
}

/** The own parts of an operation, and the samples that no culprit took. */
export interface PlainParts {
  readonly parts: readonly PlainOwnPart[];
  readonly untaken: readonly OperationSample[];
}

export function plainOwnParts({ samples }: PlainOperation, thresholdUs: number): PlainParts {
  const taken = new Set<OperationSample>();
  const places = new Map<PlainFunction, PlainPlace[]>();
  // From the leaves up: what is deeper takes first.
  for (const node of ownNodes(samples).toSorted((a, b) => b.depth - a.depth)) {
    const { fn, depth } = node;
    const counted = node.samples.filter(({ stack }) => !fn.moduleBody || !isLoading(stack, depth));
    const rest = counted.filter((sample) => !taken.has(sample));
    const restUs = sumOf(rest);
    if (restUs <= thresholdUs || restUs * 10 < sumOf(counted)) continue;
    for (const sample of rest) taken.add(sample);
    const path = rest[0]?.stack.slice(0, depth + 1) ?? [];
    places.set(fn, [...(places.get(fn) ?? []), { path, samples: rest }]);
  }
  return {
    parts: [...places].map(([fn, all]) => ({
      fn,
      places: all,
      weight: all.reduce((sum, place) => sum + sumOf(place.samples), 0),
    })),
    untaken: samples.filter((sample) => !taken.has(sample)),
  };
}

export function sumOf(samples: readonly OperationSample[]): number {
  return samples.reduce((sum, { weight }) => sum + weight, 0);
}

/** Rule 13: a loader frame stands deeper than this depth. */
export function isLoading(stack: readonly PlainFunction[], depth: number): boolean {
  return stack.findLastIndex(({ loader }) => loader) > depth;
}

interface OwnNode {
  readonly fn: PlainFunction;
  readonly depth: number;
  /** All whose stacks begin with the node's path. */
  readonly samples: OperationSample[];
}

interface TreeNode {
  readonly callees: Map<PlainFunction, TreeNode>;
  readonly own: OwnNode | null;
}

/** The nodes of own code in the operation's call tree, merged by path of functions. */
function ownNodes(samples: readonly OperationSample[]): readonly OwnNode[] {
  const root: TreeNode = { callees: new Map(), own: null };
  const nodes: OwnNode[] = [];
  for (const sample of samples) {
    let at = root;
    for (const [depth, fn] of sample.stack.entries()) {
      const known = at.callees.get(fn);
      const callee: TreeNode = known ?? { callees: new Map(), own: isOwn(fn) ? { fn, depth, samples: [] } : null };
      if (known === undefined) at.callees.set(fn, callee);
      if (known === undefined && callee.own !== null) nodes.push(callee.own);
      callee.own?.samples.push(sample);
      at = callee;
    }
  }
  return nodes;
}

function isOwn({ kind }: PlainFunction): boolean {
  return kind === 'own';
}
