import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../../engine/functions/classify.ts';
import type { Workspace } from '../../../engine/functions/workspace.ts';

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
  ['file:///home/ann/shop/.cache/hotspan/recorder-de78be43c6fb.cjs', 'other'],
  ['file:///home/ann/shop/tools/hotspan/dist/recorder.cjs', 'other'],
  ['file:///home/ann/shop/src/recorder.cjs', 'own app'],
  ['file:///home/ann/other/src/cart.ts', 'other'],
  ['file:///home/ann/shopping/src/cart.ts', 'other'],
  ['node:fs', 'node'],
  ['node:internal/modules/cjs/loader', 'node loader'],
  ['node:internal/vm', 'node loader'],
  ['node:internal/bootstrap/realm', 'node loader'],
  ['', 'native'],
  ['[eval]', 'other'],
  ['https://example.com/x.js', 'other'],
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

test('an original that is no file goes by the text that ran', () => {
  const built = 'file:///home/ann/shop/dist/app.js';
  assert.equal(classify('webpack://shop/./src/cart.ts', built, workspace).kind, 'own');
  assert.equal(classify('webpack://shop/./node_modules/bcryptjs/index.js', built, workspace).packageName, 'bcryptjs');
});

function classOf(url: string, where: Workspace): string {
  const { kind, role, packageName, loader } = classify(url, null, where);
  return [kind, role, packageName, loader ? 'loader' : null].filter((word) => word !== null).join(' ');
}
