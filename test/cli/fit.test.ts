import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingLines, shortPlace, wrap } from '../../cli/views/fit.ts';
import { cut } from '../../cli/views/shown-code.ts';

const plain = (text: string): string => text;
const colors = { figures: plain, label: plain, place: plain, note: plain };
const finding = {
  figures: '312 ms worst · 14 × >10 ms · 3 stacks',
  label: 'snapshot',
  place: 'packages/catalogue/src/products/snapshots.ts:2314',
  note: '',
};

test('a finding is one line where that fits, also with a shorter path', () => {
  assert.deepEqual(findingLines(finding, 0, 200, colors), [`${finding.figures}  snapshot  ${finding.place}`]);
  const [line = '', ...others] = findingLines(finding, 0, 80, colors);
  assert.deepEqual(others, []);
  assert.equal(line, `${finding.figures}  snapshot  packages/…/snapshots.ts:2314`);
});

test('in 60 columns names stand below the figures, which are whole', () => {
  assert.deepEqual(findingLines(finding, 0, 60, colors), [
    '312 ms worst · 14 × >10 ms · 3 stacks',
    '  snapshot  packages/…/src/products/snapshots.ts:2314',
  ]);
});

test('in any width no line is too long, and no figure and no line number is cut', () => {
  const place = 'src/カタログ/製品/スナップショット一覧表示.ts:2314';
  for (let columns = 30; columns < 140; columns++) {
    const wide = findingLines({ ...finding, label: '商品の写し🔥', place }, 0, columns, colors);
    for (const line of wide)
      assert.ok(line.length + (line.match(/[ぁ-ヿ一-鿿]/g)?.length ?? 0) <= columns, `${columns}: ${line}`);
    const lines = findingLines({ ...finding, note: '  (test code)' }, 0, columns, colors);
    for (const line of lines) assert.ok(line.length <= columns, `${columns}: ${line}`);
    const text = lines.join('\n');
    for (const whole of ['312 ms', '14 × >10 ms', '3 stacks', 'snapshots.ts:2314', 'snapshot', '(test code)'])
      assert.ok(text.includes(whole), `${columns}: ${whole} in\n${text}`);
  }
});

test('a path loses folders from its middle first, then letters of its name, never its line', () => {
  assert.equal(shortPlace('src/a.ts:3', 40), 'src/a.ts:3');
  assert.equal(shortPlace('/home/me/project/src/a.ts:3', 20), '/…/src/a.ts:3');
  assert.equal(shortPlace('src/スナップショット一覧.ts:3', 20), 'スナップ…ト一覧.ts:3');
  assert.match(shortPlace('src/averyveryverylongnameofafile.ts:1234', 20), /^avery.*….*\.ts:1234$/);
});

test('a text is broken at spaces, and a figure stays with its unit', () => {
  assert.deepEqual(wrap('one two three', 8), ['one two', 'three']);
  assert.deepEqual(wrap('was 312 → 41 ms now', 12), ['was', '312 → 41 ms', 'now']);
  assert.deepEqual(wrap('one two', Infinity), ['one two']);
});

test('code is cut at columns: characters of East Asia and emoji take two', () => {
  const texts = [cut('日本語のコード', 14), cut('日本語のコード', 13), cut('a🔥b🔥c', 6), cut('é×–', 3)];
  assert.deepEqual(texts, ['日本語のコード', '日本語のコー…', 'a🔥b…', 'é×–']);
});
