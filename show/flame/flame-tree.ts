import { type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import type { Analysis } from '../../engine/analysis.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { NumberList } from '../../engine/basics/number-list.ts';
import type { BridgedSamples } from '../../engine/cut/operations/operation.ts';
import { type CallTree, firstFunctionNode, metaNodes, noFunction } from '../../engine/read/samples/call-tree.ts';
import { oncePer } from '../../engine/basics/once.ts';
import { PairTable } from '../../engine/basics/pair-table.ts';
import type { SampleStream } from '../../engine/read/samples/sample-stream.ts';
import type { FlameTree, TreeBuilder } from './frame-run.ts';
import { runBits, unknownRun, gc, numberOf, program, tieredPlaces, tiersOfSamples } from './frame-run.ts';

/** Frames 0 and 1, and the first frame of a function. */
const firstFrame = { root: 0, program: 1, function: 2 } as const;

/** The merged tree, and where in it the samples of each isolate are. */
export interface MergedTree extends FlameTree {
  readonly streams: readonly MergedStream[];
}

export interface MergedStream {
  /** Frame by sample; −1 while the loop waited. */
  readonly frames: Int32Array;
  /** Index into `tiers` by sample: the tier that it counts for. Null for a profile. */
  readonly tiers: Uint8Array | null;
}

export function mergeTrees({ streams, bridged, functions: { functions } }: Analysis): MergedTree {
  const categories = Uint8Array.from(functions, (fn) => numberOf(categoryOf(fn)));
  const [first] = streams;
  const [samples] = bridged;
  if (streams.length === 1 && first?.tiered === null && samples !== undefined) {
    const { tree, frames } = treeOfOne(first.tree, samples, categories);
    return { ...tree, streams: [{ frames, tiers: null }] };
  }
  const tree = createTree(streams.reduce((sum, stream) => sum + stream.tree.size, 1024));
  const merged = streams.map((stream, index): MergedStream => {
    const samples = bridged[index];
    const { tiered } = stream;
    const frames = samples === undefined ? new Int32Array() : placesOf(stream, samples, categories, tree);
    for (let sample = 0; sample < frames.length; sample += 1)
      if (samples?.sampled[sample] === metaNodes.gc)
        frames[sample] = tree.child(Math.max(0, frames[sample] ?? 0), noFunction, gc, unknownRun);
    return { frames, tiers: tiered === null ? null : tiersOfSamples(tiered) };
  });
  return { ...tree.finished(), streams: merged };
}

export function categoryOf({ kind, role }: Pick<FunctionInfo, 'kind' | 'role'>): FrameCategory {
  if (kind === 'own') return role === 'test' ? 'test' : 'own';
  return kind === 'other' ? 'dependency' : kind;
}

/** `expected`: number of frames; a table that grows takes twice as long. */
export function createTree(expected = 1024): TreeBuilder {
  const frames = new PairTable(expected);
  const categories = new NumberList();
  const child: TreeBuilder['child'] = (parent, functionId, category, run) => {
    const frame = frames.numberOf(parent, keyOf(functionId, category, run));
    if (frame === categories.size) categories.push(category);
    return frame;
  };
  child(-1, noFunction, program, unknownRun);
  return { child, finished: () => finishedTree(frames, categories) };
}

/** Identifies a frame below its caller. Without a function it has its category instead of the function's number. */
export function keyOf(functionId: number, category: number, run: number): number {
  const kind = functionId === noFunction ? category : frameCategories.length + functionId;
  return (kind << runBits) | run;
}

function finishedTree({ size, firsts, seconds }: PairTable, categories: NumberList): FlameTree {
  const functionId = new Int32Array(size);
  const run = new Uint8Array(size);
  let runs = unknownRun;
  for (let frame = 0; frame < size; frame += 1) {
    const key = seconds[frame] ?? 0;
    functionId[frame] = Math.max(noFunction, (key >> runBits) - frameCategories.length);
    run[frame] = key & ((1 << runBits) - 1);
    runs |= key & ((1 << runBits) - 1);
  }
  const category = new Uint8Array(categories.values());
  return { size, parent: firsts, functionId, category, run, isOfOneRun: runs === unknownRun };
}

/** Frame by sample; a collection has the frame that it interrupted. */
function placesOf(
  stream: SampleStream,
  bridged: BridgedSamples,
  categories: Uint8Array,
  merged: TreeBuilder,
): Int32Array {
  const { tiered, tree } = stream;
  if (tiered !== null) return tieredPlaces({ ...stream, tiered }, bridged, categories, merged);
  // By index, as in other loops over samples and frames: an iterator makes an object for each of millions.
  const frames = new Int32Array(tree.size).fill(-1);
  frames[metaNodes.root] = 0;
  frames[metaNodes.program] = merged.child(0, noFunction, program, unknownRun);
  for (let node = firstFunctionNode; node < tree.size; node += 1) {
    const parent = frames[tree.parent[node] ?? metaNodes.root] ?? 0;
    const functionId = tree.functionId[node] ?? noFunction;
    frames[node] = merged.child(Math.max(0, parent), functionId, categories[functionId] ?? program, unknownRun);
  }
  const places = new Int32Array(bridged.nodes.length);
  for (let sample = 0; sample < places.length; sample += 1) places[sample] = frames[bridged.nodes[sample] ?? -1] ?? -1;
  return places;
}

/**
 * The frames of a single isolate without tiers, numbered as in a tree of several. Its nodes are already merged by path, so
 * this needs no look-ups and takes a fifth of the time. `frames`: by sample, −1 while the loop waited.
 */
function treeOfOne(
  tree: CallTree,
  { nodes, sampled }: BridgedSamples,
  categories: Uint8Array,
): { readonly tree: FlameTree; readonly frames: Int32Array } {
  const functions = tree.size - firstFunctionNode + firstFrame.function;
  const frames = new Int32Array(nodes.length);
  /** Frame of the collections below each frame; 0 where there are none. */
  const collections = new Int32Array(functions);
  let size = functions;
  for (let sample = 0; sample < nodes.length; sample += 1) {
    const frame = frameOfNode(nodes[sample] ?? metaNodes.idle);
    const above = Math.max(firstFrame.root, frame);
    const isCollection = sampled[sample] === metaNodes.gc;
    if (isCollection && collections[above] === 0) collections[above] = size++;
    frames[sample] = isCollection ? (collections[above] ?? 0) : frame;
  }
  return { tree: framesOf(tree, size, collections, categories), frames };
}

function frameOfNode(node: number): number {
  if (node >= firstFunctionNode) return node - firstFunctionNode + firstFrame.function;
  if (node === metaNodes.root) return firstFrame.root;
  return node === metaNodes.program ? firstFrame.program : -1;
}

function framesOf(tree: CallTree, size: number, collections: Int32Array, categories: Uint8Array): FlameTree {
  const parent = new Int32Array(size);
  const functionId = new Int32Array(size).fill(noFunction);
  const category = new Uint8Array(size).fill(program);
  parent[firstFrame.root] = -1;
  for (let frame = firstFrame.function; frame < collections.length; frame += 1) {
    const node = frame - firstFrame.function + firstFunctionNode;
    const id = tree.functionId[node] ?? noFunction;
    parent[frame] = Math.max(firstFrame.root, frameOfNode(tree.parent[node] ?? metaNodes.root));
    functionId[frame] = id;
    category[frame] = categories[id] ?? program;
  }
  for (let frame = 0; frame < collections.length; frame += 1) {
    const collection = collections[frame] ?? 0;
    if (collection === 0) continue;
    parent[collection] = frame;
    category[collection] = gc;
  }
  return { size, parent, functionId, category, run: new Uint8Array(size).fill(unknownRun), isOfOneRun: true };
}

/**
 * Marks with 1 each frame that has a key and no caller, near or far, with the same one. Their times add up to the time
 * in frames of that key, each µs once. Keys are numbers below `keys`; −1 is none.
 */
export function outermostFrames(tree: FlameTree, keyOf: (frame: number) => number, keys: number): Uint8Array {
  const marks = new Uint8Array(tree.size);
  const above = new Int32Array(keys);
  const count = (frame: number, change: 1 | -1): boolean => {
    const key = keyOf(frame);
    if (key >= 0 && change === 1 && above[key] === 0) marks[frame] = 1;
    if (key >= 0) above[key] = (above[key] ?? 0) + change;
    return true;
  };
  walkBelow(
    tree,
    0,
    (frame) => count(frame, 1),
    (frame) => count(frame, -1),
  );
  return marks;
}

/** Calls `enter` for a frame and then for its callees, if it gives true for their caller; `leave` after these callees. */
export function walkBelow(
  tree: FlameTree,
  top: number,
  enter: (frame: number) => boolean,
  leave: (frame: number) => void,
): void {
  const { first, next } = calleesOf(tree);
  for (let frame = top; frame >= 0;) {
    let isEntered = enter(frame);
    let following = isEntered ? (first[frame] ?? -1) : -1;
    for (let left = frame; following < 0; left = tree.parent[left] ?? -1) {
      if (isEntered) leave(left);
      if (left === top) return;
      following = next[left] ?? -1;
      isEntered = true;
    }
    frame = following;
  }
}

/** The first frame that each one calls, and the next one with the same caller; −1 where there is none. */
export const calleesOf = oncePer(
  ({ size, parent }: FlameTree): { readonly first: Int32Array; readonly next: Int32Array } => {
    const first = new Int32Array(size).fill(-1);
    const next = new Int32Array(size).fill(-1);
    for (let frame = size - 1; frame > 0; frame -= 1) {
      const above = parent[frame] ?? 0;
      next[frame] = first[above] ?? -1;
      first[above] = frame;
    }
    return { first, next };
  },
);
