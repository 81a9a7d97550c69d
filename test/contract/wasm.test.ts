import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { compiledModule } from '../../scripts/compile-wasm.mjs';

test('the WebAssembly in the repository is made from its source', async () => {
  const kept = await readFile(new URL('../../engine/import/cpuprofile/plain-module.ts', import.meta.url), 'utf8');
  assert.equal(kept, await compiledModule(), 'run `npm run wasm`');
});
