import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identitiesIn, isSameCode } from '../../../engine/compare/match-functions.ts';
import { indexSource } from '../../../engine/read/source-code/index-source.ts';

const code = `/** Doubles. */\nexport const twice = (x) => x * 2;\n`;
const topLevelOf = (text: string) =>
  identitiesIn('a.ts', text, indexSource(text, 'a.ts') ?? assert.fail())[0]?.topLevel;

test('white space and comments are not other code', () => {
  assert.ok(isSameCode('a.ts', code, `export const twice =\n  (x) => x * 2; // as it says\n`));
});

test('other tokens, and comments that tools read, are other code', () => {
  assert.ok(!isSameCode('a.ts', code, code.replace('2', '3')));
  assert.ok(!isSameCode('a.ts', code, `/** @jest-environment jsdom */\n${code}`));
  for (const read of ['// @jest-environment', '// @vitest-environment', '// @jsxRuntime', '#!/usr/bin/env']) {
    const [one, other] = [`${read} node\n${code}`, `${read} jsdom\n${code}`];
    assert.ok(!isSameCode('a.ts', one, other), read);
    assert.notEqual(topLevelOf(one), topLevelOf(other));
  }
  assert.ok(!isSameCode('a.ts', code, code.replace('(x)', '/* #__PURE__ */ (x)')));
});

test('of a file that is not JavaScript each character counts', () => {
  assert.ok(isSameCode('a.json', '{}', '{}'));
  assert.ok(!isSameCode('a.json', '{}', '{ }'));
});
