// npm run differential [-- PROGRAM …]: profiles public programs on each Node version, engine and reference compared.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureNodeVersions } from '../../scripts/node-versions.mjs';
import { nodeVersions } from '../../test/helpers/node-versions.ts';
import { type Compared, compareRecording } from './compare-recording.ts';
import { type PublicProgram, preparePrograms, programs } from './public-programs.ts';
import type { ReferenceAnalysis } from './reference-analysis.ts';

const folder = process.env['DIFFERENTIAL_FOLDER'] ?? mkdtempSync(path.join(tmpdir(), 'hotspan-differential-'));
const wanted = process.argv.slice(2);

ensureNodeVersions();
preparePrograms(folder);
console.log(
  '| program | Node | samples | nodes | functions | operations | culprits | truncated, unplaced | differences |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const program of programs.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
  for (const { version, node } of nodeVersions()) await compare(program, version, node);

async function compare(program: PublicProgram, version: string, node: string): Promise<void> {
  const profiles = profile(program, version, node);
  const compared: Compared[] = [];
  for (const file of profiles)
    for (const root of program.roots) compared.push(await compareRecording(file, path.join(folder, root), 10));
  const sum = (of: (one: Compared) => number): number => compared.reduce((total, one) => total + of(one), 0);
  const most = (of: (one: Compared) => number): number => Math.max(0, ...compared.map(of));
  const differences = compared.flatMap((one) => one.differences);
  const figures = [
    ...[most(({ samples }) => samples), most(({ nodes }) => nodes), most((one) => one.functions)],
    ...[most(({ operations }) => operations), sum(({ culprits }) => culprits)],
    `${most(({ truncated }) => truncated)}, ${most(({ unplaced }) => unplaced)}`,
    profiles.length === 0 ? 'no profile' : differences.length,
  ];
  console.log(`| ${[program.name, version, ...figures].join(' | ')} |`);
  for (const difference of differences.slice(0, 5)) console.error(difference);
  for (const sentence of gapSentences(program, version, compared)) console.error(sentence);
  if (differences.length > 0 || profiles.length === 0) process.exitCode = 1;
}

/** Where what runs from beginning to end is not on the stack; samples with another stack are a failure. */
function gapSentences(
  { throughout }: PublicProgram,
  version: string,
  compared: readonly Compared[],
): readonly string[] {
  const sentences = compared.flatMap(({ reference }) => {
    const gaps = throughout === undefined ? null : gapsOf(reference, throughout);
    if (gaps === null) return [];
    if (gaps.otherStack > 0) process.exitCode = 1;
    return [
      `${throughout}, Node ${version}: of ${gaps.samples} samples ${gaps.otherStack} without it, ${gaps.noStack} without a stack`,
    ];
  });
  return [...new Set(sentences)];
}

/** Samples between the first and the last one that hold a function, and those among them that do not, by what they have. */
interface Gaps {
  readonly samples: number;
  readonly otherStack: number;
  /** Native code and collections, with nothing on the stack. */
  readonly noStack: number;
}

/**
 * The gaps of the function of this name, grafted and bridged, in the thread in which it is longest; null where none has
 * it.
 */
function gapsOf({ threads }: ReferenceAnalysis, name: string): Gaps | null {
  const found = threads.flatMap(({ samples }): readonly Gaps[] => {
    const holds = samples.map(({ stack }) => stack.some((fn) => fn.name === name));
    const inside = samples.slice(holds.indexOf(true), holds.lastIndexOf(true) + 1);
    if (!holds.includes(true)) return [];
    const without = inside.filter(({ stack }) => !stack.some((fn) => fn.name === name));
    const noStack = without.filter(({ stack }) => stack.length === 0).length;
    return [{ samples: inside.length, otherStack: without.length - noStack, noStack }];
  });
  return found.toSorted((a, b) => b.samples - a.samples)[0] ?? null;
}

/** The profiles that the program leaves, one for each process and thread, the largest three. */
function profile(
  { name, command, intervalUs = 1000 }: PublicProgram,
  version: string,
  node: string,
): readonly string[] {
  const place = path.join(folder, 'profiles', `${name.replace(' ', '-')}-${version}`);
  rmSync(place, { recursive: true, force: true });
  const flags = ['--cpu-prof', `--cpu-prof-dir=${place}`, `--cpu-prof-interval=${intervalUs}`];
  const { error } = spawnSync(node, [...flags, ...command], { cwd: folder, stdio: 'ignore', timeout: 600_000 });
  if (error !== undefined) console.error(`${name} on Node ${version}: ${error.message}`);
  const names = existsSync(place) ? readdirSync(place) : [];
  return names.filter((file) => file.endsWith('.cpuprofile')).map((file) => path.join(place, file));
}
