// `npm run keep-suites -- FOLDER [--only mathjs]`: keeps the findings of recorded public suites in test/fixtures/suites.
// FOLDER has a folder for each project of kept-suites.ts, with its recordings inside. Fails where what is kept has other
// findings than the recording.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import type { Analysis } from '../../engine/analysis.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { findingName } from '../../words/findings.ts';
import { analyzedIn } from '../../test/helpers/analyzed.ts';
import { analyzedReduced, keepSuite, keptProject, keptSuites } from './kept-suites.ts';
import { reducedSuite } from './reduce-suite.ts';
import { type ReducedSuite, reducedSuiteSchema } from './reduced-suite.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true, default: [] } },
});
const folder = path.resolve(positionals[0] ?? '.');
const names = v.parse(
  v.array(v.picklist(['mathjs', 'zod', 'date-fns', 'ajv', 'express', 'dayjs', 'marked', 'hono'])),
  values.only.length === 0 ? Object.keys(keptSuites) : values.only,
);
for (const name of names) {
  const runs: Record<string, ReducedSuite> = {};
  for (const run of keptSuites[name].runs) runs[run] = await reducedRun(path.join(folder, name), run);
  console.log(`${name}: ${Object.keys(runs).length} recordings, ${Math.ceil(keepSuite(name, runs) / 1000)} kB`);
}

async function reducedRun(project: string, run: string): Promise<ReducedSuite> {
  const recording = path.join(project, run);
  assert.ok(existsSync(recording), `There is no recording ${recording}: record the suite into that folder first.`);
  const { analysis } = await analyzedIn(diskWorld, { roots: [project] }, [recording]);
  const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const text = JSON.stringify(reducedSuite(analysis, textOf)).replaceAll(project, keptProject);
  for (const place of [folder, os.homedir()]) assert.ok(!text.includes(`${place}/`), `A path below ${place} is left`);
  const reduced = v.parse(reducedSuiteSchema, JSON.parse(text));
  assert.deepEqual(openFindings(await analyzedReduced(reduced)), openFindings(analysis), recording);
  return reduced;
}

function openFindings(analysis: Analysis): readonly string[] {
  const open = analysis.findings.all.filter((finding) => finding.open);
  return open.map((finding) => `${findingName(finding, analysis)} ${finding.worstUs} ${finding.cause.kind}`);
}
