import type { DiffSides } from '../../protocol/diff.ts';
import type { PathSuggestion } from '../../protocol/path-rules.ts';
import type { AnalysisOptions, OpenAnswer } from '../../protocol/requests.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { MarkedFunction } from '../../recordings/kept-files.ts';

export const openMethod = 'open';
export const progressMethod = 'progress';

/** The first request to a worker. Before it, no question can be answered. */
export interface OpenInWorker {
  readonly recording: string;
  /** Recordings that are read together with it. */
  readonly more: readonly string[];
  /** True for the editor's own recordings: texts are kept beside one when it is read first. */
  readonly isOurs: boolean;
  /** Whether it is to be a result on screen: then it is looked for files that are here under other paths. */
  readonly isShown: boolean;
  /**
   * Functions marked in the run of the same target before. What is kept beside a recording that was opened before is
   * more certain.
   */
  readonly marked: readonly MarkedFunction[];
  readonly roots: readonly string[];
  readonly options: AnalysisOptions;
}

export type OpenedInWorker =
  | {
      readonly type: 'opened';
      readonly summary: Summary;
      readonly marked: readonly MarkedFunction[];
      /** How much memory the thread takes, with what it may still give back. */
      readonly bytes: number;
      /** Only for a result to show. */
      readonly elsewhere?: PathSuggestion;
    }
  | Extract<OpenAnswer, { readonly type: 'failed' }>;

/** The first request to a worker that is to read both sides of a diff. */
export const openDiffMethod = 'openDiff';

export interface OpenDiffInWorker extends DiffSides {
  readonly roots: readonly string[];
  readonly options: AnalysisOptions;
}

/** Takes over tiers that were recorded meanwhile. */
export const takeTiersMethod = 'takeTiers';
