import { once } from '../../basics/once.ts';
import { PairTable } from '../../basics/pair-table.ts';

/**
 * The call tree of one isolate, one entry per node, parents before their children. Nodes are merged by path of
 * functions: no two children of a node are the same function. So the common prefix of two stacks is their lowest common
 * ancestor.
 */
export interface CallTree {
  readonly size: number;
  /** A function without a caller is below `metaNodes.root`, whose parent is −1. */
  readonly parent: Int32Array;
  /** Index into the function table; −1 for meta nodes. */
  readonly functionId: Int32Array;
  /** Ticks by line. They are sorted when they are first asked for, because only culprits have lines. */
  readonly ticks: () => LineTicks;
}

/**
 * V8's `positionTicks`: in how many samples a line of the node's function was executing. Those of node `n` are the
 * entries `start[n]` up to `start[n + 1]`; one line of one frame is there once per node.
 */
export interface LineTicks {
  readonly start: Int32Array;
  /** 1-based line in the text that ran (before source mapping). */
  readonly line: Int32Array;
  readonly count: Int32Array;
  /** Index into `FunctionTable.frames`: which generated text the line is in. */
  readonly frame: Int32Array;
}

export const noTicks: LineTicks = {
  ...{ start: new Int32Array(0), line: new Int32Array(0) },
  ...{ count: new Int32Array(0), frame: new Int32Array(0) },
};

/** The first nodes of every call tree, for what a thread does outside of functions. */
export const metaNodes = { root: 0, program: 1, idle: 2, gc: 3 } as const;
export const firstFunctionNode = 4;
/** The function id of a meta node. */
export const noFunction = -1;

/** Children as linked lists, of the nodes from `from` on: first one by parent, next one by child; −1 is the end. */
export function childrenOf(
  parent: Int32Array,
  from = firstFunctionNode,
): { readonly first: Int32Array; readonly next: Int32Array } {
  const first = new Int32Array(parent.length).fill(-1);
  const next = new Int32Array(parent.length).fill(-1);
  for (let node = parent.length - 1; node >= from; node--) {
    const above = parent[node] ?? -1;
    next[node] = first[above] ?? -1;
    first[above] = node;
  }
  return { first, next };
}

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

/** A growing list of line ticks, in typed arrays. */
export class TickList {
  /** Four numbers for each tick: node, frame, line, count. */
  #fields = new Int32Array(1024);
  #size = 0;
  #order = new Int32Array(0);

  add(node: number, frame: number, line: number, count: number): void {
    const at = this.#size * 4;
    if (at === this.#fields.length) {
      const grown = new Int32Array(at * 2);
      grown.set(this.#fields);
      this.#fields = grown;
    }
    this.#fields[at] = node;
    this.#fields[at + 1] = frame;
    this.#fields[at + 2] = line;
    this.#fields[at + 3] = count;
    this.#size++;
  }

  /** Ticks of a tree of `nodes` nodes, by node, frame and line. Counts of one line of one frame are added up. */
  build(nodes: number): LineTicks {
    this.#order = new Int32Array(this.#size);
    this.#sortByNode(nodes);
    const start = new Int32Array(nodes + 1);
    const line = new Int32Array(this.#size);
    const count = new Int32Array(this.#size);
    const frame = new Int32Array(this.#size);
    let size = 0;
    let before = -1;
    for (const tick of this.#order) {
      if (before === -1 || this.#field(tick, 0) !== this.#field(before, 0) || this.#compare(tick, before) !== 0) {
        frame[size] = this.#field(tick, 1);
        line[size] = this.#field(tick, 2);
        size++;
      }
      count[size - 1] = (count[size - 1] ?? 0) + this.#field(tick, 3);
      start[this.#field(tick, 0) + 1] = size;
      before = tick;
    }
    for (let node = 1; node <= nodes; node++) start[node] = Math.max(start[node] ?? 0, start[node - 1] ?? 0);
    return { start, line: line.subarray(0, size), count: count.subarray(0, size), frame: frame.subarray(0, size) };
  }

  /** Counts the ticks into their nodes, and sorts the few ticks of each. */
  #sortByNode(nodes: number): void {
    const next = new Int32Array(nodes + 1);
    for (let tick = 0; tick < this.#size; tick++) {
      const node = this.#field(tick, 0);
      next[node + 1] = (next[node + 1] ?? 0) + 1;
    }
    for (let node = 1; node <= nodes; node++) next[node] = (next[node] ?? 0) + (next[node - 1] ?? 0);
    for (let tick = 0; tick < this.#size; tick++) {
      const node = this.#field(tick, 0);
      const place = next[node] ?? 0;
      this.#order[place] = tick;
      next[node] = place + 1;
    }
    // Here `next` is where each node's ticks end.
    for (let node = 0; node < nodes; node++) this.#sort(node === 0 ? 0 : (next[node - 1] ?? 0), next[node] ?? 0);
  }

  /** Sorts by insertion where they are few: V8's sort takes 20 times as long for two of them. */
  #sort(from: number, to: number): void {
    const order = this.#order;
    if (to - from > 50) {
      order.subarray(from, to).sort((a, b) => this.#compare(a, b));
      return;
    }
    for (let next = from + 1; next < to; next++) {
      const tick = order[next] ?? 0;
      let at = next;
      for (; at > from && this.#compare(order[at - 1] ?? 0, tick) > 0; at--) order[at] = order[at - 1] ?? 0;
      order[at] = tick;
    }
  }

  #compare(a: number, b: number): number {
    const frames = this.#field(a, 1) - this.#field(b, 1);
    return frames !== 0 ? frames : this.#field(a, 2) - this.#field(b, 2);
  }

  #field(tick: number, field: number): number {
    return this.#fields[tick * 4 + field] ?? 0;
  }
}
