import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newBudget } from '../../../engine/budget/new-budget.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { run } from './runs.ts';

test('a new budget allows twice the median, in whole ms', () => {
  const { functions, whole } = newBudget([run({ 'a#f': 31.2 }), run({ 'a#f': 40 }), run({ 'a#f': 500 })], null);
  assert.deepEqual([...functions], [['a#f', milliseconds(80)]]);
  assert.equal(whole, milliseconds(80));
  assert.deepEqual([...newBudget([run({ 'a#f': 31.2 })], null).functions], [['a#f', milliseconds(63)]]);
});

test('what is over the threshold in half of the runs or fewer gets no budget, and neither do tests', () => {
  const once = newBudget([run({ 'a#f': 40 }), run({ 'a#f': null }), run({})], null);
  assert.deepEqual([...once.functions], []);
  assert.deepEqual([...newBudget([run({ 't#f': 40 }, { isTest: true })], null).functions], []);
});

test('a project in which nothing blocks gets twice the threshold', () => {
  assert.equal(newBudget([run({})], null).whole, milliseconds(20));
});

test('what a person wrote by hand stays', () => {
  const old = {
    functions: new Map([['a#old', milliseconds(5)]]),
    files: new Map([['src/**', milliseconds(50)]]),
    routes: new Map([['GET /', 0.1]]),
    whole: null,
  };
  const { functions, ...kept } = newBudget([run({ 'a#f': 40 })], old);
  assert.deepEqual([...functions.keys()], ['a#f']);
  assert.deepEqual(kept, { files: old.files, routes: old.routes, whole: null });
});

test('a function that was mended keeps a budget, and one that is gone from the code loses it', () => {
  const budget = (keys: readonly string[]) => new Map(keys.map((key) => [key, milliseconds(200)]));
  const old = { functions: budget(['a#mended', 'a#gone']), files: new Map(), routes: new Map(), whole: null };
  const { functions } = newBudget([run({ 'a#mended': null, 'a#f': 40 })], old);
  assert.deepEqual(
    [...functions],
    [
      ['a#f', milliseconds(80)],
      ['a#mended', milliseconds(20)],
    ],
  );
});
