import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { analyze } from '../../engine/analyze.ts';
import { isList, isRecord, numberOf } from '../../protocol/json-value.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { milliseconds } from '../../protocol/units.ts';
import { dependency, program, stripped } from './spinning-program.ts';
import type { HotLine } from '../../engine/lines/hot-lines.ts';

const run = promisify(execFile);

interface Project {
  readonly folder: string;
  /** Source of the program, and of what Node runs. */
  readonly source: string;
  readonly entry: string;
}

const builds: Readonly<Record<string, (project: Project) => Promise<unknown>>> = {
  'esbuild, inline map': ({ source, entry }) => esbuild(source, entry, { sourcemap: 'inline' }),
  'esbuild, map beside it, without the sources': ({ source, entry }) =>
    esbuild(source, entry, { sourcemap: 'linked', sourcesContent: false }),
  'esbuild, minified into one line': ({ source, entry }) =>
    esbuild(source, entry, { sourcemap: 'linked', minify: true }),
  tsc: async ({ folder, source }) => {
    const flags = [
      '--ignoreConfig',
      '--sourceMap',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--skipLibCheck',
      '--noCheck',
      '--types',
      'node',
    ];
    const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    await run(process.execPath, [
      tsc,
      ...flags,
      '--rootDir',
      dirname(source),
      '--outDir',
      join(folder, 'dist'),
      source,
    ]);
  },
};

for (const [name, buildIt] of Object.entries(builds)) {
  test(`TypeScript by ${name}: each spin is on its line, for as long as it took, or marked as a guess`, async (t) => {
    const project = await projectIn(t, 'work.ts', 'dist/work.js', program);
    await buildIt(project);
    await assertTrue(project);
  });
}

test('JavaScript: each spin is on its line, for as long as it took', async (t) => {
  const project = await projectIn(t, 'work.js', 'src/work.js', stripped());
  const lines = await assertTrue(project);
  assert.ok(lines.some(({ precision }) => precision === 'exact'));
});

async function esbuild(source: string, entry: string, options: Parameters<typeof build>[0]): Promise<void> {
  await build({ entryPoints: [source], outfile: entry, format: 'esm', platform: 'node', target: 'node20', ...options });
}

async function projectIn(t: TestContext, file: string, entry: string, text: string): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'truth-')));
  t.after(() => rm(folder, { recursive: true }));
  const files = {
    [`src/${file}`]: text,
    'package.json': '{"type":"module"}',
    'node_modules/dep/index.js': dependency,
    'node_modules/dep/package.json': '{"name":"dep","type":"module","main":"index.js"}',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return { folder, source: join(folder, 'src', file), entry: join(folder, entry) };
}

/** Tries again when other work on the machine has kept the program or its sampler from running. */
async function assertTrue(project: Project): Promise<readonly HotLine[]> {
  for (let attempt = 1; attempt < 4; attempt += 1) {
    try {
      return await assertMarks(project);
    } catch (error) {
      if (!(error instanceof assert.AssertionError)) throw error;
    }
    await rm(join(project.folder, 'profiles'), { recursive: true });
  }
  return assertMarks(project);
}

/** Records the program and compares the marks of its lines to its own clock. */
async function assertMarks({ folder, source, entry }: Project): Promise<readonly HotLine[]> {
  const flags = ['--cpu-prof', '--cpu-prof-interval', '500', '--cpu-prof-dir', join(folder, 'profiles')];
  const { stdout } = await run(process.execPath, [...flags, entry], { cwd: folder });
  const took = timesIn(stdout);
  const unseen = await longestUnseen(join(folder, 'profiles'));
  const result = await analyze([join(folder, 'profiles')], diskWorld, {
    thresholdUs: milliseconds(10),
    roots: [folder],
    sourceMaps: true,
  });
  assert.equal(result.type, 'analyzed');
  const lines = result.type === 'analyzed' ? result.analysis.lines : [];
  const marked = (await readFile(source, 'utf8')).split('\n').flatMap((text, index) => {
    const name = /@(\w+)$/.exec(text)?.[1];
    return name === undefined ? [] : [{ name, line: index + 1 }];
  });
  assert.equal(marked.length, 5);
  for (const { name, line } of marked) {
    const mark = lines.find(
      (candidate) => candidate.url.endsWith(source.slice(folder.length)) && candidate.line === line,
    );
    const guesses = lines.filter((candidate) => candidate.decorated && candidate.precision !== 'exact');
    if (mark === undefined && guesses.length > 0) continue;
    const expected = took.get(name) ?? 0;
    const worst = (mark?.worst ?? 0) / 1000;
    const isTrue = mark !== undefined && Math.abs(worst - expected) <= Math.max(4, expected * 0.1) + unseen;
    assert.ok(
      isTrue || mark?.precision !== 'exact',
      `${name}: ${worst} ms on line ${line}, took ${expected} ms, ${unseen} ms unseen`,
    );
  }
  assertNoFalseMark(
    lines.filter(({ worst }) => worst > milliseconds(10 + unseen)),
    marked.map(({ line }) => line),
  );
  return lines;
}

/**
 * In ms: what can fall between the samples at both ends of a spin. A quiet machine's longest gaps are some 1 ms; where
 * twenty programs share it, the sampler waits for tens of ms, and no recording without such gaps is to be had.
 */
async function longestUnseen(folder: string): Promise<number> {
  const [file = ''] = await readdir(folder);
  const profile: unknown = JSON.parse(await readFile(join(folder, file), 'utf8'));
  const deltas: unknown = isRecord(profile) ? profile['timeDeltas'] : null;
  const gaps = (isList(deltas) ? deltas : []).slice(1).map((delta) => numberOf(delta, 0) / 1000);
  const [longest = 0, next = 0] = gaps.toSorted((a, b) => b - a);
  return longest + next;
}

/** What the program printed, in ms by name. */
function timesIn(json: string): ReadonlyMap<string, number> {
  const times: unknown = JSON.parse(json);
  const entries = typeof times === 'object' && times !== null ? Object.entries(times) : [];
  return new Map(entries.map(([name, time]) => [name, Number(time)]));
}

/** A mark that claims to be exact is on one of the lines that spin. */
function assertNoFalseMark(lines: readonly HotLine[], spinning: readonly number[]): void {
  const claims = lines.filter(({ decorated, precision }) => decorated && precision === 'exact').map(({ line }) => line);
  assert.deepEqual(
    claims.filter((line) => !spinning.includes(line)),
    [],
  );
}
