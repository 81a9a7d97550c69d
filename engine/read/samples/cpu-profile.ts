import type { ProfileDamage } from '../../../words/warnings/file-warnings.ts';
import type { SampleTimes } from './sample-times.ts';
import type { CodeEvents, NodeTiers } from './tiered-samples.ts';
import { firstFunctionNode } from './call-tree.ts';

/** One `.cpuprofile` as typed arrays, with nodes renumbered: parents before their children. Source: CDP `Profile`. */
export interface CpuProfile {
  /** Index of the parent, by node; −1 for a root. */
  readonly parent: Int32Array;
  /** Index into `frames`, by node. */
  readonly frame: Int32Array;
  /** Each call frame once, without `scriptId`. */
  readonly frames: readonly ProfileFrame[];
  readonly ticks: ProfileTicks;
  /** Node by sample, in the order of time; −1 where the profile names a node that it does not have. */
  readonly nodes: SampledNodes;
  readonly times: SampleTimes;
  /** End of the profile in µs, at or after the last sample. */
  readonly end: number;
  readonly defects: ProfileDefects;
  /** True for a profile of Bun. Before Bun 1.3.13, a frame's position is that of the sample, and `positionTicks` are missing. */
  readonly isOfBun?: true;
  /** Present only for a V8 log, which has a node for each function under each caller by tier and line. */
  readonly tiered?: ProfileTiers;
}

/** What a V8 log has of nodes and samples; its frames are indexes into `frames`. */
export interface ProfileTiers extends NodeTiers {
  /** V8's state, by sample. */
  readonly states: Uint8Array;
  readonly code: CodeEvents;
}

/** A call frame. Lines and columns count from 0; −1 for native functions. */
export interface ProfileFrame {
  readonly functionName: string;
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** Ticks by line. Those of node `n` are the entries `start[n]` up to `start[n + 1]`; lines count from 1. */
export interface ProfileTicks {
  readonly start: Int32Array;
  readonly line: Int32Array;
  readonly count: Int32Array;
}

/** What was wrong in a readable profile. Times that run backwards are normal: V8 writes some in every long profile. */
export interface ProfileDefects {
  readonly unknownNodes: number;
  /** Number of samples without a time. */
  readonly untimed: number;
  /** Number of times without a sample. */
  readonly unpairedTimes: number;
  /** Time in µs at the end of the profile, behind the last sample that has a time. */
  readonly unknownEnd: number;
  /** No sample has a time, so they are spread evenly over the profile. */
  readonly isSpread: boolean;
  /** Number of times between samples that are not a number, or are years long. They count as 0. */
  readonly implausible: number;
  /** The last sample then has no duration. */
  readonly endsEarly: boolean;
  readonly isFollowed: boolean;
}

export const noDefects: ProfileDefects = {
  ...{ unknownNodes: 0, untimed: 0, unpairedTimes: 0, unknownEnd: 0, implausible: 0 },
  ...{ isSpread: false, endsEarly: false, isFollowed: false },
};

export type DecodedProfile =
  | { readonly type: 'profile'; readonly profile: CpuProfile }
  | { readonly type: 'damaged'; readonly damage: ProfileDamage };

/** Node by sample. Each takes 2 bytes where the tree has few nodes, else 4. */
export type SampledNodes = Uint16Array | Int32Array;

/** Whether 2 bytes are enough for the nodes of a profile, and for those of its call tree, which may be some more. */
export function areFew(nodes: number): boolean {
  return nodes + firstFunctionNode < 2 ** 16;
}

export function roomForNodes(samples: number, nodes: number): SampledNodes {
  return areFew(nodes) ? new Uint16Array(samples) : new Int32Array(samples);
}

/** The same samples, in memory that has room for this node. */
export function withRoomFor(node: number, sampled: SampledNodes): SampledNodes {
  return sampled instanceof Uint16Array && node >= 2 ** 16 ? Int32Array.from(sampled) : sampled;
}
