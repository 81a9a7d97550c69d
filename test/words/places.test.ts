import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortPath } from '../../words/places.ts';

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
