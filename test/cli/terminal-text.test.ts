import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from '../../cli/views/terminal.ts';

test('a terminal obeys nothing in a name', () => {
  assert.equal(plainText('a\u001B[31mred\u001B[0m'), 'ared');
  assert.equal(plainText('\u001B]8;;https://example.com\u0007link\u001B]8;;\u0007'), 'link');
  assert.equal(plainText('bell\u0007 back\b delete\u007F'), 'bell\\u{7} back\\u{8} delete\\u{7f}');
  assert.equal(plainText('\u009B31mred and \u001B alone'), 'red and \\u{1b} alone');
});

test('a name stays on its line, and in its direction', () => {
  assert.equal(plainText('one\r\ntwo\tthree'), 'one  two three');
  assert.equal(plainText('a\u2028b'), 'a b');
  assert.equal(plainText('safe\u202Egpj.exe'), 'safe\\u{202e}gpj.exe');
});

test('letters of all languages stay', () => {
  assert.equal(plainText('größe · 日本語 · ñ · 👩‍👩‍👧 · می‌خواهم'), 'größe · 日本語 · ñ · 👩‍👩‍👧 · می‌خواهم');
});
