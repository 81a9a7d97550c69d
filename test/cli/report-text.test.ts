import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportText } from '../../cli/report-text.ts';
import { hotspotsOf } from '../helpers/drawn-hotspots.ts';

test('a report in pieces is the same text as in one', async () => {
  const { report } = await hotspotsOf('parse parse parse (idle) bcryptjs#hash bcryptjs#hash bcryptjs#hash');
  const awkward = { ...report, warnings: ['a "line"\nand more'], modules: [] };
  assert.equal([...reportText(awkward)].join(''), `${JSON.stringify(awkward, null, 2)}\n`);
});

test('the pieces of a long report are short', async () => {
  const { report } = await hotspotsOf('parse parse parse');
  const operations = Array.from({ length: 20_000 }, () => report.operations).flat();
  const pieces = [...reportText({ ...report, operations })];
  assert.ok(pieces.length > 3);
  assert.equal(pieces.join(''), `${JSON.stringify({ ...report, operations }, null, 2)}\n`);
});
