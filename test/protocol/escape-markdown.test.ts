import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeMarkdown } from '../../protocol/escape-markdown.ts';

test('links, HTML, code, emphasis and addresses are plain text', () => {
  assert.equal(escapeMarkdown('[a](command:x)'), '\\[a\\]\\(command\\:x\\)');
  assert.equal(escapeMarkdown('<b>`*_|'), '\\<b\\>\\`\\*\\_\\|');
  assert.equal(escapeMarkdown('http://x.y @z'), 'http\\://x\\.y \\@z');
});

test('a name of several lines stays on one', () => {
  assert.equal(escapeMarkdown('a\n\n# b'), 'a \\# b');
});

test('words in any language stay as they are', () => {
  assert.equal(escapeMarkdown('größe 価格 $$'), 'größe 価格 \\$\\$');
});

test('nothing that turns or hides text is left of a name', () => {
  assert.equal(escapeMarkdown('a\u0000\u001b[31m\u009b\u202eb\u2066\u2028c\u2029d\u200e'), 'a\\[31mb c d');
});
