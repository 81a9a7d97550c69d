import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Budget } from '../../../protocol/budget.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { budgetText, parseBudget } from '../../../recordings/formats/parse-budget.ts';

const reasonOf = (text: string): string => {
  const parsed = parseBudget(text);
  return parsed.type === 'invalid' ? `hotspan.budget.json ${parsed.reason}.` : 'accepted';
};
const reasonFor = (budget: unknown): string => reasonOf(JSON.stringify(budget));

test('a budget is read as it was written', () => {
  const budget: Budget = {
    functions: new Map([['src/cart.ts#total', milliseconds(200)]]),
    files: new Map([['src/**', milliseconds(50.5)]]),
    routes: new Map([['GET /orders', 0.05]]),
    whole: milliseconds(500),
  };
  assert.deepEqual(parseBudget(budgetText(budget, null)), { type: 'budget', budget });
  assert.deepEqual(parseBudget(budgetText(budget, './schema.json')), { type: 'budget', budget });
});

test('the text of a budget has its functions in order, and no parts that are empty', () => {
  const functions = new Map([
    ['b#f', milliseconds(1)],
    ['a#f', milliseconds(2)],
  ]);
  const text = budgetText({ functions, files: new Map(), routes: new Map(), whole: null }, null);
  assert.deepEqual(text.match(/"[^"]+":/g), [
    '"version":',
    '"functions":',
    '"a#f":',
    '"worstMs":',
    '"b#f":',
    '"worstMs":',
  ]);
});

test('what is wrong with a budget is a sentence that says where', () => {
  const cases: readonly (readonly [budget: unknown, sentence: RegExp])[] = [
    [{ version: 2 }, /is wrong at "version": it is not 1: a newer Hotspan wrote this file/],
    [{}, /is wrong at "version": it is missing\.$/],
    [{ version: 1, limits: {} }, /is wrong at "limits": it is a key that no budget has\.$/],
    [{ version: 1, functions: { 'a#f': 200 } }, /is wrong at "functions\.a#f": it is no object/],
    [{ version: 1, functions: [] }, /is wrong at "functions": it is no object with keys\.$/],
    [{ version: 1, functions: { 'a#f': {} } }, /is wrong at "functions\.a#f\.worstMs": it is missing\.$/],
    [{ version: 1, functions: { 'a#f': { worstMs: '200' } } }, /"functions\.a#f\.worstMs": it is no number/],
    [{ version: 1, functions: { 'a#f': { worstMs: 0 } } }, /"functions\.a#f\.worstMs": it is not above 0/],
    [{ version: 1, files: { 'src/**': { worstMs: 5, ms: 1 } } }, /is wrong at "files\.src\/\*\*\.ms"/],
    [{ version: 1, routes: { 'GET /': { delayedOver100MsPercent: 101 } } }, /it is above 100/],
    [{ version: 1, whole: null }, /is wrong at "whole": it is no object/],
    [[], /^hotspan\.budget\.json is (no budget|wrong at)/],
    ['text', /^hotspan\.budget\.json is no budget/],
  ];
  for (const [budget, sentence] of cases) assert.match(reasonFor(budget), sentence, JSON.stringify(budget));
});

test('what is no JSON is said to be none', () => {
  assert.match(reasonOf('{ "version": 1, }'), /^hotspan\.budget\.json is no JSON \(.+\)\.$/);
  assert.match(reasonOf(''), /is no JSON/);
});
