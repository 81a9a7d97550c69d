import { once } from '../basics/once.ts';
import { type CallTree, metaNodes, noFunction } from './call-tree.ts';
import { PairTable } from '../basics/pair-table.ts';
import { TickList } from './tick-list.ts';

/** Grows one call tree from stacks of several profiles, merged by their paths of functions. */
export interface TreeBuilder {
  /** The node of a function below a node. It is made where it does not exist yet. */
  readonly child: (parent: number, functionId: number) => number;
  readonly addTicks: (node: number, frame: number, line: number, count: number) => void;
  readonly build: () => CallTree;
}

/** `expected` is the expected number of nodes; there may be more. */
export function createTreeBuilder(expected = 0): TreeBuilder {
  const nodes = new PairTable(expected + Object.keys(metaNodes).length + 1);
  const ticks = new TickList();
  nodes.add(-1, noFunction);
  while (nodes.size < Object.keys(metaNodes).length) nodes.add(metaNodes.root, noFunction);
  return {
    child: (parent, functionId) => nodes.numberOf(parent, functionId),
    addTicks: (node, frame, line, count) => ticks.add(node, frame, line, count),
    build: () => ({
      size: nodes.size,
      parent: nodes.firsts,
      functionId: nodes.seconds,
      ticks: once(() => ticks.build(nodes.size)),
    }),
  };
}
