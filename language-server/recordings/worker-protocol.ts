import type { PathSuggestion } from '../../protocol/path-rules.ts';
import type { DiffSides } from '../../protocol/diff.ts';
import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import type {
  CalledFunction,
  Metric,
  StackText,
  TestPlace,
  AnalysisOptions,
  OpenAnswer,
  DiffPlace,
  FoundFunction,
  TextBefore,
} from '../../protocol/requests.ts';
import type { DetailRow, OperationsParams, HotspotGroup, HotspotsParams, Verdict } from '../../protocol/list-rows.ts';
import type { Location, Place } from '../../protocol/places.ts';
import type { Timeline, TimelineQuery } from '../../protocol/time.ts';
import type { NamedTime, Summary } from '../../protocol/summary.ts';
import type { FileAnnotations } from '../queries/file-annotations.ts';
import type { FunctionDetails } from '../queries/function-details.ts';
import type { AskedLine } from '../../engine/judge/remedies/remedies.ts';
import type { Remedy } from '../../words/remedies.ts';
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

/** The questions that the server asks a worker thread about its analysis. Only plain data is sent. */
export interface Questions {
  /** Annotations of a file; null for a file that could not be read when the recording was. */
  readonly file: Question<string, FileAnnotations | null>;
  /** Absolute paths of the files with lines to be marked. */
  readonly markedFiles: Question<null, readonly string[]>;
  readonly hotspots: Question<HotspotsQuestion, readonly HotspotGroup[]>;
  readonly verdict: Question<null, Verdict>;
  readonly operations: Question<OperationsParams, readonly DetailRow[]>;
  readonly waits: Question<null, readonly DetailRow[]>;
  readonly flame: Question<FlameQuery, FlameAnswer>;
  readonly search: Question<FlameSearch, FlameSearchAnswer>;
  readonly timeline: Question<TimelineQuery, Timeline>;
  readonly locate: Question<Place, Location | null>;
  readonly details: Question<number, FunctionDetails | null>;
  readonly callees: Question<number, readonly CalledFunction[]>;
  readonly remedies: Question<AskedLine, readonly Remedy[]>;
  readonly worstOfTest: Question<TestPlace, NamedTime | null>;
  readonly stacks: Question<number, readonly StackText[]>;
}

/** The questions about a diff. */
export interface DiffQuestions extends Pick<Questions, 'flame' | 'search' | 'locate'> {
  readonly find: Question<DiffPlace, FoundFunction | null>;
  readonly textBefore: Question<number, TextBefore | null>;
  /** The text of the file at an absolute path that the head ran; null where none was kept. */
  readonly textNow: Question<string, string | null>;
}

export type AllQuestions = Questions & DiffQuestions;

interface Question<Asked, Answer> {
  readonly asked: Asked;
  readonly answer: Answer;
}

export type QuestionName = keyof Questions;
export type DiffQuestionName = keyof DiffQuestions;

export interface HotspotsQuestion {
  readonly params: HotspotsParams;
  readonly metric: Metric;
}
