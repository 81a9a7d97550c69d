import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexSource } from '../../../engine/source-code/index-source.ts';
import { functionAt } from '../../../engine/source-code/source-index.ts';
import { column0, line0 } from '../../../protocol/units.ts';

/** In ms: a hundred times what it takes, and a part of what it took when the time grew with the square. */
const soon = 20_000;

test('loops and returns side by side are indexed in one pass', { timeout: soon }, () => {
  const both = indexSource(`function f() {\n${'return;\n'.repeat(20_000)}${'for (a of b);\n'.repeat(20_000)}}`, 'a.js');
  assert.equal(both?.functions[1]?.endsOfLoops.size, 0);
});

test('chains of thousands of names and calls, and lists of as many, have an index', { timeout: soon }, () => {
  const chain = indexSource(`a${'.b()'.repeat(20_000)}`, 'a.js');
  assert.equal(chain?.functions[0]?.calls.length, 20_000);
  assert.ok(indexSource(`[${'a,'.repeat(200_000)}] = x`, 'a.js') !== null);
  assert.ok(indexSource(`x = a${'.call'.repeat(10_000)}`, 'a.js') !== null);
});

test('40 000 functions of a file are found by their places', { timeout: soon }, () => {
  const index = indexSource('function f(a = () => 1) {}\n'.repeat(40_000), 'a.js');
  assert.ok(index !== null);
  for (let line = 0; line < 40_000; line++)
    assert.equal(functionAt(index, line0(line), column0(10), 'f'), line * 2 + 1);
});
