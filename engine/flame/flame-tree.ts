import { type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import type { Analysis } from '../analysis.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { NumberList } from '../basics/number-list.ts';
import { type BridgedSamples, noSpans } from '../operations/operation.ts';
import { type CallTree, firstFunctionNode, metaNodes, noFunction } from '../samples/call-tree.ts';
import { PairTable } from '../basics/pair-table.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import {
  runBits,
  unknownRun,
  type FlameTree,
  type TreeBuilder,
  type FrameKinds,
  tieredPlaces,
  tiersOfSamples,
} from './frame-run.ts';

/** The merged tree, and where in it the samples of each isolate are. */
export interface MergedTree extends FlameTree {
  readonly streams: readonly MergedStream[];
}

export interface MergedStream {
  /** Frame by sample; −1 for samples in no flamegraph, in which the loop waited. */
  readonly frames: Int32Array;
  /** Index into `tiers` by sample: the tier that it counts for. Null for a profile. */
  readonly tiers: Uint8Array | null;
}

export function mergeTrees({ streams, bridged, functions: { functions } }: Analysis): MergedTree {
  const tree = createTree();
  const program = numberOf('program');
  const kinds = { categories: Uint8Array.from(functions, (fn) => numberOf(categoryOf(fn))), program };
  const merged = streams.map((stream, index): MergedStream => {
    const samples = bridged[index] ?? noSamples;
    const { collecting } = samples;
    const { tiered } = stream;
    const frames = placesOf(stream, samples, kinds, tree);
    return {
      frames: frames.map((frame, sample) =>
        collecting[sample] === 1 ? tree.child(Math.max(0, frame), noFunction, numberOf('gc'), unknownRun) : frame,
      ),
      tiers: tiered === null ? null : tiersOfSamples(tiered),
    };
  });
  return { ...tree.finished(), streams: merged };
}

const noSamples: BridgedSamples = {
  nodes: new Int32Array(),
  collecting: new Uint8Array(),
  weights: new Float64Array(),
  spans: noSpans,
};

export function categoryOf({ kind, role }: Pick<FunctionInfo, 'kind' | 'role'>): FrameCategory {
  if (kind === 'own') return role === 'test' ? 'test' : 'own';
  return kind === 'other' ? 'dependency' : kind;
}

export function numberOf(category: FrameCategory): number {
  return frameCategories.indexOf(category);
}

export function createTree(): TreeBuilder {
  const frames = new PairTable(1024);
  const categories = new NumberList();
  child(-1, noFunction, numberOf('program'), unknownRun);
  return {
    child,
    finished: () => ({
      size: frames.size,
      parent: frames.firsts,
      functionId: frames.seconds.map((key) => Math.max(noFunction, (key >> runBits) - frameCategories.length)),
      category: Uint8Array.from(categories.values()),
      run: Uint8Array.from(frames.seconds, (key) => key & ((1 << runBits) - 1)),
    }),
  };

  /** Finds or makes a callee. What is no function has its category in place of a function's number. */
  function child(parent: number, functionId: number, category: number, run: number): number {
    const kind = functionId === noFunction ? category : frameCategories.length + functionId;
    const frame = frames.numberOf(parent, (kind << runBits) | run);
    if (frame === categories.size) categories.push(category);
    return frame;
  }
}

/** Frame by sample. A collection has a frame below the frame that it interrupted. */
function placesOf(stream: SampleStream, bridged: BridgedSamples, kinds: FrameKinds, merged: TreeBuilder): Int32Array {
  const { tiered } = stream;
  if (tiered !== null) return tieredPlaces({ ...stream, tiered }, bridged, kinds, merged);
  const frames = framesOfNodes(stream.tree, kinds, merged);
  return bridged.nodes.map((node) => frames[node] ?? -1);
}

function framesOfNodes(tree: CallTree, { categories, program }: FrameKinds, merged: TreeBuilder): Int32Array {
  const frames = new Int32Array(tree.size).fill(-1);
  frames[metaNodes.root] = 0;
  frames[metaNodes.program] = merged.child(0, noFunction, program, unknownRun);
  for (let node = firstFunctionNode; node < tree.size; node += 1) {
    const parent = frames[tree.parent[node] ?? metaNodes.root] ?? 0;
    const functionId = tree.functionId[node] ?? noFunction;
    frames[node] = merged.child(Math.max(0, parent), functionId, categories[functionId] ?? program, unknownRun);
  }
  return frames;
}
