import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longOperations } from '../../language-server/queries/long-operations.ts';
import type { TestLine } from '../../protocol/recording-lines.ts';
import { microseconds } from '../../protocol/units.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { type DrawnOptions, hotspotsOf } from '../helpers/drawn-hotspots.ts';

/** The first long operation comes after 3 ms; that of 1 ms is not long. */
const drawing = `
  (idle) (idle) (idle) parse parse parse (idle) bcryptjs#hash bcryptjs#hash bcryptjs#hash bcryptjs#hash (idle) format (idle) format format format
`;
const turns = '3-6 7-11 12-13 14-17';
const all = { from: 0, count: 300 };

const drawn = async (options: DrawnOptions) => (await hotspotsOf(drawing, { turns, ...options })).analysis;

test('long operations stand in time order, with who held the loop, the test and the place', async () => {
  const tests: readonly TestLine[] = [
    ['begin', 0, 1, '/app/test/cart.test.ts', ['cart', 'reads'], -1],
    ['end', 6.5, 1],
  ];
  const rows = longOperations(await drawn({ tests }), all);
  assertEach(rows, ({ figure, label, description }) => [figure, label, description.replace(/:\d+$/, '')], [
    ['3 ms', 'at 3 ms', 'parse · in test "reads" · app.ts'],
    ['4 ms', 'at 7 ms', 'bcryptjs'],
    ['3 ms', 'at 14 ms', 'format · app.ts'],
  ]);
  const [first, second] = rows;
  assert.match(first?.tooltip ?? '', /^3 ms at 3 ms\nparse\nsrc\/app\.ts:\d+\ncart > reads$/);
  assert.deepEqual([first?.operation, first?.opens], [0, 'operation']);
  assert.ok((first?.functionId ?? -1) >= 0, 'a way to the line of the culprit');
  assert.equal(second?.functionId, -1, 'and none where there is no culprit');
});

test('an operation in which a request was answered says its route', async () => {
  const [first] = longOperations(await drawn({ requests: [{ slow: true, start: 3.5, end: 6 }] }), all);
  assert.match(first?.description ?? '', /^parse · GET \/slow · /);
});

test('later operations stand below a row with the longest of them', async () => {
  const analysis = await drawn({});
  const [first, later, last] = longOperations(analysis, { from: 0, count: 1 });
  assert.equal(first?.label, 'at 3 ms');
  assert.deepEqual([later?.figure, later?.label, later?.description], ['4 ms', '+1 more', 'at 7 ms to 7 ms']);
  assert.deepEqual(last?.later, { from: 2, count: 1 });
  assertEach(longOperations(analysis, { from: 2, count: 1 }), ({ label }) => label, ['at 14 ms']);
});

test('what the person can change stands first, and the test runner and Node.js behind one row', async () => {
  const runner = `
    (idle) node:fs#read node:fs#read node:fs#read (idle) parse parse parse (idle) node:fs#read node:fs#read node:fs#read
  `;
  const { analysis } = await hotspotsOf(runner, { turns: '1-4 5-8 9-12' });
  const late = analysis.operations.map((one) => ({ ...one, start: microseconds(one.start + 200_000_000) }));
  const rowsIn = (part: typeof all) => longOperations({ ...analysis, operations: late }, part);
  const [first, rest] = rowsIn(all);
  assert.equal(first?.label, 'at 200.005 s');
  assert.deepEqual([rest?.label, rest?.description], ['+2 more', 'of the test runner, loading and Node.js']);
  assert.equal(rest?.tooltip, '2 long operations at 200.001 s to 200.009 s, the longest 3 ms');
  assertEach(rowsIn(rest?.later ?? all), ({ label }) => label, ['at 200.001 s', 'at 200.009 s']);
});

test('where nothing was long, one row says so', async () => {
  const [row] = longOperations(await drawn({ threshold: 100 }), all);
  assert.equal(row?.label, 'No operation held an event loop for more than 100 ms.');
});
