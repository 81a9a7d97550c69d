import { type CallTree, firstFunctionNode, metaNodes } from '../samples/call-tree.ts';
import type { SampleStream, TruncatedSamples } from '../samples/sample-stream.ts';
import { createGrafter, noPlace } from './create-grafter.ts';
import { growTree } from './growing-tree.ts';
import { moveTicks } from './move-ticks.ts';
import { type CutNodes, cutNodes } from './truncated-nodes.ts';

type Sampled = Pick<SampleStream, 'tree' | 'nodes'>;

/**
 * Gives the stacks of which V8 kept only the innermost frames the outer ones that the samples around them have: in the
 * order of time, each from the nearest whole or already grafted samples of its run between `(idle)` samples. So it does
 * for the innermost function that V8 gave alone, where something says that it was; else that is nobody's neighbour.
 * Nodes keep their numbers; those of new paths come after them.
 */
export function graftTruncated({ tree, nodes }: Sampled): Sampled & { readonly truncated: TruncatedSamples } {
  const cut = cutNodes(tree, nodes);
  if (cut === null) return { tree, nodes, truncated: noneTruncated };
  const { grown, grafted, truncated } = graftAll(tree, nodes, cut);
  const ticks = moveTicks(tree.ticks, nodes, grafted, grown.size);
  return { tree: { ...grown, ticks }, nodes: grafted, truncated };
}

const noneTruncated: TruncatedSamples = { samples: 0, grafted: 0, unplaced: new Set() };

function graftAll(tree: CallTree, nodes: Int32Array, cut: CutNodes) {
  const growing = growTree(tree);
  const { graft, graftLone } = createGrafter(growing);
  const nextWhole = wholeSamplesAhead(nodes, cut);
  const grafted = nodes.slice();
  const unplaced = new Set<number>();
  let count = 0;
  let before = noPlace;
  for (const [sample, node] of nodes.entries()) {
    if (node === metaNodes.idle) before = noPlace;
    if (node < firstFunctionNode) continue;
    const isTruncated = cut.isTruncated[node] === 1;
    const callers = cut.lone.get(node);
    const isWhole = !isTruncated && callers === undefined;
    if (isWhole) before = node;
    if (isWhole || (callers !== undefined && before === noPlace)) continue;
    const after = nextWhole(sample);
    const place = callers === undefined ? graft(node, before, after) : graftLone(node, before, after, callers);
    if (place !== noPlace) {
      count++;
      grafted[sample] = place;
      before = place;
    } else if (isTruncated) unplaced.add(sample);
  }
  const samples = count + unplaced.size;
  return { grown: growing.build(), grafted, truncated: { samples, grafted: count, unplaced } };
}

/** Node of the next whole sample of the same run, for samples asked in ascending order: each is looked at once. */
function wholeSamplesAhead(nodes: Int32Array, { isTruncated, lone }: CutNodes): (sample: number) => number {
  let ahead = 0;
  const isSought = (node: number): boolean =>
    node === metaNodes.idle || (node >= firstFunctionNode && isTruncated[node] === 0 && !lone.has(node));
  return (sample) => {
    ahead = Math.max(ahead, sample + 1);
    while (ahead < nodes.length && !isSought(nodes[ahead] ?? metaNodes.idle)) ahead++;
    const node = nodes[ahead] ?? metaNodes.idle;
    return node === metaNodes.idle ? noPlace : node;
  };
}
