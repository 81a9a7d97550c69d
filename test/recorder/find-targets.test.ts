import assert from 'node:assert/strict';
import test from 'node:test';
import { findTargets } from '../../recorder/launch/targets/find-targets.ts';
import { asDrawn, onSystem } from '../helpers/drawn-root.ts';
import { drawnFiles, installed, scripts } from './drawn-files.ts';

/** `label: command [env] (notes)` of each target. */
async function found(files: Readonly<Record<string, string | object>>): Promise<readonly string[]> {
  const result = await findTargets(onSystem('/repo'), drawnFiles(files));
  if (result.type === 'none') return [asDrawn(result.message)];
  return result.targets.map(({ label, description, command, env, notes }) => {
    const variables = Object.entries(env).map(([name, value]) => ` [${name}=${value}]`);
    const where = description === '' ? '' : ` (${description})`;
    return `${label}${where}: ${asDrawn(command.join(' '))}${variables.join('')}${notes.map((note) => ` — ${note}`).join('')}`;
  });
}

/** The same in a package whose script of tests is this, with these packages installed. */
const foundFor = async (test: string, ...names: readonly string[]): Promise<readonly string[]> =>
  found({ '/repo/package.json': scripts({ test }), ...installed(...names) });

const once = 'This would watch for changes: it runs once here.';
const bare = 'Coverage is off for this run: it makes hot code look hotter than it is.';

test('a test script is run as the person wrote it, whatever its runner', async () => {
  for (const text of ['mocha', 'tsc && node --test dist', 'node test.js']) {
    const [only, ...others] = await found({ '/repo/package.json': `\uFEFF${JSON.stringify(scripts({ test: text }))}` });
    assert.match(only ?? '', /^npm test.*: npm run test$/);
    assert.deepEqual(others, []);
  }
});

test('a script with two runners names both', async () => {
  const targets = await foundFor('mocha && node --test test/node && mocha e2e');
  assert.deepEqual(targets, ['npm test (mocha, node:test): npm run test']);
});

test('several test scripts are several targets, "test" first', async () => {
  const others = { 'test:e2e': 'mocha e2e', 'test:watch': 'mocha -w', build: 'tsc' };
  const list = scripts({ ...others, test: 'npm run test:unit', 'test:unit': 'jest' });
  assert.deepEqual(await found({ '/repo/package.json': list }), [
    'npm test (jest): npm run test',
    'npm run test:e2e (mocha): npm run test:e2e',
    'npm run test:unit (jest): npm run test:unit',
  ]);
});

test('a runner that would watch runs once', async () => {
  const run = async (text: string): Promise<string | undefined> =>
    (await foundFor(text, 'jest', 'mocha'))[0]?.replace(/^[^:]*: /, '');
  assert.equal(await run('vitest'), `npm run test -- --run — ${once}`);
  assert.equal(await run('vitest run'), 'npm run test');
  for (const [text, words] of [
    ['NODE_ENV=test jest --watch --ci', 'jest/bin/jest.js --ci [NODE_ENV=test]'],
    ['mocha -w "test/**/*.js"', 'mocha/bin/mocha.js test/**/*.js'],
    ['mocha --watch --watch-files src --watch-ignore lib test', 'mocha/bin/mocha.js test'],
    ['jest --watchAll --coverageReporters text lcov --coverageDirectory out --ci', 'jest/bin/jest.js --ci'],
  ] as const)
    assert.equal((await run(text))?.split(` — ${bare}`)[0], `node /repo/node_modules/${words} — ${once}`);
  assert.equal(await run('react-scripts test'), `npm run test [CI=true] — ${once}`);
  assert.equal(await run('vitest && echo done'), `npm run test [CI=true] — ${once}`);
});

test('coverage is switched off where the runner can be told, else said', async () => {
  const run = async (...given: Parameters<typeof foundFor>) => (await foundFor(...given)).join();
  assert.equal(await run('jest --coverage'), `npm test (jest): npm run test -- --coverage=false — ${bare}`);
  const vitest = `npm test (vitest): npm run test -- --coverage.enabled=false — ${bare}`;
  assert.equal(await run('vitest run --coverage'), vitest);
  assert.match(await run('c8 mocha'), /npm run test — This runs with coverage/);
  const directly = 'node /repo/node_modules';
  const ofVitest = `npm test (vitest): ${directly}/vitest/vitest.mjs --dir src --run — ${once} — ${bare}`;
  assert.equal(await run('c8 vitest --dir src', 'vitest'), ofVitest);
  assert.equal(await run('c8 mocha test', 'mocha'), `npm test (mocha): ${directly}/mocha/bin/mocha.js test — ${bare}`);
});

