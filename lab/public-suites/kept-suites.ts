import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as v from 'valibot';
import type { Analysis } from '../../engine/analysis.ts';
import { analyzedIn } from '../../test/helpers/analyzed.ts';
import { memoryWorld } from '../../test/helpers/memory-world.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { recordingOf, type ReducedSuite, reducedSuiteSchema, sourcesOf } from './reduced-suite.ts';

/** A public project of whose recorded tests test/fixtures/suites has the findings. */
interface KeptSuite {
  /** On GitHub. */
  readonly repository: string;
  /** Its commit. */
  readonly version: string;
  /** The recordings, in folders of these names inside the project's. */
  readonly runs: readonly string[];
}

const mathjsRuns = ['calm-1', 'calm-2', 'calm-3', 'busy-1', 'busy-2', 'busy-3', 'node-20'] as const;

/**
 * By project. `recording.json` of each run has its command. They ran on Node 24.21, on two cores; `busy` beside four
 * processes that did nothing but compute, `node-20` on Node 20.20. marked ran without its specs, hono without
 * `runtime-tests`, zod without its type checks and its second project, ajv without re2.
 */
export const keptSuites = {
  mathjs: { repository: 'josdejong/mathjs', version: 'f7c10b1bc', runs: mathjsRuns },
  zod: { repository: 'colinhacks/zod', version: 'e516c3baf', runs: ['recording'] },
  'date-fns': { repository: 'date-fns/date-fns', version: 'dd6639830', runs: ['recording'] },
  ajv: { repository: 'ajv-validator/ajv', version: '82735a15', runs: ['recording'] },
  express: { repository: 'expressjs/express', version: 'a3714473', runs: ['recording'] },
  dayjs: { repository: 'iamkun/dayjs', version: '0f6c19e3', runs: ['recording'] },
  marked: { repository: 'markedjs/marked', version: '681373cc', runs: ['recording'] },
  hono: { repository: 'honojs/hono', version: '28a9c128', runs: ['recording'] },
} as const satisfies Readonly<Record<string, KeptSuite>>;

export type SuiteName = keyof typeof keptSuites;

/** The project's folder in what is kept. */
export const keptProject = '/fixture-project';

const schema = v.record(v.string(), reducedSuiteSchema);
const fileOf = (name: string): string => projectFile('test/fixtures/suites', `${name}.json.br`);

/** Writes what is kept of the recordings of a project, by run. Returns the size of the file in bytes. */
export function keepSuite(name: SuiteName, runs: Readonly<Record<string, ReducedSuite>>): number {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 };
  const bytes = brotliCompressSync(JSON.stringify(runs), { params });
  mkdirSync(path.dirname(fileOf(name)), { recursive: true });
  writeFileSync(fileOf(name), bytes);
  return bytes.length;
}

/** Analyzes what is kept of a recording. */
export async function analyzedSuite(name: SuiteName, run = 'recording'): Promise<Analysis> {
  const runs = v.parse(schema, JSON.parse(brotliDecompressSync(readFileSync(fileOf(name))).toString()));
  return analyzedReduced(runs[run] ?? assert.fail(`${name} has no ${run}: ${Object.keys(runs).join(', ')}`));
}

/** Analyzes a reduced recording of `keptProject`. */
export async function analyzedReduced(suite: ReducedSuite): Promise<Analysis> {
  const files = Object.entries(recordingOf(suite, keptProject)).map(([file, text]) => [`/rec/${file}`, text] as const);
  const world = memoryWorld({ ...Object.fromEntries(files), ...sourcesOf(suite) });
  const { analysis } = await analyzedIn(world, { roots: [keptProject] });
  return analysis;
}
