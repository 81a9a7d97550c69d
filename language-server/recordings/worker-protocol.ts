import type { Analysis } from '../../engine/analysis.ts';
import { flameOf, searchFlame } from '../../engine/flame/flame.ts';
import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import type { HotspotGroup, HotspotsParams, Location, Metric, Place, StackText } from '../../protocol/requests.ts';
import { type FileAnnotations, annotationsOf } from '../queries/file-annotations.ts';
import type { KeptMarks } from '../queries/kept-marks.ts';
import { type FunctionDetails, detailsOf } from '../queries/function-details.ts';
import { hotspotsOf } from '../queries/hotspots.ts';
import { locate } from '../queries/locate.ts';
import { stacksOf } from '../queries/stacks.ts';

/** What the server asks an analysis, which is in a worker thread: only plain data is sent. */
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

export interface HotspotsQuestion {
  readonly params: HotspotsParams;
  readonly metric: Metric;
}

export type QuestionName = keyof Questions;

/** An analysed recording, which answers questions. */
export interface AnalysedRecording {
  readonly analysis: Analysis;
  /**
   * Absolute paths of the folders that are open in the editor. `analysis.roots` may come from the recording, which must
   * not say what may be opened without asking.
   */
  readonly folders: readonly string[];
  readonly kept: KeptMarks;
  /** Texts of own files when the recording was read, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

type Answers = {
  readonly [Name in QuestionName]: (
    recording: AnalysedRecording,
    asked: Questions[Name]['asked'],
  ) => Questions[Name]['answer'];
};

const mostStacks = 20;

export const answers: Answers = {
  file: ({ analysis, kept, texts }, path) => {
    const text = texts.get(path);
    return text === undefined ? null : annotationsOf(analysis, kept, path, text);
  },
  hotspots: ({ analysis, folders }, { params, metric }) => hotspotsOf(analysis, folders, params, metric),
  flame: ({ analysis }, query) => flameOf(analysis, query),
  search: ({ analysis }, search) => searchFlame(analysis, search),
  locate: ({ analysis, folders }, place) => locate(analysis, folders, place),
  details: ({ analysis }, functionId) => detailsOf(analysis, functionId),
  stacks: ({ analysis }, functionId) => stacksOf(analysis, functionId, mostStacks),
};
