import type { CodeEvents, NodeTiers } from './tiered-samples.ts';

/**
 * One `.cpuprofile` as typed arrays; nodes are numbered anew so that parents stand before their children.
 * Source: V8 `CpuProfile`, as in the CDP Profiler domain.
 */
export interface CpuProfile {
  /** Index of the parent per node; −1 for a root. */
  readonly parent: Int32Array;
  /** Index into `frames` per node. */
  readonly frame: Int32Array;
  /** Each call frame once; `scriptId` left out. */
  readonly frames: readonly ProfileFrame[];
  readonly ticks: ProfileTicks;
  /** Node per sample, in time order; −1 where the profile names a node that it does not have. */
  readonly nodes: Int32Array;
  /** When each sample was taken: whole µs, ascending. */
  readonly times: Float64Array;
  /** In µs, not before the last sample. */
  readonly end: number;
  readonly defects: ProfileDefects;
  /** Only of a V8 log, which has a node for each function under each caller by tier and line. */
  readonly tiered?: ProfileTiers;
}

/** What a V8 log tells of nodes and samples; its frames are indexes into `frames`. */
export interface ProfileTiers extends NodeTiers {
  /** V8's state per sample. */
  readonly states: Uint8Array;
  readonly code: CodeEvents;
}

/** Lines and columns count from 0; −1 for native functions. */
export interface ProfileFrame {
  readonly functionName: string;
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** Those of node `n` are the entries `start[n]` up to `start[n + 1]`; lines count from 1. */
export interface ProfileTicks {
  readonly start: Int32Array;
  readonly line: Int32Array;
  readonly count: Int32Array;
}

/**
 * What was wrong, but not so wrong that the profile could not be read. Times that run backwards are nothing wrong: V8
 * writes some in every longer profile.
 */
export interface ProfileDefects {
  /** Number of samples. */
  readonly unknownNodes: number;
  /** Samples without a time, times without a sample. */
  readonly unpaired: number;
  /** Times between samples that are no number, or of years: taken as none. */
  readonly implausible: number;
  /** Its end is before its last sample, which then lasts no time. */
  readonly endsEarly: boolean;
  /** Something stands in the file behind the profile. */
  readonly isFollowed: boolean;
}

/** Why a file is no profile that can be read. */
export type ProfileDamage =
  | 'empty'
  | 'badGzip'
  | 'cutOff'
  | 'inflated'
  | 'tooLong'
  | 'tooMany'
  | 'notJson'
  | 'otherJson'
  | 'badNodes'
  | 'cycle'
  | 'noSamples'
  | 'noStacks'
  | 'noTimes';

export type DecodedProfile =
  | { readonly type: 'profile'; readonly profile: CpuProfile }
  | { readonly type: 'damaged'; readonly damage: ProfileDamage };
