import assert from 'node:assert/strict';
import test from 'node:test';
import { readScript } from '../../recorder/launch/npm-scripts/script-text.ts';
import { findTargets } from '../../recorder/launch/targets/find-targets.ts';
import { asDrawn, onSystem } from '../helpers/drawn-root.ts';
import { drawnFiles, installed, scripts } from './drawn-files.ts';

type Texts = Readonly<Record<string, string>>;

/** `label (runner): command [env] — notes`, or why there is nothing. */
async function found(list: Texts, files: Texts = {}): Promise<readonly string[]> {
  const readers = drawnFiles({
    '/repo/package.json': scripts(list),
    ...installed('vitest', 'jest', 'mocha'),
    ...files,
  });
  const result = await findTargets(onSystem('/repo'), readers);
  if (result.type === 'none') return [asDrawn(result.message)];
  return result.targets.map(({ label, runner, command, env, notes }) => {
    const set = Object.entries(env).map(([name, value]) => ` [${name}=${value}]`);
    return [`${label} (${runner ?? '?'}): ${asDrawn(command.join(' '))}${set.join('')}`, ...notes].join(' — ');
  });
}

const once = 'This would watch for changes: it runs once here.';

test('a script of several commands runs whole, as it is written', async () => {
  assert.deepEqual(await found({ test: 'tsc && vitest --run' }), ['npm test (vitest): npm run test']);
  assert.deepEqual(await found({ test: 'npm run build && mocha dist', build: 'tsc -w=false' }), [
    'npm test (mocha): npm run test',
  ]);
  assert.deepEqual(await found({ test: 'run-s lint unit:*', lint: 'eslint .', 'unit:a': 'jest' }), [
    'npm run unit:a (jest): npm run unit:a',
    'npm test (jest): npm run test',
  ]);
});

test('where its last command would watch, it is told not to, through the scripts between', async () => {
  assert.deepEqual(await found({ test: 'tsc --noEmit && vitest' }), [
    `npm test (vitest): npm run test -- --run — ${once}`,
  ]);
  assert.deepEqual(await found({ test: 'npm run lint && npm run unit', lint: 'eslint .', unit: 'vitest' }), [
    `npm run unit (vitest): npm run unit -- --run — ${once}`,
    `npm test (vitest): npm run test -- -- --run — ${once}`,
  ]);
  assert.deepEqual(await found({ test: 'yarn lint && yarn unit', unit: 'vitest' }, { '/repo/yarn.lock': '' }), [
    `yarn run unit (vitest): yarn run unit --run — ${once}`,
    `yarn test (vitest): yarn run test --run — ${once}`,
  ]);
  assert.deepEqual(await found({ test: 'run-s lint unit', lint: 'eslint .', unit: 'vitest' }), [
    `npm run unit (vitest): npm run unit -- --run — ${once}`,
    `npm test (vitest): npm run test [CI=true] — ${once}`,
  ]);
  assert.deepEqual(await found({ test: 'yarn run vitest' }), [`npm test (vitest): npm run test -- --run — ${once}`]);
});

test('the script that holds all tests comes before one that also checks or rewrites sources', async () => {
  const list = {
    test: 'eslint --fix . && npm run test:unit',
    'test:unit': 'mocha',
    'test:e2e': 'playwright test',
  };
  assert.deepEqual((await found(list)).slice(0, 2), [
    'npm run test:unit (mocha): npm run test:unit',
    'npm test (mocha): npm run test',
  ]);
  const two = { test: 'eslint . && npm run a && npm run b', a: 'mocha', b: 'jest' };
  assert.deepEqual(await found(two), ['npm test (mocha): npm run test']);
});

test('it comes after one that builds, or gives it variables or arguments', async () => {
  const outer = 'npm test (mocha): npm run test';
  const inner = 'npm run unit (mocha): npm run unit';
  for (const test of [
    'npm run build && npm run unit',
    'TZ=UTC npm run unit && eslint .',
    'eslint . && npm run unit -- -g a',
  ])
    assert.deepEqual(await found({ test, unit: 'mocha', build: 'tsc' }), [outer, inner], test);
});

test('where nothing can tell it not to watch, it says so', async () => {
  assert.match(
    (await found({ test: 'jest --watch && echo done' })).join(''),
    /goes on watching .* press Stop and Show/,
  );
});

