import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { compiledFiles } from '../../scripts/build-wasm.mjs';

test('what is compiled from AssemblyScript and kept in the repository is made from its source', async () => {
  for (const { file, text } of await compiledFiles()) {
    const kept = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
    assert.equal(kept, text, `${file}: run \`npm run wasm\``);
  }
});
