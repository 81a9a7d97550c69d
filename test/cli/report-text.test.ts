import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportText } from '../../cli/views/report-text.ts';
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

test('a terminal obeys nothing in it, and a reader of JSON gets the same', async () => {
  const { report } = await hotspotsOf('parse parse parse');
  const hostile = {
    ...report,
    warnings: ['\u001b[2J\u009b31m\u007f \u202Eevil\u2066 \u2028\u2029 \u{E0001}'],
    modules: [],
  };
  const text = [...reportText(hostile)].join('');
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(hostile)));
});
