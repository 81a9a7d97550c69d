import assert from 'node:assert/strict';
import type { Analysis, Several } from '../../engine/analysis.ts';
import { type HotFunction, hotFunctions } from '../../engine/hot-functions.ts';
import { analyzeSeveral, type SeveralResult } from '../../engine/compare/runs/analyze-several.ts';
import { describeFailure } from '../../words/failures.ts';
import { warningTexts } from '../../words/given-recordings.ts';
import { type DrawnOptions, drawnRecording, ms } from './drawn-hotspots.ts';
import { memoryWorld } from './memory-world.ts';

/** One recording, of the same command in the same folder where nothing else is said. */
export interface DrawnRun extends DrawnOptions {
  /** `parse 41 check 12`: each function holds the loop for so many ms, in a turn of its own. */
  readonly held: string;
  /** More files, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of its tests. */
  readonly testFiles?: readonly string[];
}

export interface DrawnRuns {
  readonly analysis: Analysis;
  readonly several: Several;
  readonly hot: readonly HotFunction[];
  /** The hot function of that name. */
  readonly fn: (name: string) => HotFunction;
  readonly names: readonly string[];
  readonly warnings: readonly string[];
  readonly runs: Extract<SeveralResult, { readonly type: 'analyzed' }>['runs'];
}

/** Files of recordings in `/runs/1`, `/runs/2` and so on. They begin a minute after each other. */
export function filesOf(runs: readonly DrawnRun[]): Readonly<Record<string, string>> {
  const all = runs.map((run, number) => {
    const manifest = { startedAt: `2026-01-01T00:0${number}:00.000Z`, ...run.manifest };
    const tests = (run.testFiles ?? []).flatMap((file, id) => [
      ['begin', 0, id, file, ['a test'], -1] as const,
      ['end', 0, id] as const,
    ]);
    const options = { turns: turnsOf(run.held), ...run, manifest, ...(tests.length > 0 ? { tests } : {}) };
    return { ...drawnRecording(`/runs/${number + 1}`, drawingOf(run.held), options), ...run.files };
  });
  return Object.fromEntries(all.flatMap((files) => Object.entries(files)));
}

/** Analyzes the recordings with a threshold of 10 ms. Fails where that is refused. */
export async function drawnRuns(
  runs: readonly DrawnRun[],
  takenFor: Several['takenFor'] | null = null,
  paths = runs.map((_, number) => `/runs/${number + 1}`),
): Promise<DrawnRuns> {
  const result = await severalOf(runs, takenFor, paths);
  if (result.type === 'failed') assert.fail(describeFailure(result.failure));
  if (result.type === 'otherCode') assert.fail(`${result.differing.file} differs`);
  const { analysis } = result;
  const hot = hotFunctions(analysis);
  const nameOf = ({ functionId }: HotFunction): string => analysis.functions.functions[functionId]?.name ?? '';
  return {
    ...{ analysis, hot, runs: result.runs, warnings: warningTexts(analysis), names: hot.map(nameOf) },
    several: analysis.several ?? assert.fail('nothing is said of several recordings'),
    fn: (name) => hot.find((one) => nameOf(one) === name) ?? assert.fail(`no ${name}`),
  };
}

export async function severalOf(
  runs: readonly DrawnRun[],
  takenFor: Several['takenFor'] | null = null,
  paths = runs.map((_, number) => `/runs/${number + 1}`),
): Promise<SeveralResult> {
  const options = { thresholdUs: ms(10), roots: ['/app'], sourceMaps: true, takenFor };
  return analyzeSeveral(paths, memoryWorld(filesOf(runs)), options);
}

function partsOf(held: string): readonly { readonly name: string; readonly time: number }[] {
  const words = held.split(' ');
  return words.flatMap((name, at) => (at % 2 === 0 ? [{ name, time: Number(words[at + 1]) }] : []));
}

function drawingOf(held: string): string {
  return partsOf(held)
    .flatMap(({ name, time }) => [...Array.from({ length: time }, () => name), '(idle)'])
    .join(' ');
}

function turnsOf(held: string): readonly (readonly [number, number])[] {
  const turns: (readonly [number, number])[] = [];
  for (const { time } of partsOf(held)) {
    const start = (turns.at(-1)?.[1] ?? -1) + 1;
    turns.push([start, start + time]);
  }
  return turns;
}
