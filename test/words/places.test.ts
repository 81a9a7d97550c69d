import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hottestLine, placeOf, shortPath } from '../../words/places.ts';
import { analysisOf } from '../engine/judge/lines/drawn-analysis.ts';

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

test('the place of a function is in it, where its hottest line is of a function that V8 inlined', async () => {
  const text = 'function f(x) {\n  for (const y of x) g(y);\n}\nfunction g(y) {\n  while (y > 0) y--;\n}\n';
  const analysis = await analysisOf('f:5 f:5 f:5', { text });
  const fn = analysis.functions.functions.find(({ name }) => name === 'f') ?? assert.fail('not seen');
  assert.equal(placeOf(fn, analysis), 'src/f.js:1');
  assert.equal(hottestLine(analysis, fn.id)?.line, 5);
});
