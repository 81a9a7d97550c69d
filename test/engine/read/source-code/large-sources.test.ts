import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identitiesIn } from '../../../../engine/compare/match-functions.ts';
import { codePartsIn } from '../../../../engine/read/source-code/code-parts.ts';
import { findTests } from '../../../../engine/read/source-code/find-tests.ts';
import { indexSource } from '../../../../engine/read/source-code/index-source.ts';
import { parseSource } from '../../../../engine/read/source-code/parse-source.ts';
import { functionAt } from '../../../../engine/read/source-code/source-index.ts';
import { column0, line0 } from '../../../../protocol/units.ts';
import { growthOf, linear } from '../../../helpers/count-steps.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

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

test('a table of more values than a call can have arguments is read like other code', () => {
  const text = `const table = [${'0,'.repeat(130_000)}];\nfunction f() {}\ntest('sums', () => {});`;
  const file = parseSource(text, 'a.js') ?? assert.fail();
  const index = indexSource(text, 'a.js') ?? assert.fail();
  assert.equal(identitiesIn('a.js', text, index).length, 3);
  assertEach(codePartsIn(text, 'a.js'), ({ names }) => names, [['table'], ['f'], []]);
  assertEach(findTests(file), ({ title }) => title.text, ['sums']);
});
