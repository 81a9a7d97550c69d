import type { TieredTree, TieredSamples } from '../../engine/read/samples/tiered-samples.ts';
import { tierNumbers, vmStates } from '../../engine/read/samples/tiered-samples.ts';
import { type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import { NumberList } from '../../engine/basics/number-list.ts';
import type { BridgedSamples } from '../../engine/cut/operations/operation.ts';
import { type CallTree, firstFunctionNode, metaNodes, noFunction } from '../../engine/read/samples/call-tree.ts';
import { PairTable } from '../../engine/basics/pair-table.ts';
import type { SampleStream } from '../../engine/read/samples/sample-stream.ts';

/** Number of bits of `FlameTree.run`. */
export const runBits = 5;

/** Frames without a log, and frames without code of a tier: native functions and collections. */
export const unknownRun = 0;

function runOfNode(node: number, { tier, inlined, osr }: TieredTree): number {
  return (tier[node] ?? 0) * 4 + (inlined[node] ?? 0) * 2 + (osr[node] ?? 0);
}

/** How a frame's code ran: its tier (an index into `tiers`), inlined or not, entered in a loop (OSR) or not. */
export function frameRun(run: number): { readonly tier: number; readonly inlined: boolean; readonly osr: boolean } {
  return { tier: run >> 2, inlined: (run & 2) !== 0, osr: (run & 1) !== 0 };
}

/**
 * The call trees of all isolates merged by path of functions: one entry per frame of the flamegraph, callers before
 * callees, the root first. A collection is a frame below the frame that it interrupted. In a recording of tiers a function
 * has a frame for each way in which its code ran.
 */
export interface FlameTree {
  readonly size: number;
  /** Caller's frame, by frame; −1 for the root. */
  readonly parent: Int32Array;
  /** Function id by frame; −1 for the root and other frames without a function. */
  readonly functionId: Int32Array;
  /** Index into `frameCategories`, by frame. */
  readonly category: Uint8Array;
  /** How the frame's code ran, as a number for `frameRun`, by frame. */
  readonly run: Uint8Array;
  /** True where no two frames of one caller differ only in `run`; absent where unknown. */
  readonly isOfOneRun?: boolean;
}

/** A flame tree under construction. */
export interface TreeBuilder {
  /** Finds or makes the frame below `parent` of a function with this `run`, or of a category without a function. */
  readonly child: (parent: number, functionId: number, category: number, run: number) => number;
  readonly finished: () => FlameTree;
}

/** The index into `frameCategories`. */
export function numberOf(category: FrameCategory): number {
  return frameCategories.indexOf(category);
}

export const program = numberOf('program');
export const gc = numberOf('gc');

/**
 * The frames of the samples of a V8 log, split by how the code ran; −1 while the thread waited. At a collection the
 * interrupted code has the tiers of the sample before.
 */
export function tieredPlaces(
  { tree, tiered }: SampleStream & { readonly tiered: TieredSamples },
  { nodes }: BridgedSamples,
  categories: Uint8Array,
  merged: TreeBuilder,
): Int32Array {
  const log = tiered.tree;
  const stacks = new TwinStacks(tree, log);
  const places = new PairTable(1024);
  /** Frames by the number of the place. */
  const frames = new NumberList();
  const found = new Int32Array(nodes.length).fill(-1);
  for (let sample = 0; sample < found.length; sample++) {
    const node = nodes[sample] ?? 0;
    if (node === metaNodes.program) found[sample] = merged.child(0, noFunction, program, unknownRun);
    if (node < firstFunctionNode) continue;
    found[sample] = frameOf(stacks.next(node, tiered.nodes[sample] ?? -1));
  }
  return found;

  function frameOf(innermost: Place): number {
    const way: Place[] = [];
    let place = innermost;
    while (place.node >= firstFunctionNode && places.numberOf(place.node, place.logNode) === frames.size + way.length) {
      way.push(place);
      place = stacks.callerOf(place);
    }
    const isKnown = place.node >= firstFunctionNode;
    let frame = isKnown ? (frames.values()[places.numberOf(place.node, place.logNode)] ?? 0) : 0;
    const made = way.toReversed().map(({ node, logNode }) => {
      const functionId = tree.functionId[node] ?? noFunction;
      const run = logNode === -1 ? unknownRun : runOfNode(logNode, log);
      frame = merged.child(frame, functionId, categories[functionId] ?? program, run);
      return frame;
    });
    for (const one of made.toReversed()) frames.push(one);
    return frame;
  }
}

/** The same function in the two trees that know a stack. */
interface Place {
  /** Node of the stream's tree. */
  readonly node: number;
  /** Node of the log's tree; −1 where that tree does not have it. */
  readonly logNode: number;
}

/**
 * Finds a stack in two trees: that of the stream, with grafted stacks and interrupted code, and that of the log, with
 * tiers. It follows both from the innermost function to the root; outer frames that only the stream has get no tier.
 */
class TwinStacks {
  readonly #tree: CallTree;
  readonly #log: TieredTree;
  /** Place of the last sample that was not a collection. */
  #before: Place = { node: metaNodes.root, logNode: -1 };

  constructor(tree: CallTree, log: TieredTree) {
    this.#tree = tree;
    this.#log = log;
  }

  /** The place of the next sample; for a collection, that of the interrupted code. */
  next(node: number, logNode: number): Place {
    if ((this.#log.functionId[logNode] ?? noFunction) === noFunction) return this.#callerAt(node, this.#before);
    this.#before = this.#place(node, logNode);
    return this.#before;
  }

  callerOf({ node, logNode }: Place): Place {
    return this.#place(this.#tree.parent[node] ?? metaNodes.root, this.#log.parent[logNode] ?? -1);
  }

  #place(node: number, logNode: number): Place {
    const isSame = logNode !== -1 && this.#log.functionId[logNode] === this.#tree.functionId[node];
    return { node, logNode: isSame ? logNode : -1 };
  }

  /** The caller of `below`, if it is this node. Parents have lower numbers than their callees. */
  #callerAt(node: number, below: Place): Place {
    let place = below;
    while (place.node > node) place = this.callerOf(place);
    return place.node === node ? place : { node, logNode: -1 };
  }
}

/** The tier of each sample, as in the figures: that of its innermost JavaScript frame in VM state JS, else unknown. */
export function tiersOfSamples({ tree, nodes, states }: TieredSamples): Uint8Array {
  const inner = new Uint8Array(tree.size);
  for (let node = 0; node < tree.size; node++) {
    const tier = tree.tier[node] ?? tierNumbers.unknown;
    inner[node] = tier === tierNumbers.unknown ? (inner[tree.parent[node] ?? -1] ?? tierNumbers.unknown) : tier;
  }
  const found = new Uint8Array(nodes.length);
  for (let sample = 0; sample < found.length; sample++) {
    const isJs = states[sample] === vmStates.js;
    found[sample] = isJs ? (inner[nodes[sample] ?? -1] ?? tierNumbers.unknown) : tierNumbers.unknown;
  }
  return found;
}
