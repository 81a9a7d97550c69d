import assert from 'node:assert/strict';
import test from 'node:test';
import { fileTarget, targetForFile, testsOrFile } from '../../recorder/launch/targets/file-targets.ts';
import type { TargetFound } from '../../recorder/launch/target.ts';
import { asDrawn, onSystem } from '../helpers/drawn-root.ts';
import { drawnFiles, installed, scripts } from './drawn-files.ts';

type Files = Readonly<Record<string, string | object>>;

const textOf = (one: TargetFound) => asDrawn(one.type === 'found' ? one.target.command.join(' ') : one.message);

const testsOf = async (file: string, files: Files): Promise<string> =>
  textOf(await targetForFile(onSystem(file), onSystem('/repo'), drawnFiles(files)));

const runOf = async (file: string, files: Files, version: string | null = 'v20.20.2', folder = '/repo') =>
  textOf(await fileTarget(onSystem(file), onSystem(folder), drawnFiles(files, version)));

test('jest and vitest run the tests that reach a file', async () => {
  const jest = {
    '/repo/package.json': scripts({ test: 'jest --coverage --coverageDirectory out --config jest.unit.js' }),
    ...installed('jest'),
  };
  assert.equal(
    await testsOf('/repo/src/a.ts', jest),
    'node /repo/node_modules/jest/bin/jest.js --findRelatedTests /repo/src/a.ts --config jest.unit.js --coverage=false',
  );
  assert.match(await testsOf('/repo/src/a.test.ts', jest), /--config jest\.unit\.js/);
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
  const unit = { ...mocha, '/repo/a/package.json': scripts({ test: 'mocha' }), '/repo/.mocharc.yml': 'spec: b.js' };
  assert.match(
    await testsOf('/repo/a/[t].test.js', unit),
    /mocha\.js --ignore !(C:)?\/repo\/a\/\?t\?\.test\.js \/repo\/a\/\[t\]\./,
  );
  const node = { '/repo/package.json': scripts({ test: 'node --import tsx --test src/*.test.ts' }) };
  assert.equal(await testsOf('/repo/src/a.test.ts', node), 'node --test --import tsx /repo/src/a.test.ts');
  for (const file of ['/repo/[id]/a.test.ts', '/repo/{a,b}/a.test.ts'])
    assert.equal(await testsOf(file, node), `node --import tsx ${file}`);
  assert.match(await testsOf('/repo/src/(shop)/+page.test.ts', node), /^node --test /);
  assert.match(await testsOf('/repo/src/a.ts', mocha), /^mocha cannot tell which tests reach a\.ts: open one of its/);
});

