import type { Microseconds } from '../../../protocol/units.ts';
import type { Analysis, Several } from '../../analysis.ts';
import { type AnalyzeOptions, type AnalyzeResult, analyze } from '../../analyze.ts';
import type { World } from '../../read/files/world.ts';
import type { AnalyzeFailure, Progress } from '../../read/isolates/load-isolates.ts';
import { type AnalyzedRun, findAgain, type OtherText } from './find-again.ts';
import { type GivenRuns, mergeRuns } from './merge-runs.ts';
import { type Taken, takeGiven } from './take-for.ts';

export interface SeveralOptions extends AnalyzeOptions {
  /** What the person takes the recordings for; null where the recordings tell. */
  readonly takenFor: Several['takenFor'] | null;
}

type Analyzed = Extract<AnalyzeResult, { readonly type: 'analyzed' }>;

export type SeveralResult =
  | (Analyzed & {
      /** Each run by itself, with the ids that its functions have in `analysis`; empty where there is one, or shards. */
      readonly runs: readonly RunOfSeveral[];
    })
  | { readonly type: 'failed'; readonly failure: AnalyzeFailure }
  /** They look like runs of one thing, and ran different code. */
  | { readonly type: 'otherCode'; readonly differing: OtherText };

export interface RunOfSeveral {
  readonly path: string;
  readonly analysis: Analysis;
  readonly ids: readonly number[];
}

/**
 * Analyzes what a person gave together: one recording, several runs of one thing, or its parts. A recording that was
 * given twice counts once. A run that cannot be read is left out, and becomes a warning. Rejects only for a bug.
 */
export async function analyzeSeveral(
  paths: readonly string[],
  world: World,
  options: SeveralOptions,
): Promise<SeveralResult> {
  const { kept, copies, taken } = await takeGiven(paths, world, options.takenFor);
  if (taken?.takenFor === 'runs') return analyzeRuns(kept, world, options, { ...taken, copies });
  const result = await analyze(kept, world, options);
  if (taken === null && copies.length === 0) return withoutRuns(result);
  const together: Taken = taken ?? { takenFor: 'shards', why: 'unknown' };
  return withoutRuns(result, { ...together, copies, paths: kept, leftOut: [], middle: null, blames: [] });
}

function withoutRuns(result: AnalyzeResult, several?: Several): SeveralResult {
  if (result.type === 'failed') return result;
  const told = (analysis: Analysis): Analysis => (several === undefined ? analysis : { ...analysis, several });
  const at = async (thresholdUs: Microseconds): Promise<Analysis> => told(await result.at(thresholdUs));
  return { ...result, analysis: told(result.analysis), at, runs: [] };
}

async function analyzeRuns(
  paths: readonly string[],
  world: World,
  options: SeveralOptions,
  given: Omit<GivenRuns, 'leftOut'>,
): Promise<SeveralResult> {
  const read: { readonly path: string; readonly result: Analyzed }[] = [];
  const leftOut: Several['leftOut'][number][] = [];
  for (const [number, path] of paths.entries()) {
    const result = await analyze([path], world, { ...options, ...progressOf(options, number, paths.length) });
    if (result.type === 'analyzed') read.push({ path, result });
    else if (result.failure.type === 'cancelled') return result;
    else leftOut.push({ path, failure: result.failure });
  }
  const [first] = read;
  if (first === undefined) return { type: 'failed', failure: leftOut[0]?.failure ?? { type: 'cancelled' } };
  const runs = read.map(({ path, result: { analysis, textOf } }): AnalyzedRun => ({ path, analysis, textOf }));
  const again = await findAgain(runs);
  const [differing] = again.differing;
  if (differing !== undefined && given.why !== 'asked') return { type: 'otherCode', differing };
  const { analysis, middle, ids } = mergeRuns(runs, again, { ...given, leftOut });
  const at = async (thresholdUs: Microseconds): Promise<Analysis> => {
    const analyses = await Promise.all(read.map(({ result }) => result.at(thresholdUs)));
    const judged = runs.map((run, number) => ({ ...run, analysis: analyses[number] ?? run.analysis }));
    return mergeRuns(judged, again, { ...given, leftOut }, middle).analysis;
  };
  const inOrder = [...read.slice(middle, middle + 1), ...read].map(({ result }) => result);
  return {
    type: 'analyzed',
    analysis,
    at,
    textOf: async (url) => firstOf(inOrder, async (result) => result.textOf(url)),
    kept: async (path) => firstOf(inOrder, async (result) => result.kept(path)),
    runs: runs.map((run, number) => ({ path: run.path, analysis: run.analysis, ids: ids[number] ?? [] })),
  };
}

/** Tells how much of all runs has been read. */
function progressOf({ onProgress }: SeveralOptions, number: number, total: number): Pick<AnalyzeOptions, 'onProgress'> {
  if (onProgress === undefined) return {};
  const told = ({ percent }: Progress): void =>
    onProgress({ done: number, total, percent: Math.floor((100 * number + percent) / total) });
  return { onProgress: told };
}

async function firstOf<Item>(all: readonly Item[], ask: (one: Item) => Promise<string | null>): Promise<string | null> {
  for (const one of all) {
    const answer = await ask(one);
    if (answer !== null) return answer;
  }
  return null;
}
