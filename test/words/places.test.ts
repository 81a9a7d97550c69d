import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelWithPlace } from '../../words/formats/figures.ts';
import { hottestLine, markedLines, partOf, placeOf, shortPath } from '../../words/places.ts';
import { analysisOf } from '../engine/judge/lines/drawn-analysis.ts';
import { assertEach } from '../helpers/assert-each.ts';

test('a path is shown from its workspace folder on, and as it is outside', () => {
  assert.equal(shortPath('/home/me/shop/src/app.js', ['/home/me/shop']), 'src/app.js');
  assert.equal(shortPath('/home/me/shop/src/app.js', ['/home/me/shop/']), 'src/app.js');
  assert.equal(shortPath('/home/me/other/app.js', ['/home/me/shop']), '/home/me/other/app.js');
});

test('where several folders are open the name of the innermost is in front', () => {
  const roots = ['/home/me/shop', '/home/me/shop/packages/api', 'C:\\web'];
  assert.equal(shortPath('/home/me/shop/src/app.js', roots), 'shop/src/app.js');
  assert.equal(shortPath('/home/me/shop/packages/api/src/app.js', roots), 'api/src/app.js');
  assert.equal(shortPath('C:\\web\\app.js', roots), 'web\\app.js');
});

test('the hottest line of a function is the one with most of it, whatever others have on another one', async () => {
  const text = 'function f(x) { x(); function g(y) { while (y > 0) y--; }\n  while (x > 0) x--;\n}\n';
  const functions = { g: { url: '/app/src/f.js', column: 32 }, f: { column: 10 } };
  const analysis = await analysisOf('f:1 f:1 f:2 f:2 f:2 (idle) g:1 g:1 g:1 g:1 g:1 (idle)', { text, functions });
  const idOf = (name: string): number => analysis.functions.functions.findIndex((fn) => fn.name === name);
  assertEach(['f', 'g'], (name) => hottestLine(analysis, idOf(name))?.line, [2, 1]);
  const parts = markedLines(analysis, idOf('f')).map((hot) => [hot.line, partOf(hot, idOf('f')), hot.worst]);
  assert.deepEqual(parts, [
    [2, 30_000, 30_000],
    [1, 20_000, 50_000],
  ]);
});

test('the place of a function is in it, where its hottest line is of a function that V8 inlined', async () => {
  const text = 'function f(x) {\n  for (const y of x) g(y);\n}\nfunction g(y) {\n  while (y > 0) y--;\n}\n';
  const analysis = await analysisOf('f:5 f:5 f:5', { text });
  const fn = analysis.functions.functions.find(({ name }) => name === 'f') ?? assert.fail('not seen');
  assert.equal(placeOf(fn, analysis), 'src/f.js:1');
  assert.equal(hottestLine(analysis, fn.id)?.line, 5);
});

test('a label that is a place is not written beside it', () => {
  assert.equal(labelWithPlace('parse', 'src/cart.ts:12'), 'parse, src/cart.ts:12');
  assert.equal(labelWithPlace('cart.ts:3', 'src/cart.ts:12', ' '), 'src/cart.ts:12');
  assert.equal(labelWithPlace('GET /a:1', 'src/cart.ts:12', ' '), 'GET /a:1 src/cart.ts:12');
  assert.equal(labelWithPlace('parse', ''), 'parse');
});