test('a test file runs with the options of the command that ran it', async () => {
  const files = {
    '/repo/package.json': scripts({
      test: 'mocha --timeout 30000',
      unit: "cross-env TZ=UTC mocha --require './set up.js' test/a.js",
      all: 'npm run lint && npm run unit -- --exit',
      lint: 'eslint .',
      node: 'node --import tsx --test',
      esm: 'NODE_OPTIONS="$NODE_OPTIONS --no-warnings" mocha -r ./b.js "*.@(a|b).js"',
      both: 'mocha && vitest run --config v.ts',
      other: 'cd packages/b && mocha --require ./b.js',
    }),
    '/repo/packages/b/package.json': scripts({ test: 'mocha --bail' }),
    ...installed('mocha', 'vitest', 'jest'),
  };
  const ranBy = async (file: string, command: readonly string[]): Promise<string> => {
    const ran = { command, folder: onSystem('/repo') };
    const result = await targetForFile(onSystem(file), onSystem('/repo'), drawnFiles(files), ran);
    if (result.type !== 'found') return result.message;
    const { command: words, env, folder } = result.target;
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `);
    const where = asDrawn(folder) === '/repo' ? '' : ` in ${asDrawn(folder)}`;
    return asDrawn(`${variables.join('')}${words.join(' ')}${where}`).replace(
      /\/repo\/node_modules\/\w+\/(bin\/)?/,
      '',
    );
  };
  const a = '/repo/test/a.js';
  const rows: readonly (readonly [command: string, expected: string])[] = [
    [`npx mocha --require ./setup.js ${a}`, `node mocha.js --require ./setup.js ${a}`],
    ['npx mocha -R dot --timeout 20000 test/*.js', `node mocha.js -R dot --timeout 20000 ${a}`],
    ['yarn mocha --retries 2 test/b.js', `node mocha.js --retries 2 ${a}`],
    ['npm run unit', `TZ=UTC node mocha.js --require ./set up.js ${a}`],
    ['npm run all', `TZ=UTC node mocha.js --require ./set up.js --exit ${a}`],
    ['npm run esm', `NODE_OPTIONS= --no-warnings node mocha.js -r ./b.js ${a}`],
    ['npm test --silent -- --require ./setup.js', `node mocha.js --timeout 30000 --require ./setup.js ${a}`],
    ['npm test --loglevel=error', `node mocha.js --timeout 30000 ${a}`],
    ['/usr/bin/node -r ./s.js --test --test-random-seed 3 test/', `node --test -r ./s.js --test-random-seed 3 ${a}`],
    [
      'node --env-file-if-exists .env --test --test-name-pattern x --experimental-test-tag-filter y',
      `node --test --env-file-if-exists .env --test-name-pattern x --experimental-test-tag-filter y ${a}`,
    ],
    ['npm run node', `node --test --import tsx ${a}`],
    ['node --test --test-coverage-exclude a/** --test-rerun-failures a.json -r ./s.js', `node --test -r ./s.js ${a}`],
    [`node -r ./setup.js node_modules/mocha/bin/mocha.js ${a}`, `node -r ./setup.js mocha.js ${a}`],
    [
      'npx vitest run --project unit --bail 1 --coverage',
      `node vitest.mjs related ${a} --run --project unit --bail 1 --coverage.enabled=false`,
    ],
    [
      'npx jest --setupFiles ./setup.js --shard 1/2 other.*',
      `node jest.js --findRelatedTests ${a} --setupFiles ./setup.js --coverage=false`,
    ],
    // What starts two runners runs the file by the one that the file or its package uses.
    ['npm run both', `node mocha.js ${a}`],
    // Elsewhere, or by an unknown program: the file's own package says how.
    ['npm run other', `node mocha.js --timeout 30000 ${a}`],
    ['npm test -w packages/b', `node mocha.js --timeout 30000 ${a}`],
    ['node suite.js', `node mocha.js --timeout 30000 ${a}`],
  ];
  for (const [command, expected] of rows) assert.equal(await ranBy(a, command.split(' ')), expected, command);
  const odd = ['pnpm', 'exec', 'mocha', '-r', 'my setup.js', '--invert', '-g', 'a|b (c)'];
  assert.equal(await ranBy(a, odd), `node mocha.js -r my setup.js --invert -g a|b (c) ${a}`);
  const b = '/repo/packages/b/checks/b.js';
  assert.equal(await ranBy(b, ['npx', 'mocha', '-r', './setup.js', b]), `node mocha.js -r ./setup.js ${b}`);
});

test('what a file imports tells its runner, before the scripts do', async () => {
  const files = {
    '/repo/package.json': scripts({ test: 'jest' }),
    '/repo/a.test.js': "require('node:test')",
    '/repo/b.test.js': "test('b', () => expect([name(), 'vitest', 'bun:test']).toContain('mocha'));",
    '/repo/c.test.js': "import { chromium } from '@playwright/test'; test('c', () => {});",
    '/repo/d.spec.ts': "import {\n  test as base,\n  expect,\n} from '@playwright/test';",
    ...installed('jest'),
  };
  assert.equal(await testsOf('/repo/a.test.js', files), 'node --test /repo/a.test.js');
  for (const file of ['b', 'c']) assert.match(await testsOf(`/repo/${file}.test.js`, files), /jest\.js --findRelated/);
  assert.match(await testsOf('/repo/d.spec.ts', files), /^Playwright runs the tests of d\.spec\.ts: profile the npm /);
});

test('the nearest package counts, its runner may be installed above it', async () => {
  const packages = {
    '/repo/package.json': scripts({ test: 'turbo test' }),
    '/repo/packages/api/package.json': scripts({ test: 'vitest' }),
  };
  const [all, api] = [{ ...packages, ...installed('vitest') }, '/repo/packages/api'];
  const alone = async (files: Files): Promise<string> =>
    textOf(await testsOrFile(onSystem(`${api}/a.test.ts`), onSystem(api), drawnFiles(files)));
  for (const found of [await testsOf(`${api}/src/a.ts`, all), await alone(all)])
    assert.match(found, /^node \/repo\/node_modules\/vitest\/.* related/);
  for (const none of [await testsOf(`${api}/src/a.ts`, packages), await alone(packages)])
    assert.match(none, /^No node_modules folder of \/repo\/packages\/api or above it has vitest: install/);
});

test('a JavaScript file is run by node', async () => {
  for (const file of ['/repo/a.mjs', '/repo/bin/www']) assert.equal(await runOf(file, {}), `node ${file}`);
  assert.match(await runOf('/repo/test_a.py', {}), /^test_a\.py is not a JavaScript or TypeScript file: open /);
  assert.match(await runOf('/repo/a.mjs', {}, null), /^There is no node on the PATH: install Node\.js 20/);
});

test('a TypeScript file is run by what the package has for it, else by a Node that can', async () => {
  const manifest = { '/repo/package.json': {} };
  const runWith = (...names: readonly string[]) => runOf('/repo/a.ts', { ...manifest, ...installed(...names) });
  assert.equal(await runWith('tsx', 'ts-node'), 'node --import tsx /repo/a.ts');
  assert.equal(await runWith('ts-node'), 'node --require ts-node/register /repo/a.ts');
  for (const [type, file, loader] of [
    ['commonjs', '/repo/a.mts', '--loader ts-node/esm'],
    ['module', '/repo/a.ts', '--loader ts-node/esm'],
    ['module', '/repo/a.cts', '--require ts-node/register'],
  ] as const) {
    const files = { '/repo/package.json': { type }, ...installed('ts-node') };
    assert.equal(await runOf(file, files), `node ${loader} ${file}`);
  }
  assert.equal(await runOf('/repo/a.ts', manifest, 'v22.18.0'), 'node /repo/a.ts');
  const alone = (devDependencies: object) =>
    runOf('/repo/a/b.ts', { '/repo/a/package.json': { devDependencies }, ...installed('tsx') }, 'v24.0.0', '/repo/a');
  assert.equal(await alone({}), 'node /repo/a/b.ts', 'another user may have put tsx above the folder');
  assert.equal(await alone({ tsx: '4' }), 'node --import tsx /repo/a/b.ts');
  assert.match(await runOf('/repo/a.ts', manifest, 'v22.17.1'), /which Node v22\.17\.1 cannot run .* install tsx/);
  assert.match(await runOf('/repo/a.tsx', manifest, 'v26.0.0'), /^a\.tsx is JSX, .*: install tsx \(npm i -D tsx\)\.$/);
});
