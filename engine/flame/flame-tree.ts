import { type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import type { Analysis } from '../analysis.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { type CallTree, firstFunctionNode, metaNodes, noFunction } from '../samples/call-tree.ts';

/**
 * The call trees of all isolates merged by path of functions: one entry per frame of the flamegraph, callers before
 * what they call, the root first. Collections are frames of their own, below what they interrupted.
 */
export interface FlameTree {
  readonly size: number;
  /** Of the root −1. */
  readonly parent: Int32Array;
  /** −1 for the root and for what is no function. */
  readonly functionId: Int32Array;
  /** Index into `frameCategories`. */
  readonly category: Uint8Array;
}

/** The merged tree, and where the samples of each isolate are in it. */
export interface MergedTree extends FlameTree {
  readonly streams: readonly MergedStream[];
}

export interface MergedStream {
  /** Frame per node of the stream's call tree; −1 for what is in no flamegraph. */
  readonly frames: Int32Array;
  /** Frame of the collections that interrupted a node; −1 where there were none. */
  readonly collections: Int32Array;
}

export function mergeTrees({ streams, bridged, functions: { functions } }: Analysis): MergedTree {
  const tree = createTree();
  const categories = Uint8Array.from(functions, (fn) => numberOf(categoryOf(fn)));
  const merged = streams.map((stream, index) => {
    const frames = framesOfNodes(stream.tree, categories, tree);
    return { frames, collections: collectionsOf(bridged[index], frames, tree) };
  });
  return { ...tree.finished(), streams: merged };
}

function categoryOf({ kind, role }: FunctionInfo): FrameCategory {
  if (kind === 'own') return role === 'test' ? 'test' : 'own';
  return kind === 'other' ? 'dependency' : kind;
}

function numberOf(category: FrameCategory): number {
  return frameCategories.indexOf(category);
}

/** A flame tree being built. Paths of functions are found again by their parent's frame and their own function. */
export interface TreeBuilder {
  /** The frame of a function, or of a category without one, below a frame; made where it is not there yet. */
  readonly child: (parent: number, functionId: number, category: number) => number;
  readonly finished: () => FlameTree;
}

export function createTree(): TreeBuilder {
  const parents = [-1];
  const functionIds = [noFunction];
  const categories = [numberOf('program')];
  const known = new Map<number, number>();
  return {
    child: (parent, functionId, category) => {
      const key = parent * 2 ** 24 + (functionId === noFunction ? category : frameCategories.length + functionId);
      const found = known.get(key);
      if (found !== undefined) return found;
      known.set(key, parents.length);
      functionIds.push(functionId);
      categories.push(category);
      return parents.push(parent) - 1;
    },
    finished: () => ({
      size: parents.length,
      parent: Int32Array.from(parents),
      functionId: Int32Array.from(functionIds),
      category: Uint8Array.from(categories),
    }),
  };
}

function framesOfNodes(tree: CallTree, categories: Uint8Array, merged: TreeBuilder): Int32Array {
  const frames = new Int32Array(tree.size).fill(-1);
  frames[metaNodes.root] = 0;
  frames[metaNodes.program] = merged.child(0, noFunction, numberOf('program'));
  for (let node = firstFunctionNode; node < tree.size; node += 1) {
    const parent = frames[tree.parent[node] ?? metaNodes.root] ?? 0;
    const functionId = tree.functionId[node] ?? noFunction;
    frames[node] = merged.child(Math.max(0, parent), functionId, categories[functionId] ?? numberOf('program'));
  }
  return frames;
}

function collectionsOf(
  bridged: Analysis['bridged'][number] | undefined,
  frames: Int32Array,
  merged: TreeBuilder,
): Int32Array {
  const collections = new Int32Array(frames.length).fill(-1);
  for (const [sample, node] of bridged?.nodes.entries() ?? []) {
    if (bridged?.collecting[sample] !== 1 || collections[node] !== -1) continue;
    collections[node] = merged.child(Math.max(0, frames[node] ?? 0), noFunction, numberOf('gc'));
  }
  return collections;
}
