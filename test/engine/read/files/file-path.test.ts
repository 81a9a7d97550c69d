import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePathOf, resolveReference } from '../../../../engine/read/files/file-path.ts';

for (const [url, path] of [
  ['/app/src/a.js', '/app/src/a.js'],
  ['/app/100%/a b#c?.js', '/app/100%/a b#c?.js'],
  ['file:///app/a%20b.js?v=1#x', '/app/a b.js'],
  ['file:///app/100%.js', '/app/100%.js'],
  ['file:///C:/app/a.js', 'C:/app/a.js'],
  ['c:\\app\\a.js', 'C:/app/a.js'],
  ['file://server/share/a.js', null],
  ['//server/a.js', null],
  ['node:fs', null],
  ['https://example.org/a.js', null],
  ['evalmachine.<anonymous>', null],
  ['', null],
] as const) {
  test(`${url === '' ? 'no url' : url} is ${path ?? 'no file'}`, () => assert.equal(filePathOf(url), path));
}

for (const [reference, base, meaning] of [
  ['../src/a.ts', '/app/dist/a.js', '/app/src/a.ts'],
  ['a%20b.ts', '/app/my dist/#1/a.js', '/app/my dist/#1/a b.ts'],
  ['../c#/#a.ts?b', '/app/dist/a.js', '/app/c#/#a.ts'],
  ['../../../../a.ts', '/app/a.js', '/a.ts'],
  ['..\\src\\a.ts', 'C:\\app\\dist\\a.js', 'C:/app/src/a.ts'],
  ['/elsewhere/a.ts', '/app/a.js', '/elsewhere/a.ts'],
  ['file:///app/a.ts', '/app/a.js', '/app/a.ts'],
  ['webpack://shop/./src/a.ts', '/app/a.js', 'webpack://shop/./src/a.ts'],
  ['../src/a.ts', 'http://localhost:3000/assets/a.js', 'http://localhost:3000/src/a.ts'],
  ['a.ts', 'webpack-internal:///412', 'a.ts'],
  ['a.ts', '/app/half a pair \uD83D/a.js', '/app/half a pair \uFFFD/a.ts'],
] as const) {
  test(`${reference} in ${base} is ${meaning}`, () => assert.equal(resolveReference(reference, base), meaning));
}

test('an instance that Yarn names above the root is in the root', () => {
  assert.equal(filePathOf('/a/__virtual__/0f3c/9/b.js'), '/b.js');
});
