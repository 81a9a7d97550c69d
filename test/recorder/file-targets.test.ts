import assert from 'node:assert/strict';
import test from 'node:test';
import { fileTarget, targetForFile } from '../../recorder/launch/targets/file-targets.ts';
import { asDrawn, onSystem } from '../helpers/drawn-root.ts';
import { drawnFiles, installed, scripts } from './drawn-files.ts';

type Files = Readonly<Record<string, string | object>>;

async function testsOf(file: string, files: Files): Promise<string> {
  const result = await targetForFile(onSystem(file), onSystem('/repo'), drawnFiles(files));
  return asDrawn(result.type === 'found' ? result.target.command.join(' ') : result.message);
}

async function runOf(file: string, files: Files, version: string | null = 'v20.20.2'): Promise<string> {
  const result = await fileTarget(onSystem(file), onSystem('/repo'), drawnFiles(files, version));
  return asDrawn(result.type === 'found' ? result.target.command.join(' ') : result.message);
}

test('jest and vitest run the tests that reach a file', async () => {
  const jest = {
    '/repo/package.json': scripts({ test: 'jest --coverage --config jest.unit.js' }),
    ...installed('jest'),
  };
  assert.equal(
    await testsOf('/repo/src/a.ts', jest),
    'node /repo/node_modules/jest/bin/jest.js --findRelatedTests /repo/src/a.ts --config jest.unit.js --coverage=false',
  );
  const vitest = { '/repo/package.json': scripts({ test: 'vitest' }), ...installed('vitest') };
  assert.equal(
    await testsOf('/repo/src/a.ts', vitest),
    'node /repo/node_modules/vitest/vitest.mjs related /repo/src/a.ts --run --coverage.enabled=false',
  );
});

test('where two runners share a package, a test file without imports has that whose object it uses', async () => {
  const both = {
    '/repo/package.json': scripts({ test: 'vitest run', 'test:legacy': 'jest' }),
    '/repo/test/a.test.js': "test('a', () => { jest.fn(); });",
    '/repo/test/b.test.js': "test('b', () => { vi.spyOn(console, 'log'); });",
    '/repo/test/c.test.js': "test('c', () => {});",
    ...installed('jest', 'vitest'),
  };
  assert.match(await testsOf('/repo/test/a.test.js', both), /jest\.js --findRelatedTests/);
  for (const file of ['b', 'c']) assert.match(await testsOf(`/repo/test/${file}.test.js`, both), /vitest\.mjs related/);
  const only = { ...both, '/repo/package.json': scripts({ test: 'vitest run' }) };
  assert.match(await testsOf('/repo/test/a.test.js', only), /vitest\.mjs related/);
});

test('mocha and node:test run a test file itself, with the options of the script', async () => {
  const mocha = {
    '/repo/package.json': scripts({ test: 'mocha -r ts-node/register --timeout 5000 "test/**/*.ts"' }),
    ...installed('mocha'),
  };
  assert.equal(
    await testsOf('/repo/test/a.ts', mocha),
    'node /repo/node_modules/mocha/bin/mocha.js -r ts-node/register --timeout 5000 /repo/test/a.ts',
  );
  const node = { '/repo/package.json': scripts({ test: 'node --import tsx --test src/*.test.ts' }) };
  assert.equal(await testsOf('/repo/src/a.test.ts', node), 'node --test --import tsx /repo/src/a.test.ts');
  assert.match(
    await testsOf('/repo/src/a.ts', mocha),
    /^mocha cannot tell which tests reach a\.ts: open one of its test files/,
  );
});

test('what a file imports tells its runner, before the scripts do', async () => {
  const files = {
    '/repo/package.json': scripts({ test: 'jest' }),
    '/repo/a.test.js': "require('node:test')",
    ...installed('jest'),
  };
  assert.equal(await testsOf('/repo/a.test.js', files), 'node --test /repo/a.test.js');
});

test('the nearest package counts, its runner may be installed above it', async () => {
  const packages = {
    '/repo/package.json': scripts({ test: 'turbo test' }),
    '/repo/packages/api/package.json': scripts({ test: 'vitest' }),
  };
  const file = '/repo/packages/api/src/a.ts';
  assert.match(
    await testsOf(file, { ...packages, ...installed('vitest') }),
    /^node \/repo\/node_modules\/vitest\/.* related/,
  );
  assert.match(await testsOf(file, packages), /^vitest is not installed in \/repo\/packages\/api: install/);
});

test('a JavaScript file is run by node', async () => {
  assert.equal(await runOf('/repo/a.mjs', {}), 'node /repo/a.mjs');
  assert.match(await runOf('/repo/a.mjs', {}, null), /^There is no node on the PATH: install Node\.js 20/);
});

test('a TypeScript file is run by what the package has for it, else by a Node that can', async () => {
  const manifest = { '/repo/package.json': {} };
  assert.equal(
    await runOf('/repo/a.ts', { ...manifest, ...installed('tsx', 'ts-node') }),
    'node --import tsx /repo/a.ts',
  );
  assert.equal(
    await runOf('/repo/a.ts', { ...manifest, ...installed('ts-node') }),
    'node --require ts-node/register /repo/a.ts',
  );
  for (const [type, file, loader] of [
    ['commonjs', '/repo/a.mts', '--loader ts-node/esm'],
    ['module', '/repo/a.ts', '--loader ts-node/esm'],
    ['module', '/repo/a.cts', '--require ts-node/register'],
  ] as const) {
    const files = { '/repo/package.json': { type }, ...installed('ts-node') };
    assert.equal(await runOf(file, files), `node ${loader} ${file}`);
  }
  assert.equal(await runOf('/repo/a.ts', manifest, 'v22.18.0'), 'node /repo/a.ts');
  assert.match(
    await runOf('/repo/a.ts', manifest, 'v22.17.1'),
    /^a\.ts is TypeScript, which Node v22\.17\.1 cannot run without a loader: install tsx/,
  );
  assert.match(await runOf('/repo/a.tsx', manifest, 'v26.0.0'), /install tsx/);
});