test('what Bun, Deno or a browser runs is not offered', async () => {
  const foreign = {
    'test:bun': 'bun test src/*',
    'test:x': 'bunx --bun vitest',
    'test:deno': 'deno test --allow-read && deno test -c other.json',
    'test:page': 'NODE_ENV=test npx karma start',
    'test:vitest': 'vitest run --browser=chromium',
    'test:wtr': 'wtr "test/*.js"',
    'test:cypress': 'cypress run --component',
    'test:ct': 'playwright test -c playwright-ct.config.ts',
    'test:browser': 'node scripts/open.js',
  };
  assert.deepEqual(await found({ test: 'mocha', ...foreign }), ['npm test (mocha): npm run test']);
  assert.deepEqual(await found({ test: 'bun run unit && bun run types', unit: 'vitest run', types: 'tsc' }), [
    'npm run unit (vitest): npm run unit',
    'npm test (vitest): npm run test',
  ]);
});

test('a script that starts others is not offered where some of them cannot be profiled', async () => {
  const list = { test: 'npm run test:node && npm run test:page', 'test:node': 'mocha', 'test:page': 'karma start' };
  assert.deepEqual(await found(list), ['npm run test:node (mocha): npm run test:node']);
  assert.deepEqual(await found({ test: 'mocha && karma start' }), [
    'npm test (mocha): npm run test — A part of it runs in a browser (karma): nothing of that is recorded.',
  ]);
});

test("a browser that vitest's configuration names counts too", async () => {
  const page = "{ test: { name: 'page', browser: { enabled: true } } }";
  const config = (text: string): Texts => ({ '/repo/vitest.config.ts': `export default defineConfig(${text})` });
  assert.match(
    (await found({ test: 'vitest run' }, config(page))).join(''),
    /^No tests in repo .*"test" runs in a browser \(vitest\)/,
  );
  assert.match((await found({}, config(page))).join(''), /vitest runs in a browser/);
  const both = config(`{ test: { projects: [${page}, { test: { name: 'unit' } }] } }`);
  assert.deepEqual(await found({ test: 'vitest run --project unit', 'test:page': 'vitest run --project=page' }, both), [
    'npm test (vitest): npm run test',
  ]);
  assert.deepEqual(await found({ test: 'vitest run' }, both), [
    'npm test (vitest): npm run test — A part of it runs in a browser (project page): nothing of that is recorded.',
  ]);
});

test('where nothing runs in Node.js, the answer says what was found, and what to do', async () => {
  const message = (await found({ test: 'bun test', 'test:page': 'cypress run' })).join('');
  assert.equal(
    message,
    'No tests in repo that Node.js runs, and Hotspan profiles Node.js: "test" runs in Bun, "test:page" runs in a browser (cypress). ' +
      'Profile a file or an npm script that Node.js runs.',
  );
  const deno = await findTargets(onSystem('/repo'), drawnFiles({ '/repo/deno.json': '{}' }));
  assert.match(deno.type === 'none' ? deno.message : '', /deno\.json is for tests in Deno\. Profile a file/);
});

test('what only checks types or style is not a test', async () => {
  const checks = { 'test:types': 'tsc --noEmit && tsd', 'test:lint': 'yarn eslint .', 'test:all': 'run-p test:*' };
  assert.deepEqual(await found({ test: 'tsc && node dist/test.js', ...checks }), ['npm test (?): npm run test']);
});

test("packages whose tests the outermost one's runner starts are not run without it", async () => {
  const packages = {
    '/repo/packages/api/package.json': '{}',
    '/repo/packages/api/vitest.config.ts': "export { default } from '../../vitest.config'",
    '/repo/pnpm-workspace.yaml': 'packages: ["packages/*"]',
  };
  assert.deepEqual(await found({ test: 'vitest run' }, packages), ['npm test (vitest): npm run test']);
  assert.equal((await found({ test: 'turbo test' }, packages)).length, 2);
});

test('a script runs those of other packages by its own command, not by an argument of another one', () => {
  const runsOthers = (text: string): boolean => readScript(text, { test: 'mocha', build: 'tsc' }).isOrchestrator;
  const others = ['turbo test', 'npm run build && npx nx test', 'lerna exec mocha', 'pnpm -F a -r exec mocha'];
  const more = ['dotenv -- turbo test', 'npm test --workspaces --if-present', 'yarn workspaces run test'];
  const own = ['npm run build && mocha -r x', 'pnpm mocha -r x', 'npm test -- -ws', 'mocha nx', 'next dev --turbo'];
  assert.deepEqual([...others, ...more, ...own].filter(runsOthers), [...others, ...more]);
});
