import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../../../engine/read/functions/name-functions.ts';
import type { Workspace } from '../../../../engine/read/functions/find-workspace.ts';

const workspace: Workspace = { roots: ['/home/ann/shop'], testPatterns: [/^checks\//], evaluated: false };

const files: readonly (readonly [url: string, expected: string])[] = [
  ['file:///home/ann/shop/src/cart.ts', 'own app'],
  ['/home/ann/shop/src/cart.ts', 'own app'],
  ['file:///home/ann/shop/src/cart.ts?t=17#x', 'own app'],
  ['file:///home/ann/shop/a%20b/cart.ts', 'own app'],
  ['file:///home/ann/shop/100%/cart.ts', 'own app'],
  ['file:///home/ann/shop/test/cart.ts', 'own test'],
  ['file:///home/ann/shop/src/__tests__/cart.ts', 'own test'],
  ['file:///home/ann/shop/test.mjs', 'own test'],
  ['file:///home/ann/shop/src/cart.spec.tsx', 'own test'],
  ['file:///home/ann/shop/src/latest/cart.ts', 'own app'],
  ['file:///home/ann/shop/src/contest.js', 'own app'],
  ['file:///home/ann/shop/checks/cart.ts', 'own test'],
  ['file:///home/ann/shop/node_modules/bcryptjs/index.js', 'dependency bcryptjs'],
  ['file:///home/ann/shop/node_modules/.pnpm/a@1/node_modules/@acme/b/c.js', 'dependency @acme/b'],
  ['file:///home/ann/shop/node_modules/mocha/lib/runner.js', 'runner mocha'],
  ['file:///home/ann/shop/node_modules/@vitest/runner/dist/index.js', 'runner @vitest/runner'],
  ['file:///home/ann/shop/.cache/hotspan/node_modules/hotspan/recorder-de78be43c6fb.cjs', 'other'],
  ['/home/ann/shop/node_modules/.pnpm/hotspan@1.0.0/node_modules/hotspan/dist/recorder.cjs', 'other'],
  ['file:///home/ann/shop/node_modules/camera/dist/recorder.cjs', 'dependency camera'],
  ['file:///home/ann/shop/tools/hotspan/dist/recorder.cjs', 'other'],
  ['file:///home/ann/shop/src/recorder.cjs', 'own app'],
  ['file:///home/ann/shop/dist/recorder.cjs', 'own built'],
  ['file:///home/ann/.vscode/extensions/acme.hotspan-0.1.0/dist/recorder.cjs', 'other'],
  ['file:///home/ann/other/src/cart.ts', 'other'],
  ['file:///home/ann/shopping/src/cart.ts', 'other'],
  ['/home/ann/shop/packages/cart/src/index.ts', 'own app'],
  ['file:///home/ann/shop/gr%C3%BC%C3%9Fe/%2350%25.ts', 'own app'],
  ['/home/ann/shop/node_modules/.pnpm/cart@file+packages+cart/node_modules/cart/index.js', 'dependency cart'],
  ['/home/ann/.pnpm-store/v3/node_modules/cart/index.js', 'dependency cart'],
  ['/home/ann/shop/.yarn/cache/left-pad-npm-1.3.0-0.zip/node_modules/left-pad/index.js', 'dependency left-pad'],
  ['/home/ann/.yarn/berry/cache/left-pad.zip/node_modules/left-pad/index.js', 'dependency left-pad'],
  ['/home/ann/shop/.yarn/__virtual__/cart-virtual-0a1b/1/packages/cart/index.js', 'own app'],
  ['/home/ann/shop/.yarn/__virtual__/a-virtual-0a1b/0/cache/a.zip/node_modules/@acme/a/x.js', 'dependency @acme/a'],
  ['/home/ann/shop/.pnp.cjs', 'other loader'],
  ['/home/ann/shop/.yarn/releases/yarn-4.5.0.cjs', 'other loader'],
  ['/home/ann/.cache/bazel/execroot/_main/bazel-out/k8-fastbuild/bin/src/cart.js', 'other'],
  ['evalmachine.<anonymous>', 'other'],
  ['[stdin]', 'other'],
  ['webpack-internal:///./src/cart.ts', 'other'],
  ['data:text/javascript,f()', 'other'],
  ['wasm://wasm/0a1b2c', 'other'],
  ['http://localhost:5173/src/cart.ts', 'other'],
  ['file://server/share/shop/src/cart.ts', 'other'],
  ['node:fs', 'node'],
  ['node:internal/modules/cjs/loader', 'node loader'],
  ['node:internal/vm', 'node loader'],
  ['node:internal/bootstrap/realm', 'node loader'],
  ['', 'native'],
  ['[eval]', 'other'],
];

for (const [url, expected] of files) {
  test(`${url === '' ? 'no url' : url} is ${expected}`, () => assert.equal(classOf(url, workspace), expected));
}

const loaders = [
  'jest-runtime/build/index.js',
  '@jest/transform/build/ScriptTransformer.js',
  'babel-jest/build/index.js',
  'ts-jest/dist/index.js',
  '@swc/jest/index.js',
  'vite-node/dist/client.mjs',
  'vitest/dist/chunks/execute.B7h3T_Hc.js',
  'vitest/dist/chunks/startVitestModuleRunner.DB-7oCpn.js',
  'vitest/dist/module-evaluator.js',
  'vite/dist/node/module-runner.js',
  'ts-node/dist/index.js',
  'tsx/dist/loader.mjs',
  '@babel/register/lib/worker.js',
  'esbuild-register/dist/node.js',
  'pirates/lib/index.js',
];

for (const file of loaders) {
  test(`${file} loads modules`, () => {
    assert.equal(classify(`file:///home/ann/shop/node_modules/${file}`, null, workspace).loader, true);
  });
}

test('other files of packages with loaders load none', () => {
  for (const file of ['vite/dist/node/index.js', 'vitest/dist/chunks/runBaseTests.js', '@swc/core/index.js']) {
    assert.equal(classify(`file:///home/ann/shop/node_modules/${file}`, null, workspace).loader, false, file);
  }
});

test('a program given by -e is own code', () => {
  assert.equal(classOf('[eval]', { ...workspace, evaluated: true }), 'own app');
});

test('node_modules is looked for below the workspace folder only', () => {
  const linked = { ...workspace, roots: ['/srv/node_modules/app'] };
  assert.equal(classOf('file:///srv/node_modules/app/index.js', linked), 'own app');
  assert.equal(classOf('file:///srv/node_modules/app/node_modules/x/index.js', linked), 'dependency x');
});

test('of folders inside each other the inner one decides', () => {
  const nested = { ...workspace, roots: ['/srv', '/srv/test/app'] };
  assert.equal(classOf('file:///srv/test/app/index.js', nested), 'own app');
});

test('Windows paths count as files, whatever the case of the drive', () => {
  const windows = { ...workspace, roots: ['C:\\shop'] };
  assert.equal(classOf('file:///c:/shop/src/cart.ts', windows), 'own app');
  assert.equal(classOf('C:\\shop\\node_modules\\bcryptjs\\index.js', windows), 'dependency bcryptjs');
});

test('a workspace on a share of Windows has its files there, and no other share’s', () => {
  const share = { ...workspace, roots: ['\\\\server\\share\\shop'] };
  assert.equal(classOf('file://server/share/shop/a%20b.js', share), 'own app');
  assert.equal(classOf('\\\\server\\share\\shop\\src\\cart.js', share), 'own app');
  assert.equal(classOf('file://server/share/shop/node_modules/x/index.js', share), 'dependency x');
  assert.equal(classOf('file://evil/share/shop/cart.js', share), 'other');
});

test('what climbs out of a workspace on a share, or is a device there, is not in it', () => {
  const shop: Workspace = { roots: ['//server/projects/shop'], testPatterns: [], evaluated: false };
  assert.equal(classOf('//server/projects/shop/src/a.ts', shop), 'own app');
  for (const path of ['/../a.ts', '/../../../evil/a.ts', '/./a.ts', `${'/a'.repeat(513)}.ts`])
    assert.equal(classify(`//server/projects/shop${path}`, null, shop).path, null, path.slice(0, 20));
  const device: Workspace = { roots: ['//?/UNC/evil/share'], testPatterns: [], evaluated: false };
  assert.equal(classify('//?/UNC/evil/share/a.ts', null, device).path, null);
});

test('what a bundler adds to a bundle of own code is not own', () => {
  const bundle = '/home/ann/shop/dist/main.js';
  for (const url of [
    'webpack://shop/webpack/bootstrap',
    'webpack://shop/external commonjs "fs"',
    '/home/ann/shop/\0commonjsHelpers.js',
    '/home/ann/shop/dist/_virtual/_commonjsHelpers.js',
    'turbopack:///[turbopack]/shared/runtime/runtime-utils.ts',
    'turbopack:///[externals]/next/dist/server/next.js',
    '/home/ann/shop/rolldown/runtime.js',
  ])
    assert.equal(classify(url, bundle, workspace).kind, 'other', url);
});

test('what bundlers load modules with loads them', () => {
  const bundle = '/home/ann/shop/.next/server/chunks/a.js';
  assert.equal(classify('turbopack:///[turbopack]/shared/runtime/runtime-utils.ts', bundle, workspace).loader, true);
  assert.equal(classify('webpack://shop/webpack/bootstrap', bundle, workspace).loader, true);
  assert.equal(classify('webpack://shop/external commonjs "fs"', bundle, workspace).loader, false);
});

test('what stands where tools put their output, and has no map, is a built file', () => {
  for (const file of ['dist/main.js', 'packages/api/out/main.js', '.next/server/app/page.js'])
    assert.equal(classOf(`file:///home/ann/shop/${file}`, workspace), 'own built', file);
  for (const file of ['build/busy.cjs', 'lib/main.js', 'src/dist.js'])
    assert.equal(classOf(`file:///home/ann/shop/${file}`, workspace), 'own app', file);
  const built = 'file:///home/ann/shop/dist/main.js';
  assert.equal(classify('/home/ann/shop/dist/templates.ts', built, workspace).role, 'app');
});

test('an original that is not a file goes by the text that ran', () => {
  const built = 'file:///home/ann/shop/dist/app.js';
  assert.equal(classify('webpack://shop/./src/cart.ts', built, workspace).kind, 'own');
  assert.equal(classify('webpack://shop/./node_modules/bcryptjs/index.js', built, workspace).packageName, 'bcryptjs');
});

function classOf(url: string, where: Workspace): string {
  const { kind, role, packageName, loader } = classify(url, null, where);
  return [kind, role, packageName, loader ? 'loader' : null].filter((word) => word !== null).join(' ');
}
