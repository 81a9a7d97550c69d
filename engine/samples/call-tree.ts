/**
 * The call tree of one isolate as typed arrays, one entry per node, parents before their children.
 * Nodes are merged by path of functions: no two children of a node are the same function. So the common prefix of two
 * stacks, by functions, is the lowest common ancestor of their nodes.
 */
export interface CallTree {
  readonly size: number;
  /**
   * Index of the parent. A function that no function of the profile called is below `metaNodes.root`, whose parent is
   * −1.
   */
  readonly parent: Int32Array;
  /** Index into the function table; −1 for meta nodes. */
  readonly functionId: Int32Array;
  /** Ticks by line. They are sorted when they are first asked for, because only culprits have lines. */
  readonly ticks: () => LineTicks;
}

/**
 * V8's `positionTicks`: in how many samples a line of the node's function was executing.
 * Those of node `n` are the entries `start[n]` up to `start[n + 1]`; one line of one frame stands once per node.
 */
export interface LineTicks {
  readonly start: Int32Array;
  /** 1-based line in the text that ran (before source mapping). */
  readonly line: Int32Array;
  readonly count: Int32Array;
  /** Index into `FunctionTable.frames`: which generated text the line is in. */
  readonly frame: Int32Array;
}

/** The first nodes of every call tree. They are no functions, but what else a thread can be doing. */
export const metaNodes = { root: 0, program: 1, idle: 2, gc: 3 } as const;
export const firstFunctionNode = 4;
/** The function id of a meta node. */
export const noFunction = -1;
