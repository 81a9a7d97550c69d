import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { foldersAround, locateSource } from '../../../../engine/read/sourcemap/script-maps.ts';

const onDisk: Readonly<Record<string, string>> = {
  '/app/shop/src/cart.ts': 'export {};\r\n',
  '/app/src/cart.ts': 'edited',
  '/secret.ts': 'export {};\n',
};
const folders = foldersAround('file:///app/shop/dist/js/main.js', ['/app', '/other']);

for (const [url, expected] of [
  ['webpack://shop/./src/cart.ts', '/app/shop/src/cart.ts'],
  ['webpack://shop/./src/cart.ts?a1b2', '/app/shop/src/cart.ts'],
  ['webpack:///./src/cart.ts', '/app/shop/src/cart.ts'],
  ['webpack://_N_E/(rsc)/./src/cart.ts', '/app/shop/src/cart.ts'],
  ['rspack://shop/./src/cart.ts', '/app/shop/src/cart.ts'],
  ['turbopack:///[project]/src/cart.ts', '/app/shop/src/cart.ts'],
  ['turbopack:///[turbopack]/src/cart.ts', null],
  ['turbopack:///[project]/../../secret.ts', null],
  ['webpack://shop/./src/gone.ts', null],
  ['webpack://shop/./../../secret.ts', null],
  ['webpack://shop//secret.ts', null],
  ['webpack://shop/webpack/bootstrap', null],
  ['webpack://shop/./loader.js!./src/cart.ts', null],
  ['https://example.com/src/cart.ts', null],
  ['/app/shop/src/cart.ts', null],
] as const) {
  test(`${url} is ${expected ?? 'as it stands'}`, async () => {
    const source = { url, content: 'export {};\n' };
    const located = await locateSource(source, folders, async (path) => onDisk[posix.normalize(path)] ?? null);
    assert.equal(located.url, expected ?? url);
  });
}

for (const [url, expected] of [
  ['http://localhost:3000/assets/src/cart.ts', '/app/shop/src/cart.ts'],
  ['http://localhost:3000/src/cart.ts', '/app/shop/src/cart.ts'],
  ['http://localhost:3000/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fsecret.ts', null],
] as const) {
  test(`${url} of a script that a server sent is ${expected ?? 'as it stands'}`, async () => {
    const source = { url, content: 'export {};\n' };
    const script = 'http://localhost:3000/assets/app.js';
    const located = await locateSource(source, folders, async (path) => onDisk[posix.normalize(path)] ?? null, script);
    assert.equal(located.url, expected ?? url);
  });
}

test('the folders around a built file come first, up to the workspace', () => {
  assert.deepEqual(folders, ['/app/shop/dist/js', '/app/shop/dist', '/app/shop', '/app', '/other']);
  assert.deepEqual(foldersAround('webpack-internal:///412', ['/app']), ['/app']);
});

test('the folders around a script end at the root around it, and one outside of all has none but the roots', () => {
  assert.deepEqual(foldersAround('/app/dist/lib/a.js', ['/app']), ['/app/dist/lib', '/app/dist', '/app']);
  assert.deepEqual(foldersAround('/opt/tool/dist/a.js', ['/app']), ['/app']);
});
