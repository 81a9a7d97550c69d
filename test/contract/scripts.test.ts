import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import * as esbuild from 'esbuild';
import { projectFile } from '../helpers/project.ts';

test('what the scripts import is there: no type checker reads them', async () => {
  const scripts = ['scripts', 'lab', 'lab/bench', 'lab/nightly'].flatMap((folder) =>
    readdirSync(projectFile(folder)).flatMap((name) => (name.endsWith('.mjs') ? [`${folder}/${name}`] : [])),
  );
  assert.ok(scripts.includes('scripts/start.mjs'));
  const { warnings } = await esbuild.build({
    entryPoints: scripts.map((name) => projectFile(name)),
    bundle: true,
    write: false,
    outdir: 'none',
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
  assert.deepEqual(warnings, []);
});
