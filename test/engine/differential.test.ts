import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Analysis } from '../../engine/analysis.ts';
import { longestRun } from '../../engine/judge/hotspots/function-details.ts';
import { milliseconds } from '../../protocol/units.ts';
import { memoryWorld } from '../helpers/memory-world.ts';
import { drawingOf } from '../../lab/reference/drawing-of.ts';
import { differencesOf } from '../../lab/reference/figures.ts';
import { filesOf, generatedRecording } from '../../lab/reference/generated-recording.ts';
import { plainExcess } from '../../lab/reference/plain-excess.ts';
import { parsePlainProfile } from '../../lab/reference/plain-profile.ts';
import { plainRecording } from '../../lab/reference/plain-recording.ts';
import { plainLongestRun } from '../../lab/reference/plain-runs.ts';
import { type ReferenceAnalysis, referenceAnalysis } from '../../lab/reference/reference-analysis.ts';
import { fc } from '../helpers/drawn-cases.ts';
import { analyzedIn } from '../helpers/analyzed.ts';

const thresholds = fc.constantFrom(2, 10);

test('every figure of every generated recording is what the plain reference says', async () => {
  const property = fc.asyncProperty(generatedRecording, thresholds, async (recording, thresholdMs) => {
    const differences = await differencesIn(filesOf(recording), thresholdMs);
    assert.deepEqual(differences, [], `${drawingOf(recording)}\n\n${differences.join('\n')}`);
  });
  await fc.assert(property, { numRuns: Number(process.env['CASES'] ?? 80) });
});

async function differencesIn(files: Readonly<Record<string, string>>, thresholdMs: number): Promise<readonly string[]> {
  const placed = Object.fromEntries(Object.entries(files).map(([name, text]) => [`/rec/${name}`, text]));
  const options = { thresholdUs: milliseconds(thresholdMs), sourceMaps: false };
  const result = await analyzedIn(memoryWorld(placed), options);
  const { isolates, evaluated } = plainRecording(files, parsePlainProfile);
  const reference = referenceAnalysis(isolates, { roots: ['/app'], evaluated }, thresholdMs * 1000);
  return [
    ...differencesOf(result.analysis, reference),
    ...runDifferences(result.analysis, reference),
    ...excessDifferences(result.analysis, reference, thresholdMs * 1000),
  ];
}

/** What the findings share out (rule 17): no more than there is, and nothing twice. */
function excessDifferences(
  { findings: { all, longOperations, excessUs, explainableUs } }: Analysis,
  { operations }: ReferenceAnalysis,
  thresholdUs: number,
): readonly string[] {
  const plain = plainExcess(operations, thresholdUs);
  const removed = all.reduce((sum, { removesUs }) => sum + removesUs, 0);
  const rounding = all.length + 1;
  return [
    ...(longOperations === plain.longOperations && excessUs === plain.excessUs
      ? []
      : [`excess: engine ${longOperations}, ${excessUs}; reference ${plain.longOperations}, ${plain.excessUs}`]),
    ...(removed <= plain.excessUs + rounding ? [] : [`findings remove ${removed} of ${plain.excessUs}`]),
    ...(explainableUs <= plain.nameableUs + rounding ? [] : [`${explainableUs} explained of ${plain.nameableUs}`]),
  ];
}

/** The one figure of a function that is in no report. */
function runDifferences(analysis: Analysis, { functions, threads }: ReferenceAnalysis): readonly string[] {
  return analysis.functions.functions.flatMap(({ id, name, url, line, column }) => {
    const plain = functions.find(
      (fn) => fn.name === name && fn.url === url && fn.line === line && fn.column === column,
    );
    const [mine, theirs] = [longestRun(analysis, id), plain === undefined ? 0 : plainLongestRun(threads, plain)];
    return mine === theirs ? [] : [`longest run of ${name} ${url}: engine ${mine}, reference ${theirs}`];
  });
}
