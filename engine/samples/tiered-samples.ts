/** What compiled the code that a frame ran, in the order of their numbers. `unknown`: a native frame, or a log that does not say. */
export const tiers = ['unknown', 'ignition', 'sparkplug', 'maglev', 'turbofan'] as const;
export type Tier = (typeof tiers)[number];

/** Numbers of the tiers: indexes of `tiers`. */
export const tierNumbers = { unknown: 0, ignition: 1, sparkplug: 2, maglev: 3, turbofan: 4 } as const;

/** What V8 was doing at a tick. Source: `StateTag` of V8; the numbers are the same in V8 10 to 14. */
export const vmStates = { js: 0, gc: 1, idle: 8, idleExternal: 10 } as const;

/**
 * What a V8 log tells beyond the stacks of a stream: exactly what ran each frame, and where in its text it was.
 * The stream's own tree is merged by functions; here a function has a node for each place at which it was, by tier and inlining.
 */
export interface TieredSamples {
  readonly tree: TieredTree;
  /** Node of this tree per sample of the stream; not grafted, not bridged. Meta nodes as in the stream's tree. */
  readonly nodes: Int32Array;
  /** V8's state per sample: a tick's tier counts where it is `vmStates.js`. */
  readonly states: Uint8Array;
  readonly code: CodeEvents;
}

/** One entry per node, parents before their children. */
export interface TieredTree extends NodeTiers {
  readonly size: number;
  /** −1 for a root: a function that nobody called, or a meta node. */
  readonly parent: Int32Array;
  /** Node of the stream's call tree (before grafting): the same function under the same functions. */
  readonly callNode: Int32Array;
  /** Index into the function table; −1 of meta nodes. */
  readonly functionId: Int32Array;
  /** Index into `FunctionTable.frames`: which generated text the line is in; −1 of meta nodes. */
  readonly frame: Int32Array;
}

/** What ran each node. */
export interface NodeTiers {
  /** Index into `tiers`; of an inlined frame that of the code that it is inlined into. */
  readonly tier: Uint8Array;
  /** 1 where the frame is inlined into the one above it; the host is the nearest node above that is not. */
  readonly inlined: Uint8Array;
  /** 1 for code that was entered in the middle of a loop (on-stack replacement). Known from Node 26 on. */
  readonly osr: Uint8Array;
  /**
   * 1-based line of the generated text at which the frame was: the line that ran, or the line of the call to the node
   * below. 0 where it is not known; it is never guessed.
   */
  readonly line: Int32Array;
}

/** What V8 compiled and gave up, in the order of the log. */
export interface CodeEvents {
  readonly compiled: readonly CompiledCode[];
  readonly deopts: readonly Deopt[];
}

/** `frame` is an index into `FunctionTable.frames`; `time` in µs on the clock of the samples. */
export interface CompiledCode {
  readonly frame: number;
  readonly time: number;
  /** Sparkplug, Maglev or TurboFan. */
  readonly tier: Tier;
  readonly osr: boolean;
  /**
   * Compiled for the one closure that the function had, its variables built in: V8 marks it with `'` (Node 24 and later).
   * Measured: a function that is made anew again and again never gets the mark, nor does code for on-stack replacement.
   */
  readonly forOneClosure: boolean;
}

/** Optimized code was thrown away. */
export interface Deopt {
  readonly frame: number;
  readonly time: number;
  readonly tier: Tier;
  /** `deopt-eager`, `deopt-lazy`, `dependency-change`, as V8 writes it. */
  readonly kind: string;
  /** V8's words: `wrong map`. */
  readonly reason: string;
  /** In the text of another function where that was inlined; null where V8 does not say. */
  readonly place: DeoptPlace | null;
}

/** In the text that ran; line and column 1-based, as in the log. */
export interface DeoptPlace {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}
