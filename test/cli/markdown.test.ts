import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown } from '../../cli/views/table.ts';
import { line1 } from '../../protocol/units.ts';
import { clone, nothingFound } from './nothing-found.ts';
import type { HotspotView } from '../../cli/views/hotspot-view.ts';

const sort: HotspotView = {
  ...clone,
  ...{ label: 'rankByCategory', place: 'src/bestsellers.js:12', figures: '77 ms worst · 1 × >10 ms · 1 stack' },
  lines: [{ file: null, line: line1(12), text: 'a.sold - b.sold || `${a.sku}` < b.sku', figures: null }],
};

test('a hotspot is a row with its source line as code, bars and backticks in it too', () => {
  const text = markdown({ ...nothingFound, isAll: true, hotspots: [sort] }, 'npm test');
  assert.match(text, /^### Hotspan: npm test\n\n[\s\S]*\| blocks the event loop \|/);
  const row = text.split('\n').find((line) => line.includes('rankByCategory')) ?? '';
  assert.match(row, /^\| \*\*77 ms worst · 1 × >10 ms · 1 stack\*\* \| rankByCategory \| /);
  assert.ok(row.endsWith(String.raw`<br>${'``'} a.sold - b.sold \|\| ${'`${a.sku}`'} < b.sku ${'``'} |`));
});

test('a recorded name never becomes markup', () => {
  const hostile = { ...sort, label: '<img src=x> [a](command:x) | **b**', place: 'a|b`c:1' };
  const text = markdown({ ...nothingFound, isAll: true, hotspots: [hostile] }, '# <b>title</b>');
  assert.ok(!/(?<!\\)<img/.test(text));
  assert.ok(!/(?<!\\)\[a/.test(text));
  assert.ok(!/(?<!\\)<b>/.test(text));
  const row = text.split('\n').find((line) => line.includes('img')) ?? '';
  assert.equal(row.match(/(?<!\\)\|/g)?.length, 4);
});

test('nothing found is said', () => {
  assert.match(markdown({ ...nothingFound, verdict: 'Nothing blocks.' }, 'npm test'), /\n\nNothing blocks\\?\.\n$/);
});

test('a table has at most 200 rows and a fraction of a MiB, and says how many are left out', () => {
  const rows = (count: number, label: string): string => {
    const hotspots = Array.from({ length: count }, () => ({ ...sort, label }));
    return markdown({ ...nothingFound, isAll: true, hotspots }, 'npm test');
  };
  assert.match(rows(201, 'rank'), /(\n\| \*\*77 ms[^\n]*){200}\n\n… and 1 more\.\n/);
  assert.doesNotMatch(rows(200, 'rank'), / more\./);
  assert.match(markdown(nothingFound, `node ${'a.js '.repeat(9000)}`), /^### Hotspan: node .{150,250}…\n/);
  const long = rows(200, '<'.repeat(4000));
  assert.ok(Buffer.byteLength(long) < 2 ** 18);
  assert.match(long, /… and \d+ more\.\n/);
});
