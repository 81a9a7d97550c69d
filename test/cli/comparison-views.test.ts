import assert from 'node:assert/strict';
import { test } from 'node:test';
import pico from 'picocolors';
import { printedComparison } from '../../cli/commands/compare.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import { milliseconds } from '../../protocol/units.ts';
import { comparisonOf } from '../helpers/drawn-sides.ts';

const colors = pico.createColors(false);
const thresholdUs = milliseconds(10);

function printed(format: 'table' | 'markdown' | 'json', given: Comparison, all = false): string {
  return printedComparison(given, { format, all, thresholdUs }, { colors, columns: Infinity }, '/app');
}

const runs = [40, 41, 42];
const changes = comparisonOf(
  { parse: { runs: [310, 312, 315] }, sort: { runs }, walk: { runs } },
  { parse: { runs, text: 'cached' }, sort: { runs }, walk: { runs: [40, 90, 41] } },
);

test('the table has changes with their places, and names what did not change', () => {
  assert.equal(
    printed('table', changes),
    `faster  312 → 41 ms (40–42, 3 pairs)  parse  src/shop.js:1

1 faster · no change seen in 1 · too noisy to say for 1

too noisy to say: walk. More pairs (--pairs N) or a quieter machine may say more.
no change seen: sort
`,
  );
  assert.match(printed('table', changes, true), /^no change seen {2,}\(±0 %\) +sort/m);
});

test('Markdown has a title, a row for each change, and the summary', () => {
  assert.equal(
    printed('markdown', changes),
    `### Hotspan: main → your work tree

| change | worst | function | where |
|---|---|---|---|
| **faster** | 312 → 41 ms (40–42, 3 pairs) | parse | src/shop\\.js\\:1 |

1 faster · no change seen in 1 · too noisy to say for 1
`,
  );
});

/** A name, a path and a warning that markup, a terminal and an editor would obey. */
const hostile = '<img src=x>|**b**[a](command:x)`\u001B[31mred\u0007\u202E\u009B2J\nx';
const half = { runs: [135, 136, 137].map((worst) => ({ worst, presence: 265 })), text: 'b', file: hostile };
const hostileMove = comparisonOf(
  { parse: { runs: [270, 271, 272], text: 'a', file: hostile } },
  { parse: half, [hostile]: { runs: [130, 131, 132], text: 'x y z' } },
  { warnings: [hostile] },
);

test('a terminal obeys nothing in a name, a path or a warning', () => {
  const table = printed('table', hostileMove, true);
  assert.match(table, /: see <img src=x>/);
  // oxlint-disable-next-line no-control-regex -- these are what must not be there
  assert.doesNotMatch(table, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  assert.equal(table.split('\n').filter((line) => line.startsWith('x')).length, 0);
});

test('nothing in a name, a path or a warning becomes markup', () => {
  const markdown = printed('markdown', hostileMove);
  assert.doesNotMatch(markdown, /(?<!\\)<img|(?<!\\)\[a|(?<!\\)\*\*b|(?<!\\)`/);
  const rows = markdown.split('\n').filter((line) => line.includes('img') && line.startsWith('|'));
  assert.equal(rows.length, 2);
  for (const row of rows) assert.equal(row.match(/(?<!\\)\|/g)?.length, 5, row);
});

test('JSON has the names as they are, with hidden characters escaped', () => {
  const json = printed('json', hostileMove);
  assert.doesNotMatch(json, /[\u007F-\u009F\u202E]/);
  assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(hostileMove)));
});
