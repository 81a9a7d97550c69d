import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import { reportOf } from '../../engine/report/report.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { profileSuffix } from '../../protocol/recording.ts';
import { milliseconds } from '../../protocol/units.ts';
import { tickDifferences } from './compare-ticks.ts';
import { differencesOf, figuresOfReference, figuresOfReport } from './figures.ts';
import { PlainFunctions } from './plain-function.ts';
import { parsePlainProfile } from './plain-profile.ts';
import { plainRecording } from './plain-recording.ts';
import { type ReferenceAnalysis, referenceAnalysis } from './reference-analysis.ts';

export interface Compared {
  readonly samples: number;
  readonly nodes: number;
  readonly functions: number;
  readonly culprits: number;
  readonly operations: number;
  readonly truncated: number;
  readonly unplaced: number;
  /** A sentence each. */
  readonly differences: readonly string[];
  readonly reference: ReferenceAnalysis;
}

/** Engine and reference on a `.cpuprofile` or a folder of a recording, as it was sampled: without source maps. */
export async function compareRecording(place: string, root: string, thresholdMs: number): Promise<Compared> {
  const files = await filesIn(place);
  const { isolates, evaluated } = plainRecording(files, parsePlainProfile);
  const reference = referenceAnalysis(isolates, { roots: [root], evaluated }, thresholdMs * 1000);
  const options = { thresholdUs: milliseconds(thresholdMs), roots: [root], sourceMaps: false };
  const result = await analyze([place], diskWorld, options);
  if (result.type === 'failed') throw new Error(describeFailure(result.failure));
  const report = reportOf(result.analysis, 'all');
  const grafts = reference.threads.map((thread) => thread.grafts);
  return {
    samples: sum(reference.threads.map(({ samples }) => samples.length)),
    nodes: sum(isolates.flatMap(({ parts }) => parts.map(({ nodes }) => nodes.length))),
    functions: report.functions.length,
    culprits: report.functions.filter(({ culprit }) => culprit !== null).length,
    operations: report.operations.length,
    truncated: sum(grafts.map(({ truncated }) => truncated)),
    unplaced: sum(grafts.map(({ unplaced }) => unplaced)),
    differences: [
      ...differencesOf(figuresOfReport(report), figuresOfReference(reference)),
      ...tickDifferences(
        result.analysis,
        isolates.flatMap(({ parts }) => parts),
        new PlainFunctions({ roots: [root], evaluated }),
      ),
    ],
    reference,
  };
}

async function filesIn(place: string): Promise<Readonly<Record<string, string>>> {
  const isFolder = (await stat(place)).isDirectory();
  const names = isFolder ? await readdir(place) : [path.basename(place)];
  const folder = isFolder ? place : path.dirname(place);
  const read = names
    .filter((name) => name.endsWith(profileSuffix) || name.endsWith('.jsonl') || name === 'recording.json')
    .map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(read));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
