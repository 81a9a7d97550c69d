import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameCode } from '../../../engine/compare/match-functions.ts';

const code = `/** Doubles. */\nexport const twice = (x) => x * 2;\n`;

test('white space and comments are no other code', () => {
  assert.ok(isSameCode('a.ts', code, `export const twice =\n  (x) => x * 2; // as it says\n`));
});

test('other tokens, and comments that tools read, are other code', () => {
  assert.ok(!isSameCode('a.ts', code, code.replace('2', '3')));
  assert.ok(!isSameCode('a.ts', code, `/** @jest-environment jsdom */\n${code}`));
  assert.ok(!isSameCode('a.ts', code, code.replace('(x)', '/* #__PURE__ */ (x)')));
});

test('of a file that is no JavaScript each character counts', () => {
  assert.ok(isSameCode('a.json', '{}', '{}'));
  assert.ok(!isSameCode('a.json', '{}', '{ }'));
});
