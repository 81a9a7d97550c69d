import type { BridgedSamples } from '../../engine/cut/operations/operation.ts';
import { type CallTree, firstFunctionNode, metaNodes, noFunction } from '../../engine/read/samples/call-tree.ts';
import { type FlameTree, type FrameKinds, unknownRun } from './frame-run.ts';

/** The only frames that are no function's and no collection's. */
const firstFrame = { root: 0, program: 1, function: 2 } as const;

/**
 * The frames of a single isolate without tiers, whose nodes are merged by path already: nothing has to be looked up,
 * which takes a fifth of the time. They are numbered as in a tree of several. `frames`: by sample, −1 while the loop
 * waited.
 */
export function treeOfOne(
  tree: CallTree,
  { nodes, sampled }: Pick<BridgedSamples, 'nodes' | 'sampled'>,
  kinds: FrameKinds & { readonly gc: number },
): { readonly tree: FlameTree; readonly frames: Int32Array } {
  const functions = tree.size - firstFunctionNode + firstFrame.function;
  const frames = new Int32Array(nodes.length);
  /** Frame of the collections below each frame; 0 where there are none. */
  const collections = new Int32Array(functions);
  let size = functions;
  // By index, as in all loops over samples and frames: an iterator makes an object for each of millions.
  for (let sample = 0; sample < nodes.length; sample += 1) {
    const frame = frameOfNode(nodes[sample] ?? metaNodes.idle);
    const above = Math.max(firstFrame.root, frame);
    const isCollection = sampled[sample] === metaNodes.gc;
    if (isCollection && collections[above] === 0) collections[above] = size++;
    frames[sample] = isCollection ? (collections[above] ?? 0) : frame;
  }
  return { tree: framesOf(tree, { size, functions, collections }, kinds), frames };
}

function frameOfNode(node: number): number {
  if (node >= firstFunctionNode) return node - firstFunctionNode + firstFrame.function;
  if (node === metaNodes.root) return firstFrame.root;
  return node === metaNodes.program ? firstFrame.program : -1;
}

interface Sizes {
  readonly size: number;
  readonly functions: number;
  readonly collections: Int32Array;
}

function framesOf(
  tree: CallTree,
  { size, functions, collections }: Sizes,
  { categories, program, gc }: FrameKinds & { readonly gc: number },
): FlameTree {
  const parent = new Int32Array(size);
  const functionId = new Int32Array(size).fill(noFunction);
  const category = new Uint8Array(size).fill(program);
  parent[firstFrame.root] = -1;
  for (let frame = firstFrame.function; frame < functions; frame += 1) {
    const node = frame - firstFrame.function + firstFunctionNode;
    const id = tree.functionId[node] ?? noFunction;
    parent[frame] = Math.max(firstFrame.root, frameOfNode(tree.parent[node] ?? metaNodes.root));
    functionId[frame] = id;
    category[frame] = categories[id] ?? program;
  }
  for (let frame = 0; frame < functions; frame += 1) {
    const collection = collections[frame] ?? 0;
    if (collection === 0) continue;
    parent[collection] = frame;
    category[collection] = gc;
  }
  return { size, parent, functionId, category, run: new Uint8Array(size).fill(unknownRun), isOfOneRun: true };
}
