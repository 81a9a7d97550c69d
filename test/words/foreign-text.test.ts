import assert from 'node:assert/strict';
import { test } from 'node:test';
import { data } from '../../agents/tools.ts';
import { codeSpan, escapeMarkdown, escapeNotification, withPlacesAsCode } from '../../words/formats/foreign-text.ts';

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

test('a pair of surrogates is whole, or is not there', () => {
  const shown = [data('ab😀', 3), data('ab😀', 4), data('a\ud83d'), data('\u202e😀a', 9)];
  assert.deepEqual(shown, ['ab…', 'ab😀', 'a\\u{d83d}', '\\u{202e}…']); // Spelled out, the ninth unit is half a pair.
});

test('what would turn or hide text is spelled out', () => {
  assert.equal(escapeMarkdown('a\u202eb\u2028c'), 'a\\\\u\\{202e\\}b c');
});

test('a path stands as code, as it is written, whatever is in it', () => {
  assert.equal(codeSpan('src/order_handler.js:5'), '`src/order_handler.js:5`');
  assert.equal(codeSpan('a`b``c'), '``` a`b``c ```');
  assert.equal(codeSpan('`'), '`` ` ``');
  assert.equal(codeSpan('a|b', 'table'), '`a\\|b`');
  assert.equal(codeSpan('a\u202eb\nc'), '`a\\u{202e}b c`');
});

test('the places of a sentence are code, and its names are plain text', () => {
  assert.equal(
    withPlacesAsCode('312 ms worst in *clone*, src/a_b.js:12 (measured)'),
    '312 ms worst in \\*clone\\*, `src/a_b.js:12` (measured)',
  );
  assert.equal(withPlacesAsCode('nothing over 10 ms'), 'nothing over 10 ms');
});

test('a name cannot make a link of a notification, nor fill the screen', () => {
  assert.doesNotMatch(escapeNotification('[run](command:evil)'), /\]\(/);
  assert.equal(escapeNotification('x'.repeat(10_000)).length, 601);
});
