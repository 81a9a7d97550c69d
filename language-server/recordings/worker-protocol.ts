import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import type {
  HotspotGroup,
  HotspotsParams,
  Location,
  Metric,
  Place,
  StackText,
  AnalysisOptions,
  OpenAnswer,
} from '../../protocol/requests.ts';
import type { FileAnnotations } from '../queries/file-annotations.ts';
import type { FunctionDetails } from '../queries/function-details.ts';
import type { MarkedFunction } from '../../recordings/kept-files.ts';

export const openMethod = 'open';
export const progressMethod = 'progress';

/** The first request to a worker. Before it, no question can be answered. */
export interface OpenInWorker {
  readonly recording: string;
  /** True for the editor's own recordings: texts are kept beside one when it is read first. */
  readonly isOurs: boolean;
  /**
   * Functions marked in the run of the same target before. What is kept beside a recording that was opened before is
   * more certain.
   */
  readonly marked: readonly MarkedFunction[];
  readonly roots: readonly string[];
  readonly options: AnalysisOptions;
}

export interface OpenedInWorker {
  readonly answer: OpenAnswer;
  readonly marked: readonly MarkedFunction[];
}

/** Takes over tiers that were recorded meanwhile. */
export const takeTiersMethod = 'takeTiers';

/** The questions that the server asks a worker thread about its analysis. Only plain data is sent. */
export interface Questions {
  /** Annotations of a file; null for a file that could not be read when the recording was. */
  readonly file: Question<string, FileAnnotations | null>;
  readonly hotspots: Question<HotspotsQuestion, readonly HotspotGroup[]>;
  readonly flame: Question<FlameQuery, FlameAnswer>;
  readonly search: Question<FlameSearch, FlameSearchAnswer>;
  readonly locate: Question<Place, Location | null>;
  readonly details: Question<number, FunctionDetails | null>;
  readonly stacks: Question<number, readonly StackText[]>;
}

interface Question<Asked, Answer> {
  readonly asked: Asked;
  readonly answer: Answer;
}

export type QuestionName = keyof Questions;

export interface HotspotsQuestion {
  readonly params: HotspotsParams;
  readonly metric: Metric;
}
