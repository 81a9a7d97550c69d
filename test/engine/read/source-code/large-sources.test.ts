import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexSource } from '../../../../engine/read/source-code/index-source.ts';
import { functionAt } from '../../../../engine/read/source-code/source-index.ts';
import { column0, line0 } from '../../../../protocol/units.ts';
import { growthOf, linear } from '../../../helpers/count-steps.ts';

test('loops and returns side by side are indexed in one pass', async () => {
  const textOf = (count: number): string =>
    `function f() {\n${'return;\n'.repeat(count)}${'for (a of b);\n'.repeat(count)}}`;
  assert.equal(indexSource(textOf(1), 'a.js')?.functions[1]?.endsOfLoops.size, 0);
  assert.ok((await growthOf(500, textOf, (text) => indexSource(text, 'a.js'))) <= linear);
});

test('each function of a large file is found by its place without a look at the others', async () => {
  const indexOf = (count: number) => indexSource('function f(a = () => 1) {}\n'.repeat(count), 'a.js') ?? assert.fail();
  const find = (index: ReturnType<typeof indexOf>): void => {
    for (let line = 0; line < index.functions.length >> 1; line++)
      assert.equal(functionAt(index, line0(line), column0(10), 'f'), line * 2 + 1);
  };
  assert.ok((await growthOf(500, indexOf, find)) <= linear);
});
