import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexSource } from '../../../../engine/read/source-code/index-source.ts';

test('chains of thousands of names and calls, and lists of as many, have an index', () => {
  const chain = indexSource(`a${'.b()'.repeat(10_000)}`, 'a.js');
  assert.equal(chain?.functions[0]?.calls.length, 10_000);
  assert.ok(indexSource(`[${'a,'.repeat(130_000)}] = x`, 'a.js') !== null);
  assert.ok(indexSource(`x = a${'.call'.repeat(10_000)}`, 'a.js') !== null);
});
