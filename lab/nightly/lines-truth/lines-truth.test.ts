import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { projectFile } from '../../../test/helpers/project.ts';
import { type Choice, forcedProgram, projects } from './forced-program.ts';
import { type Judged, judge } from './judge.ts';

/** The full table, of all compilers, is `npm run bench -- lines`. */

const plain: Choice = { projects: ['ledger'], extension: '.ts', type: 'module', shift: 1 };
const bundled: Choice = { projects, extension: '', type: 'commonjs', shift: 0 };

test('each line that is forced to be slow is marked, or what is marked says that it is a guess: types stripped by Node', async (t) => {
  assertTrue(await judged(t, plain, ['--no-warnings', 'src/main.ts']));
});

test('each line that is forced to be slow is marked, or what is marked says that it is a guess: a bundle', async (t) => {
  assertTrue(await judged(t, bundled, ['dist/main.js'], bundle));
});

function assertTrue(all: readonly Judged[]): void {
  const bad = all.filter(({ verdict }) => verdict === 'wrong' || verdict === 'lost');
  const shown = bad.map(({ force, said }) => `${force.project}:${force.line} ${force.way} → ${said}`);
  assert.ok(all.length >= 20, `only ${all.length} lines were slow enough to be judged`);
  assert.ok(bad.length <= all.length / 100, shown.join('\n'));
  assert.ok(all.filter(({ verdict }) => verdict === 'right').length > all.length / 2);
}

async function bundle(folder: string): Promise<void> {
  await build({
    absWorkingDir: folder,
    entryPoints: ['src/main.ts'],
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    sourcemap: true,
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
}

async function judged(
  t: TestContext,
  choice: Choice,
  run: readonly string[],
  prepare: (folder: string) => Promise<void> = async () => undefined,
): Promise<readonly Judged[]> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'lines-truth-')));
  t.after(() => rm(folder, { recursive: true }));
  const { files, forces } = forcedProgram(choice);
  for (const [name, text] of files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  await prepare(folder);
  const recording = path.join(folder, 'recording');
  const record = ['record', '--quiet', '--out', recording, '--', process.execPath];
  await promisify(execFile)(process.execPath, [projectFile('dist/cli.cjs'), ...record, ...run], { cwd: folder });
  return judge(folder, recording, forces);
}
