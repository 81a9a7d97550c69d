import type { AnalyzeResult } from '../../engine/analyze.ts';
import { type RunFigures, runFigures } from '../../engine/budget/run-figures.ts';
import { lowerThreshold } from '../../engine/compare/side.ts';
import type { AnalyzeFailure } from '../../engine/isolates/load-isolates.ts';
import { type AnalyzedRun, findAgain } from '../../engine/runs/find-again.ts';
import { takeGiven, type Taken } from '../../engine/runs/take-for.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { copyTexts, countedText, leftOutTexts, otherCodeText } from '../../words/given-recordings.ts';

/** What recordings tell that a person gave to be judged, run by run. */
export type GivenRuns = {
  /** What several were taken for; null where there is one. */
  readonly sentence: string | null;
} & (
  | {
      readonly type: 'read';
      readonly figures: readonly RunFigures[];
      readonly recordings: readonly (readonly string[])[];
      /** What keeps them from being judged as runs, in sentences. */
      readonly warnings: readonly string[];
    }
  | { readonly type: 'failed'; readonly failure: AnalyzeFailure }
);

/**
 * Reads runs, one after the other. Parts of one thing are one run; where nothing tells, each recording is a run. A run
 * that cannot be read is left out, and said.
 */
export async function readGivenRuns(
  paths: readonly string[],
  asked: Taken['takenFor'] | null,
  analyzed: (paths: readonly string[]) => Promise<AnalyzeResult>,
): Promise<GivenRuns> {
  const given = await takeGiven(paths, diskWorld, asked);
  const taken: Taken | null = given.taken?.why === 'unknown' ? { takenFor: 'runs', why: 'unknown' } : given.taken;
  const copies = copyTexts(given);
  const texts = [...copies, ...(taken === null ? [] : [countedText(given.kept.length, taken)])];
  const sentence = texts.length === 0 ? null : texts.join(' ');
  const recordings = taken?.takenFor === 'shards' ? [given.kept] : given.kept.map((one) => [one]);
  const read: (AnalyzedRun & { readonly figures: RunFigures; readonly paths: readonly string[] })[] = [];
  const leftOut: { readonly path: string; readonly failure: AnalyzeFailure }[] = [];
  for (const run of recordings) {
    const [path = ''] = run;
    const result = await analyzed(run);
    if (result.type === 'failed') leftOut.push({ path, failure: result.failure });
    else read.push({ ...result, path, paths: run, figures: await figuresOfRun(result) });
  }
  if (read.length === 0) return { type: 'failed', sentence, failure: leftOut[0]?.failure ?? { type: 'cancelled' } };
  const { differing } = await findAgain(read);
  return {
    type: 'read',
    sentence,
    figures: read.map(({ figures }) => figures),
    recordings: read.map((run) => run.paths),
    warnings: [
      ...leftOutTexts(leftOut, read.length),
      ...read.flatMap(({ path, analysis }) => failedText(path, analysis.recording.exitCode ?? 0)),
      ...differing.slice(0, 1).map(otherCodeText),
    ],
  };
}

function failedText(path: string, exitCode: number): readonly string[] {
  return exitCode === 0
    ? []
    : [`The command of ${path} failed (exit code ${exitCode}), so what did not run was not judged.`];
}

export async function figuresOfRun({
  analysis,
  at,
  textOf,
}: Extract<AnalyzeResult, { readonly type: 'analyzed' }>): Promise<RunFigures> {
  return runFigures({ analysis, lower: await at(lowerThreshold(analysis.thresholdUs)), textOf });
}
