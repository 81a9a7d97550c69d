import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignedFigures, rowLabel, spokenRow } from '../../words/editor/row-texts.ts';

test('figures are made as wide as the widest, so that units and names stand in a column', () => {
  const align = alignedFigures(['1.84 s', '312 ms', '8.4 ms', '']);
  assert.equal(align('312 ms'), '312 ms');
  assert.equal(align('1.84 s'), '\u20071.84 s');
  assert.equal(align('8.4 ms'), '\u20088.4 ms');
  assert.equal(align('49 ms'), '\u200749 ms');
  assert.equal(align(''), '', 'a row without a figure begins with its name');
  assert.equal(rowLabel(align('49 ms'), 'rank'), '\u200749 ms\u2002rank');
});

test('a row is heard as a sentence', () => {
  assert.equal(
    spokenRow(['rankByCategory', '≈1.84 s', '14 × · 3 stacks · catalogue.js:12']),
    'rankByCategory, about 1.84 s, 14 times, 3 stacks, catalogue.js line 12',
  );
  assert.equal(spokenRow(['quote', '41–44 ms', '3 runs · 3–4 ×']), 'quote, 41 to 44 ms, 3 runs, 3 to 4 times');
});
