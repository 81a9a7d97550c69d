import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeMarkdown, escapeNotification } from '../../words/formats/escape-markdown.ts';

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

test('what would turn or hide text is spelled out', () => {
  assert.equal(escapeMarkdown('a\u202eb\u2028c'), 'a\\\\u\\{202e\\}b c');
});

test('a name cannot make a link of a notification, nor fill the screen', () => {
  assert.doesNotMatch(escapeNotification('[run](command:evil)'), /\]\(/);
  assert.equal(escapeNotification('x'.repeat(10_000)).length, 601);
});
