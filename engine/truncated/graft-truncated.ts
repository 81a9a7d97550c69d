import { type CallTree, firstFunctionNode, metaNodes } from '../samples/call-tree.ts';
import type { SampleStream, TruncatedSamples } from '../samples/sample-stream.ts';
import { createGrafter, noPlace } from './create-grafter.ts';
import { growTree } from './growing-tree.ts';
import { moveTicks } from './move-ticks.ts';
import { truncatedNodes } from './truncated-nodes.ts';

type Sampled = Pick<SampleStream, 'tree' | 'nodes'>;

/**
 * Gives the stacks of which V8 kept only the innermost frames the outer ones that the samples around them have: in the
 * order of time, each from the nearest whole or already grafted samples of its run between `(idle)` samples. Nodes keep
 * their numbers; those of new paths come after them.
 */
export function graftTruncated({ tree, nodes }: Sampled): Sampled & { readonly truncated: TruncatedSamples } {
  const isTruncated = truncatedNodes(tree, nodes);
  if (isTruncated === null) return { tree, nodes, truncated: noneTruncated };
  const { grown, grafted, truncated } = graftAll(tree, nodes, isTruncated);
  const ticks = moveTicks(tree.ticks, nodes, grafted, grown.size);
  return { tree: { ...grown, ticks }, nodes: grafted, truncated };
}

const noneTruncated: TruncatedSamples = { samples: 0, grafted: 0, unplaced: new Set() };

function graftAll(tree: CallTree, nodes: Int32Array, isTruncated: Uint8Array) {
  const growing = growTree(tree);
  const graft = createGrafter(growing);
  const nextWhole = wholeSamplesAhead(nodes, isTruncated);
  const grafted = nodes.slice();
  const unplaced = new Set<number>();
  let samples = 0;
  let before = noPlace;
  for (const [sample, node] of nodes.entries()) {
    if (node === metaNodes.idle) before = noPlace;
    if (node < firstFunctionNode) continue;
    const isCut = isTruncated[node] === 1;
    const place = isCut ? graft(node, before, nextWhole(sample)) : node;
    if (isCut) samples++;
    if (place === noPlace) unplaced.add(sample);
    else {
      grafted[sample] = place;
      before = place;
    }
  }
  return { grown: growing.build(), grafted, truncated: { samples, grafted: samples - unplaced.size, unplaced } };
}

/** Node of the next whole sample of the same run, for samples asked in ascending order: each is looked at once. */
function wholeSamplesAhead(nodes: Int32Array, isTruncated: Uint8Array): (sample: number) => number {
  let ahead = 0;
  const isSought = (node: number): boolean =>
    node === metaNodes.idle || (node >= firstFunctionNode && isTruncated[node] === 0);
  return (sample) => {
    ahead = Math.max(ahead, sample + 1);
    while (ahead < nodes.length && !isSought(nodes[ahead] ?? metaNodes.idle)) ahead++;
    const node = nodes[ahead] ?? metaNodes.idle;
    return node === metaNodes.idle ? noPlace : node;
  };
}