test('a runner that is set up without a script is run from its own folder', async () => {
  const vitest = { '/repo/package.json': { devDependencies: { vitest: '3' } }, ...installed('vitest') };
  const command = 'node /repo/node_modules/vitest/vitest.mjs run --coverage.enabled=false';
  assert.deepEqual(await found(vitest), [`vitest: ${command}`]);
  const jest = { '/repo/package.json': scripts({ test: 'jest' }), '/repo/.mocharc.json': '{}' };
  assert.deepEqual(await found({ ...jest, ...installed('jest', 'mocha') }), [
    'npm test (jest): npm run test',
    'mocha: node /repo/node_modules/mocha/bin/mocha.js',
  ]);
});

test("Node's own runner is known by a test file that imports it", async () => {
  const files = { '/repo/package.json': {}, '/repo/test/parse.test.mjs': "import test from 'node:test';" };
  assert.deepEqual(await found(files), ['node --test: node --test']);
});

test('each package of a monorepo has its targets; what runs them all stands last', async () => {
  const files = {
    '/repo/package.json': scripts({ test: 'turbo run test' }, { workspaces: ['packages/*', '!packages/old'] }),
    '/repo/yarn.lock': '',
    '/repo/packages/api/package.json': scripts({ test: 'jest' }),
    '/repo/packages/old/package.json': scripts({ test: 'jest' }),
    '/repo/packages/web/package.json': scripts({ test: 'vitest' }),
  };
  assert.deepEqual(await found(files), [
    'yarn test (packages/api · jest): yarn run test',
    `yarn test (packages/web · vitest): yarn run test --run — ${once}`,
    'yarn test: yarn run test',
  ]);
});

test('packages are found by pnpm-workspace.yaml, and in the folders of a folder that is none', async () => {
  const mocha = scripts({ test: 'mocha' });
  const packages = { '/repo/a/b/package.json': mocha, '/repo/c/package.json': mocha };
  const both = ['npm test (a/b · mocha): npm run test', 'npm test (c · mocha): npm run test'];
  assert.deepEqual(await found(packages), both);
  for (const yaml of [
    'packages:\n  # ours\n  - "a/**"\n  - c\ncatalog: {}\n',
    'packages:\r\n  - "a/**"\r\n\r\n  - c\r\n',
    'packages: ["a/**", c]\n',
    `\uFEFF"packages": # ours\n  [\n    "{a,x}/**", # all, of them\n    '[c]',\n  ]\n`,
    `packages:\n  - "a/**" # all\n  - '[c]'\n  - d#d\n  - my packages/*\n---\nx: y\n`,
    'packages:\n- "**"\n- "!**/test/**"\n',
    'packages:\n  - .\n  - a/*\n  - ./c\n',
  ])
    assert.deepEqual(
      await found({
        '/repo/package.json': scripts({ test: 'turbo test' }),
        '/repo/pnpm-workspace.yaml': yaml,
        '/repo/pnpm-lock.yaml': '',
        '/repo/test/fixture/package.json': scripts({ test: 'jest' }),
        ...packages,
      }),
      ['pnpm test (a/b · mocha): pnpm run test', 'pnpm test (c · mocha): pnpm run test', 'pnpm test: pnpm run test'],
      yaml,
    );
});

test('a pnpm-workspace.yaml that is not a list of packages is none', async () => {
  for (const many of [' ', '\n', '#\n', '[', '{', '"', "'", 'a', '- ', '? '])
    for (const opening of ['packages:', 'packages:\n- a', 'packages: ['])
      for (const length of [900, 100_001]) {
        const yaml = opening + many.repeat(length / many.length);
        const files = { '/repo/package.json': scripts({ test: 'mocha' }), '/repo/pnpm-workspace.yaml': yaml };
        assert.deepEqual(await found(files), ['npm test (mocha): npm run test']);
      }
});

test('ids stay when other targets come and go', async () => {
  const idsOf = async (list: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const result = await findTargets(onSystem('/repo'), drawnFiles({ '/repo/package.json': scripts(list) }));
    return result.type === 'found' ? result.targets.map(({ id }) => id) : [];
  };
  assert.deepEqual(await idsOf({ test: 'mocha' }), ['.#script:test']);
  assert.deepEqual(await idsOf({ 'test:unit': 'mocha', test: 'jest' }), ['.#script:test', '.#script:test:unit']);
});

test('where there is nothing, the answer says what to do', async () => {
  const init = 'echo "Error: no test specified" && exit 1';
  assert.match((await foundFor(init)).join(), /^No tests found in repo: .* Add a "test" script/);
  assert.match((await found({})).join(''), /^There is no package\.json in \/repo\. Open the folder/);
  assert.match((await found({ '/repo/package.json': '{ damaged' })).join(''), /^There is no package\.json/);
});
