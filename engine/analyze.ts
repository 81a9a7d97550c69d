import type { Microseconds } from '../protocol/units.ts';
import type { Analysis } from './analysis.ts';
import type { World } from './world.ts';

export interface AnalyzeOptions {
  readonly thresholdUs: Microseconds;
  /** Absolute paths of the workspace folders; none: the recording's `cwd`, else `currentFolder`, widened to its project. */
  readonly roots: readonly string[];
  /** Absolute path. */
  readonly currentFolder?: string;
  readonly sourceMaps: boolean;
  /** More regular expressions for paths of tests, matched inside the workspace. */
  readonly testPatterns?: readonly string[];
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

/** Files are the slow part; `done` of `total` are read. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export type AnalyzeResult =
  | { readonly type: 'analyzed'; readonly analysis: Analysis }
  | { readonly type: 'failed'; readonly failure: AnalyzeFailure };

/** `describe` (engine/describe-failure.ts) says each in a sentence. */
export type AnalyzeFailure =
  | { readonly type: 'cancelled' }
  | { readonly type: 'notFound'; readonly path: string }
  | { readonly type: 'nothingRecorded'; readonly path: string }
  | { readonly type: 'allDamaged'; readonly path: string; readonly firstReason: string };

/**
 * Reads recordings, `.cpuprofile` files (plain or gzipped) or folders of them, and finds what blocks.
 * A damaged file among good ones becomes a warning. Never rejects but for a bug.
 */
export declare function analyze(
  paths: readonly string[],
  world: World,
  options: AnalyzeOptions,
): Promise<AnalyzeResult>;
