import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import type { AnalyzeResult } from '../../engine/analyze.ts';
import { type RunFigures, runFigures } from '../../engine/compare/budget/run-figures.ts';
import { lowerThreshold } from '../../engine/compare/side.ts';
import type { AnalyzeFailure } from '../../engine/read/isolates/load-isolates.ts';
import { type AnalyzedRun, findAgain } from '../../engine/compare/runs/find-again.ts';
import { takeGiven, type Taken } from '../../engine/compare/runs/take-for.ts';
import { recordingFile } from '../../protocol/recording.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { parseManifest } from '../../protocol/formats/parse-manifest.ts';
import { copyTexts, countedText, leftOutTexts, otherCodeText } from '../../words/given-recordings.ts';
import type { FailedCommand } from './head-runs.ts';

/** What recordings tell that a person gave to be judged, run by run. */
export type GivenRuns = {
  /** What several were taken for; null where there is one. */
  readonly sentence: string | null;
  /** The first command of them that failed; null where each ended well, or its end is not known. */
  readonly failed: FailedCommand | null;
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
    const [first = ''] = run;
    const result = await analyzed(run);
    if (result.type === 'failed') leftOut.push({ path: first, failure: result.failure });
    else read.push({ ...result, path: first, paths: run, figures: await figuresOfRun(result) });
  }
  const ends = await Promise.all(given.kept.map(endOf));
  const told = { sentence, failed: ends.find((end) => end !== null) ?? null };
  if (read.length === 0) return { type: 'failed', ...told, failure: leftOut[0]?.failure ?? { type: 'cancelled' } };
  const { differing } = await findAgain(read);
  return {
    type: 'read',
    ...told,
    figures: read.map(({ figures }) => figures),
    recordings: read.map((run) => run.paths),
    warnings: [
      ...leftOutTexts(leftOut, read.length),
      ...given.kept.flatMap((one, index) => failedText(one, ends[index] ?? null)),
      ...differing.slice(0, 1).map(otherCodeText),
    ],
  };
}

/** How the command of a recording failed; null where it ended well, or that is not known. */
async function endOf(recording: string): Promise<FailedCommand | null> {
  const text = await readFile(path.join(recording, recordingFile), 'utf8').catch(() => '');
  const { exitCode, signal } = parseManifest(text) ?? { exitCode: null, signal: null };
  const [, number = 0] = Object.entries(constants.signals).find(([name]) => name === signal) ?? [];
  const code = exitCode ?? (number === 0 ? 0 : 128 + number);
  return code === 0 ? null : { exitCode: code, log: null };
}

function failedText(recording: string, failed: FailedCommand | null): readonly string[] {
  return failed === null
    ? []
    : [`The command of ${recording} failed (exit code ${failed.exitCode}), so what did not run was not judged.`];
}

export async function figuresOfRun({
  analysis,
  at,
  textOf,
}: Extract<AnalyzeResult, { readonly type: 'analyzed' }>): Promise<RunFigures> {
  return runFigures({ analysis, lower: await at(lowerThreshold(analysis.thresholdUs)), textOf });
}
