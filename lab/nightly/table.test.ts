import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseRows, flagsOf, medianOf, summaryOf } from './table.mjs';
import { assertEach } from '../../test/helpers/assert-each.ts';

test('a value is the median of its runs', () => {
  assert.deepEqual([medianOf([9, 1, 2]), medianOf([1, 3])], [2, 2]);
});

test('a row is missed beyond its target or without a number, and worse beyond the latest and its tolerance', () => {
  const time = { unit: 'ms', atMost: 100, tolerance: 0.25 };
  assert.deepEqual(flagsOf(time, 90, 80), []);
  assert.deepEqual(flagsOf(time, 120, 110), ['missed']);
  assert.deepEqual(flagsOf(time, 90, 60), ['worse']);
  assert.deepEqual(flagsOf(time, undefined, 60), ['missed']);
  assert.deepEqual(flagsOf(time, 90, 60, false), [], 'times of another machine say nothing');
  assert.deepEqual(flagsOf({ unit: '%', atLeast: 95, tolerance: 0 }, 94, 96), ['missed', 'worse']);
});

test('words choose rows, and the summary counts them', () => {
  const sources = [
    { name: 'fuzz', rows: [{ name: 'failed cases' }] },
    { name: 'waits', rows: [{ name: 'table' }] },
  ];
  assertEach(chooseRows(sources, ['FUZZ']), ({ name }) => name, ['fuzz']);
  assert.equal(summaryOf([[], ['missed', 'worse'], ['worse']]), '3 rows: 1 missed, 2 worse');
});
