import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Budget } from '../../../protocol/budget.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { jsonPlaces, budgetText, parseBudget } from '../../../protocol/formats/parse-budget.ts';

const reasonOf = (text: string): string => {
  const parsed = parseBudget(text);
  return parsed.type === 'invalid'
    ? `hotspan.budget.json${parsed.line === null ? '' : `:${parsed.line}`} ${parsed.reason}.`
    : 'accepted';
};
const reasonFor = (budget: unknown): string => reasonOf(JSON.stringify(budget));

test('a budget is read as it was written', () => {
  const budget: Budget = {
    functions: new Map([['src/cart.ts#total', milliseconds(200)]]),
    files: new Map([['src/**', milliseconds(50.5)]]),
    routes: new Map([['GET /orders', 0.05]]),
    whole: milliseconds(500),
    node: '24.1',
  };
  const text = budgetText(budget, null);
  for (const written of [text, budgetText(budget, './schema.json'), `\uFEFF${text}`]) {
    const parsed = parseBudget(written);
    assert.deepEqual(parsed.type === 'budget' ? parsed.budget : parsed, budget);
  }
});

test('the text of a budget has its functions in order, and no parts that are empty', () => {
  const functions = new Map([
    ['b#f', milliseconds(1)],
    ['a#f', milliseconds(2)],
  ]);
  const text = budgetText({ functions, files: new Map(), routes: new Map(), whole: null, node: null }, null);
  const keys = Array.from(text.matchAll(/"([^"]+)":/g), ([, key]) => key);
  assert.deepEqual(keys, ['version', 'functions', 'a#f', 'worstMs', 'b#f', 'worstMs']);
});

test('what is wrong with a budget is a sentence that says where, and what to write instead', () => {
  const ofFunction = (limits: unknown) => ({ version: 1, functions: { 'a#f': limits } });
  const cases: readonly (readonly [budget: unknown, sentence: RegExp])[] = [
    [{ version: 2 }, /:1 is wrong at "version": it is not 1: a newer Hotspan wrote this file/],
    [{}, /is wrong at "version": it is missing: write "version": 1\.$/],
    [{ version: 1, limits: {} }, /"limits": it is a key that is not known here: write version, node, functions, files/],
    [ofFunction(200), /"functions\.a#f": it is not an object: write one such as \{ "worstMs": 200 \}/],
    [{ version: 1, functions: { f: { worstMs: 9 } } }, /"functions\.f": it names no function: write its file and/],
    [{ version: 1, functions: [] }, /is wrong at "functions": it is not an object with keys: write \{\}/],
    [ofFunction({}), /"functions\.a#f\.worstMs": it is missing: write "worstMs": 200\.$/],
    [ofFunction({ worstMs: '200' }), /worstMs": it is not a number: write milliseconds, such as/],
    [ofFunction({ worstMs: 0 }), /worstMs": it is not above 0: write milliseconds/],
    [ofFunction({ worstMs: -5 }), /worstMs": it is not above 0/],
    [ofFunction({ worstMs: 1e-9 }), /worstMs": it is under 1 ms, which no sample can tell/],
    [ofFunction({ worstMs: 1e300 }), /worstMs": it is over eleven days: write milliseconds/],
    [{ version: 1, files: { 'src/**': { worstMs: 5, ms: 1 } } }, /"files\.src\/\*\*\.ms": .*: write worstMs\.$/],
    [
      { version: 1, files: { '': { worstMs: 5 } } },
      /"files\.": it is an empty pattern: write one such as "src\/\*\*"\.$/,
    ],
    [
      { version: 1, routes: { 'GET /': { delayedOver100MsPercent: 101 } } },
      /is above 100: write a percentage, such as 5/,
    ],
    [{ version: 1, routes: { '/orders': { delayedOver100MsPercent: 1 } } }, /it names no route: write its method and/],
    [{ version: 1, whole: null }, /is wrong at "whole": it is not an object/],
    [[], /^hotspan\.budget\.json is not a budget: write \{ "version": 1/],
    ['text', /^hotspan\.budget\.json is not a budget/],
    [5, /^hotspan\.budget\.json is not a budget/],
    [null, /^hotspan\.budget\.json is not a budget/],
  ];
  for (const [budget, sentence] of cases) assert.match(reasonFor(budget), sentence, JSON.stringify(budget));
});

test('keys that every object has are judged as all others, and none is skipped', () => {
  for (const key of ['__proto__', 'constructor', 'prototype', 'toString']) {
    const reason = (of: string): string =>
      reasonOf(`{ "version": 1, "${of}": {\n"a#f": { "worstMs": 9 },\n"${key}": { "worstMs": 9 } } }`);
    const place = (of: string): string => `hotspan.budget.json:3 is wrong at "${of}.${key}": it`;
    assert.ok(reason('functions').startsWith(`${place('functions')} names no function: write its file`), key);
    assert.match(reasonOf(`{ "version": 1, "${key}": {} }`), /it is a key that is not known here/);
    if (key !== 'toString') assert.equal(reason('files'), `${place('files')} cannot be read: write "**/${key}".`);
  }
});

test('what is not JSON is said to be that, with the line', () => {
  assert.match(reasonOf('{\n  "version": 1,\n}'), /^hotspan\.budget\.json:3 is not JSON: .*property name.*\.$/);
  assert.match(reasonOf('{ "version": 1,\n "whole": { "worstMs": NaN } }'), /:2 is not JSON: Unexpected token 'N'\.$/);
  assert.match(reasonOf('{\n  "version": 1,\n'), /:3 is not JSON: /);
  assert.match(reasonOf('{\n// all\n}'), /:2 is not JSON: /);
  assert.match(reasonOf(' \n'), /is empty: write/);
});

test('the line is that of the entry, also where keys look like paths', () => {
  const text =
    '{ "version": 1,\n "functions": {\n  "a.b#c{": { "worstMs": 1 },\n  "a:\\"[,#d": {\n   "worstMs": "x" } } }';
  assert.match(reasonOf(text), /^hotspan\.budget\.json:5 is wrong at/);
});

test('a key that stands twice makes no budget: one of the two would not count', () => {
  const twice = '{ "version": 1,\n "functions": { "a#f": { "worstMs": 1 },\n "a#f": { "worstMs": 2 } } }';
  assert.match(reasonOf(twice), /^hotspan\.budget\.json:3 has "functions\.a#f" twice: leave one of them out\.$/);
});

test('places are those of keys alone, and the same key in two objects is not twice there', () => {
  const { lineOf, twice } = jsonPlaces('{ "a": {\n "x": [ { "y": ":" },\n { "y": 1 } ] },\n "b": { "x": "a" } }');
  assert.deepEqual([lineOf(['a']), lineOf(['a', 'x']), lineOf(['b', 'x']), lineOf(['c'])], [1, 2, 4, null]);
  assert.equal(twice, null);
});
