import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimatedIn, newBudget } from '../../../../engine/compare/budget.ts';
import { milliseconds } from '../../../../protocol/units.ts';
import { run } from './runs.ts';

test('a new budget allows twice the median, in whole ms, of what is certain if anything is', () => {
  const { functions, whole } = newBudget([run({ 'a#f': 31.2 }), run({ 'a#f': 40 }), run({ 'a#f': 500 })], null);
  assert.deepEqual([...functions], [['a#f', milliseconds(80)]]);
  assert.equal(whole, milliseconds(30));
  const runs = [run({ 'a#f': 31.2 }), run({ 'a#f': 131, 'a#g': 40, 'a#near': 11 }, { isEstimated: true })];
  const budget = newBudget(runs, null);
  assert.deepEqual(Object.fromEntries(budget.functions), { 'a#f': milliseconds(63), 'a#g': milliseconds(80) });
  assert.deepEqual(estimatedIn(budget, runs), ['a#g']);
});

test('what is over the threshold in one run gets a budget where the whole allows it another one, tests get none', () => {
  const runs = [run({ 'a#f': 40, 'a#near': 11 }), run({ 'a#f': null }), run({})];
  const first = newBudget(runs, null);
  assert.deepEqual([...first.functions], [['a#f', milliseconds(80)]]);
  const { functions } = newBudget(runs, { ...first, whole: milliseconds(300) });
  assert.deepEqual(Object.fromEntries(functions), { 'a#f': milliseconds(80), 'a#near': milliseconds(30) });
  assert.deepEqual([...newBudget([run({ 't#f': 40 }, { isTest: true })], null).functions], []);
});

test('what a person wrote by hand stays', () => {
  const old = {
    functions: new Map([['a#old', milliseconds(5)]]),
    files: new Map([['src/**', milliseconds(50)]]),
    routes: new Map([['GET /', 0.1]]),
    whole: null,
    node: '22.1',
  };
  const { functions, ...kept } = newBudget([run({ 'a#f': 40 })], old);
  assert.deepEqual([...functions.keys()], ['a#f']);
  assert.deepEqual(kept, { files: old.files, routes: old.routes, whole: null, node: '24.1' });
});

test('a function that was mended keeps a budget, one in a file that was not seen its own, and one without code none', () => {
  const budget = (keys: readonly string[]) => new Map(keys.map((key) => [key, milliseconds(200)]));
  const functionsBefore = budget(['a#mended', 'a#gone', 'b#unseen']);
  const old = { functions: functionsBefore, files: new Map(), routes: new Map(), whole: null, node: '22.1' };
  const unseen = run({ 'b#unseen': null, 'b#other': null }).functions;
  const { functions } = newBudget([run({ 'a#mended': null, 'a#f': 40 })], old, unseen);
  const limits = { 'a#f': milliseconds(80), 'a#mended': milliseconds(30), 'b#unseen': milliseconds(200) };
  assert.deepEqual(Object.fromEntries(functions), limits);
});
