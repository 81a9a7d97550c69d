import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import * as esbuild from 'esbuild';
import { projectFile } from '../helpers/project.ts';

test('what the scripts import is there: no type checker reads them', async () => {
  const scripts = readdirSync(projectFile('scripts')).filter((name) => name.endsWith('.mjs'));
  assert.ok(scripts.includes('start.mjs'));
  const { warnings } = await esbuild.build({
    entryPoints: scripts.map((name) => projectFile(`scripts/${name}`)),
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
