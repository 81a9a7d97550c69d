import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocate } from '../../../../engine/read/functions/locate-file.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';

const workspace = { roots: ['/shop'], testPatterns: [], evaluated: false };
const text = 'export const total = 1;\n';
const links: Readonly<Record<string, string>> = {
  '/shop/node_modules/@acme/cart': '/shop/packages/cart',
  '/shop/node_modules/dep': '/shop/node_modules/.pnpm/dep@1/node_modules/dep',
  '/shop/node_modules/away': '/elsewhere',
  '/shop': '/private/shop',
};
const world = {
  ...memoryWorld({
    '/shop/src/a.ts': text,
    '/shop/src/b c.ts': text,
    '/shop/src/copied.js': text,
    '/shop/dist/assets/app.js': text,
    '/bazel/app.sh.runfiles/_main/src/copied.js': text,
    '/bazel/bazel-out/k8-fastbuild/bin/src/copied.js': 'of another build',
    '/secret.js': text,
    '/shop/../secret.js': text,
  }),
  realPath: async (path: string) => links[path],
};

for (const [url, expected] of [
  ['/shop/node_modules/@acme/cart/src/a.js', '/shop/packages/cart/src/a.js, the same'],
  ['file:///shop/node_modules/@acme/cart/src/a.js', '/shop/packages/cart/src/a.js, the same'],
  ['/private/shop/src/a.ts', '/shop/src/a.ts, the same'],
  ['/private/shopping/src/a.ts', 'none'],
  ['/shop/node_modules/dep/a.js', 'none'],
  ['/shop/node_modules/away/a.js', 'none'],
  ['/shop/node_modules/gone/a.js', 'none'],
  ['/shop/src/a.ts', 'none'],
  ['/bazel/app.sh.runfiles/_main/src/copied.js', '/shop/src/copied.js, the same'],
  ['/bazel/bazel-out/k8-fastbuild/bin/src/copied.js', 'none'],
  ['webpack-internal:///./src/a.ts', '/shop/src/a.ts'],
  ['webpack-internal:///(rsc)/./src/a.ts?1234', '/shop/src/a.ts'],
  ['webpack://shop/./src/a.ts?', '/shop/src/a.ts'],
  ['webpack-internal:///./../secret.js', 'none'],
  ['webpack-internal:///./node_modules/dep/a.js', 'none'],
  ['http://localhost:5173/src/a.ts?t=17', '/shop/src/a.ts'],
  ['https://127.0.0.1/src/b%20c.ts', '/shop/src/b c.ts'],
  ['http://localhost:5173/@fs/shop/src/a.ts', '/shop/src/a.ts'],
  ['http://localhost:5173/@fs/secret.js', 'none'],
  ['http://localhost:4173/assets/app.js?v=1', '/shop/dist/assets/app.js, the same'],
  ['http://localhost:5173/gone.ts', 'none'],
  ['http://evil.example/src/a.ts', 'none'],
  ['evalmachine.<anonymous>', 'none'],
] as const) {
  test(`${url} is ${expected}`, async () => {
    const locate = await createLocate(workspace, world);
    const file = await locate(url);
    assert.equal(file === null ? 'none' : `${file.path}${file.isSame ? ', the same' : ''}`, expected);
  });
}

test('a bundler of one package of a monorepo names files from that package', async () => {
  const monorepo = { roots: ['/shop'], testPatterns: [], evaluated: false };
  const files = memoryWorld({ '/shop/packages/api/src/a.ts': '', '/elsewhere/src/b.ts': '' });
  const locate = await createLocate(monorepo, files, ['/shop/packages/api', '/elsewhere']);
  assert.equal((await locate('webpack-internal:///./src/a.ts'))?.path, '/shop/packages/api/src/a.ts');
  assert.equal(await locate('webpack-internal:///./src/b.ts'), null, 'not outside of the workspace');
});
