import { type V8Tier, v8Tiers } from '../../../protocol/v8-tiers.ts';

/** What compiled the code that a frame ran, as a number: 0 is a native frame, or one for which the log does not say. */
export const tierNumbers = {
  unknown: 0,
  ignition: 1,
  sparkplug: 2,
  maglev: 3,
  turbofan: 4,
} as const satisfies Record<V8Tier, number>;

/** The tiers by their numbers. */
export const tiers: readonly V8Tier[] = v8Tiers.toSorted((a, b) => tierNumbers[a] - tierNumbers[b]);

/** What V8 was doing at a tick. Source: `StateTag` of V8; the numbers are the same in V8 10 to 14. */
export const vmStates = { js: 0, gc: 1, idle: 8, idleExternal: 10 } as const;

/**
 * What a V8 log has beyond the stacks of a stream: what ran each frame, and where in its text it was. The stream's tree
 * is merged by functions; here a function has a node for each place, by tier and inlining.
 */
export interface TieredSamples {
  readonly tree: TieredTree;
  /** Node of this tree by sample of the stream, neither grafted nor bridged. Meta nodes are as in the stream's tree. */
  readonly nodes: Int32Array;
  /** V8's state by sample. A tick's tier counts where it is `vmStates.js`. */
  readonly states: Uint8Array;
  readonly code: CodeEvents;
}

/** Nodes, one entry each, parents before their children. */
export interface TieredTree extends NodeTiers {
  readonly size: number;
  /** Parent; −1 for a root, which is a function that no function called, or a meta node. */
  readonly parent: Int32Array;
  /** Node of the stream's call tree (before grafting): the same function below the same functions. */
  readonly callNode: Int32Array;
  /** Index into the function table; −1 for meta nodes. */
  readonly functionId: Int32Array;
  /** Index into `FunctionTable.frames`, which says which generated text has the line; −1 for meta nodes. */
  readonly frame: Int32Array;
}

export interface NodeTiers {
  /** Index into `tiers`. An inlined frame has the tier of the code that it is inlined into. */
  readonly tier: Uint8Array;
  /** Has 1 where the frame is inlined into the one above it. Its host is the nearest node above that is not inlined. */
  readonly inlined: Uint8Array;
  /** Has 1 for code that was entered in the middle of a loop (on-stack replacement). Known from Node 26 on. */
  readonly osr: Uint8Array;
  /**
   * Line of the generated text, from 1: the line that ran, or the line of the call to the node below. 0 where unknown.
   */
  readonly line: Int32Array;
}

/** In the order of the log. */
export interface CodeEvents {
  readonly compiled: readonly CompiledCode[];
  readonly deopts: readonly Deopt[];
}

/** `frame` is an index into `FunctionTable.frames`, `time` is in µs on the clock of the samples. */
interface CompiledCode {
  readonly frame: number;
  readonly time: number;
  /** Sparkplug, Maglev or TurboFan. */
  readonly tier: V8Tier;
  readonly osr: boolean;
  /**
   * True for code of the only closure of a function, with its variables built in: V8 marks it with `'` (Node 24 and
   * later). Measured: a function that is made again and again never has the mark, nor has code for on-stack
   * replacement.
   */
  readonly forOneClosure: boolean;
}

export interface Deopt {
  readonly frame: number;
  readonly time: number;
  readonly tier: V8Tier;
  /** Kind as V8 writes it: `deopt-eager`, `deopt-lazy`, `dependency-change`. */
  readonly kind: string;
  /** Reason in V8's words, such as `wrong map`. */
  readonly reason: string;
  /** Place, which is in the text of another function where that was inlined; null where V8 does not say. */
  readonly place: DeoptPlace | null;
}

/** Place in the text that ran. Line and column count from 1, as in the log. */
export interface DeoptPlace {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}
