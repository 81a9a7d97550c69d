import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathMapOf, rulesOfBreaks } from '../../../../engine/read/files/file-path.ts';

const rules = [
  { from: '/app', to: '/ws/packages/api' },
  { from: '/app/shared', to: '/ws/packages/shared' },
  { from: String.raw`C:\agent\_work\1\s`, to: '/ws' },
  { from: 'file:///workspaces/shop', to: '/ws/' },
];
const { toHere } = pathMapOf(rules, ['/ws']);

for (const [there, here] of [
  ['/app/src/x.js', '/ws/packages/api/src/x.js'],
  ['file:///app/src/x.js', '/ws/packages/api/src/x.js'],
  ['/app/shared/x.js', '/ws/packages/shared/x.js'],
  [String.raw`C:\agent\_work\1\s\src\x.js`, '/ws/src/x.js'],
  [String.raw`c:\Agent\_work\1\s\src\X.js`, '/ws/src/X.js'],
  ['file:///C:/agent/_work/1/s/src/x.js', '/ws/src/x.js'],
  ['file:///workspaces/shop/a%20b.js', '/ws/a b.js'],
  ['/app/src/x.js#hotspan-text=a-1', '/ws/packages/api/src/x.js#hotspan-text=a-1'],
] as const) {
  test(`${there} is ${here}`, () => assert.equal(toHere(there), here));
}

for (const url of [
  ...['/application/x.js', '/app', '/ws/src/x.js', 'node:fs', '', 'webpack://app/./src/x.js'],
  ...['file://server/app/src/x.js', String.raw`\\server\app\x.js`, '/app/../etc/passwd'],
  ...['file:///app/%2e%2e/etc/passwd', String.raw`/app/..\..\etc\passwd`],
  `/app${'/d'.repeat(600)}/x.js`,
]) {
  test(`${url.slice(0, 40)} stays as it is`, () => assert.equal(toHere(url), url));
}

test('a path that is mapped to Windows has its canonical spelling', () => {
  const map = pathMapOf([{ from: '/home/me/shop', to: String.raw`C:\Users\me\shop` }], []);
  assert.equal(map.toHere('/home/me/shop/src/x.js'), 'C:/Users/me/shop/src/x.js');
});

test('without rules nothing is looked at', () => {
  assert.equal(pathMapOf([], ['/ws']).isEmpty, true);
});

test('what lies in an open folder stays there, though a rule is about a folder around it', () => {
  const map = pathMapOf([{ from: '/home', to: '/home/me/shop' }], ['/home/me/shop']);
  assert.equal(map.toHere('/home/me/shop/src/x.js'), '/home/me/shop/src/x.js');
  assert.equal(map.toHere('/home/ci/x.js'), '/home/me/shop/ci/x.js');
});

test('what has line breaks in its path is found by the url that V8 has', () => {
  const { toHere } = pathMapOf(
    rulesOfBreaks(['/home/my\nshop/app', '/home/my\nshop/app/ma\tin.js', '/lib/a.js', null]),
    [],
  );
  assert.equal(toHere('file:///home/myshop/src/cart.js'), '/home/my\nshop/src/cart.js');
  assert.equal(toHere('file:///home/myshop/app/main.js'), '/home/my\nshop/app/ma\tin.js');
  assert.equal(toHere('file:///home/myshopping/a.js'), 'file:///home/myshopping/a.js');
  assert.equal(toHere('file:///lib/a.js'), 'file:///lib/a.js');
});
