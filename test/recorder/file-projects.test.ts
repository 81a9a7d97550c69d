import assert from 'node:assert/strict';
import test from 'node:test';
import { targetForFile } from '../../recorder/launch/targets/file-targets.ts';
import { asDrawn, onSystem } from '../helpers/drawn-root.ts';
import { drawnFiles, installed, scripts } from './drawn-files.ts';

type Files = Readonly<Record<string, string | object>>;

/** What is behind the runner's file, or why nothing is. */
async function runOf(file: string, files: Files): Promise<string> {
  const readers = drawnFiles({ ...installed('vitest', 'jest', 'mocha'), ...files });
  const result = await targetForFile(onSystem(`/repo/${file}`), onSystem('/repo'), readers);
  if (result.type === 'none') return asDrawn(result.message);
  const { command } = result.target;
  const folder = asDrawn(result.target.folder);
  const words = asDrawn(command.join(' ')).replace(/\S+(vitest\.mjs|bin\/\w+\.js) /, '');
  return `${folder === '/repo' ? '' : `${folder}: `}${words.replaceAll('/repo/', '')}`;
}

const related = (file: string, options = ''): string =>
  `node related ${file} --run${options === '' ? '' : ` ${options}`} --coverage.enabled=false`;

/** As hono has it. */
const projects = {
  '/repo/package.json': scripts({
    test: 'tsc -p tsconfig.spec.json && vitest --run',
    'test:bun': 'bun test runtime-tests/bun/*',
    'test:fastly': 'vitest --run --project fastly',
  }),
  '/repo/runtime-tests/fastly/vitest.config.ts': "export default defineProject({ test: { name: 'fastly' } })",
  '/repo/runtime-tests/bun/index.test.ts': '',
  '/repo/vitest.config.ts': `
    // Settings of 'all' projects
    export default defineConfig({
      test: {
        projects: [
          './runtime-tests/*/vitest.config.ts',
          { extends: true, test: { name: 'main', include: ['src/**/(*.)+(spec|test).+(ts|tsx)'], exclude: [...configDefaults.exclude, '**/sandbox/**'] } },
          { extends: true, test: { name: 'dom', include: ['src/dom/**/*.test.ts'] } },
        ],
      },
    })`,
};

test('a file is tested in its own project, and no script for other files gives it an option', async () => {
  assert.equal(await runOf('src/hono.test.ts', projects), related('src/hono.test.ts', '--project main'));
  const dom = 'src/dom/a.test.ts';
  assert.equal(await runOf(dom, projects), related(dom, '--project main --project dom'));
  const fastly = 'runtime-tests/fastly/index.test.ts';
  assert.equal(await runOf(fastly, projects), related(fastly, '--project fastly'));
});

test('what tests use is looked for in all projects, and so is a test whose project the text does not tell', async () => {
  assert.equal(await runOf('src/hono.ts', projects), related('src/hono.ts'));
  for (const list of ['all()', "[{ test: { name: 'a', include: [pattern] } }, { test: { name: 'b' } }]"]) {
    const computed = { ...projects, '/repo/vitest.config.ts': `export default { test: { projects: ${list} } }` };
    assert.equal(await runOf('src/hono.test.ts', computed), related('src/hono.test.ts'));
  }
});

test('a test that something else than Node.js runs is not offered, and the answer says what does', async () => {
  const ofBun = await runOf('runtime-tests/bun/index.test.ts', projects);
  assert.match(ofBun, /^The tests of index\.test\.ts run in Bun, and/);
  const signs = { "from 'bun:test'": 'Bun', 'Deno.test("a")': 'Deno', "from 'cloudflare:test'": 'workerd' };
  for (const [text, place] of Object.entries(signs)) {
    const run = await runOf('src/a.test.ts', { ...projects, '/repo/src/a.test.ts': text });
    assert.ok(run.includes(`run in ${place}, and Hotspan profiles Node.js: profile another`), run);
  }
});

test('a file that imports the runner of Node.js is not said to be of Bun because no script has it', async () => {
  const list = scripts({ test: 'node --test src/*.test.js', 'test:bun': 'bun test' });
  const run = (text: string) => runOf('other/a.test.js', { '/repo/package.json': list, '/repo/other/a.test.js': text });
  assert.equal(await run("const { test } = require('node:test');"), 'node --test other/a.test.js');
  assert.match(await run('test()'), /run in Bun, and/);
});

test('of projects that need a browser a file gets none', async () => {
  const files = {
    '/repo/package.json': scripts({ test: 'vitest' }),
    '/repo/vitest.config.ts': `export default defineConfig({ test: { projects: [
      { test: { name: 'unit', exclude: ['e2e/**'] } },
      { test: { name: 'page', include: ['e2e/*.test.ts'], browser: { enabled: true, provider: playwright() } } },
    ] } })`,
  };
  assert.equal(await runOf('src/a.ts', files), related('src/a.ts', '--project unit'));
  assert.equal(await runOf('src/a.test.ts', files), related('src/a.test.ts', '--project unit'));
  assert.match(await runOf('e2e/a.test.ts', files), /run in a browser \(project page\), and Hotspan profiles Node\.js/);
});

test('of several commands of a script, the one that has the file gives the options', async () => {
  const files = {
    '/repo/package.json': scripts({
      test: 'pnpm test-unit && pnpm test-serve',
      'test-unit': 'vitest run --shard=1/2 -t fast --pool forks',
      'test-serve': 'VITE=1 vitest run -c vitest.config.e2e.ts',
    }),
    '/repo/vitest.config.ts': "export default defineConfig({ test: { exclude: ['./play/**/*.*'] } })",
    '/repo/vitest.config.e2e.ts': "export default defineConfig({ test: { include: ['./play/**/*.spec.[tj]s'] } })",
  };
  assert.equal(await runOf('src/a.spec.ts', files), related('src/a.spec.ts', '--pool forks'));
  assert.equal(await runOf('play/a.spec.ts', files), related('play/a.spec.ts', '-c vitest.config.e2e.ts'));
});

test('a configuration that no script names is used where it alone has the file', async () => {
  const files = {
    '/repo/package.json': scripts({ test: 'vitest run' }),
    '/repo/vitest.config.ts': "export default { test: { include: ['src/**/*.test.ts'] } }",
    '/repo/vitest.e2e.config.ts': "export default { test: { include: ['e2e/**/*.test.ts'] } }",
  };
  assert.equal(await runOf('src/a.test.ts', files), related('src/a.test.ts'));
  assert.equal(await runOf('e2e/a.test.ts', files), related('e2e/a.test.ts', '--config vitest.e2e.config.ts'));
});

test("projects of folders are those of the workspace's root, and are called as their packages are", async () => {
  const files = {
    '/repo/package.json': scripts({ test: 'vitest' }),
    '/repo/vitest.workspace.ts': "export default defineWorkspace(['packages/*', '!packages/old'])",
    '/repo/packages/api/package.json': '{\n  "name": "@x/api"\n}',
    '/repo/packages/web/package.json': '{\n  "name": "@x/web"\n}',
    '/repo/packages/web/vite.config.ts': "export default { test: { name: 'site' } }",
    '/repo/packages/old/package.json': '{}',
  };
  const api = 'packages/api/src/a.test.ts';
  assert.equal(await runOf(api, files), related(api, '--project @x/api'));
  assert.equal(await runOf('packages/web/a.test.ts', files), related('packages/web/a.test.ts', '--project site'));
  assert.equal(await runOf('packages/api/src/a.ts', files), related('packages/api/src/a.ts'));
});

test("jest's projects are told by what they match, and called by their names", async () => {
  const files = {
    '/repo/package.json': scripts({ test: 'jest --selectProjects unit --ci --shard 1/3', 'test:api': 'jest -c b.js' }),
    '/repo/jest.config.js': `module.exports = { projects: [
      { displayName: 'unit', testMatch: ['<rootDir>/src/**/*.test.js'] },
      { displayName: { name: 'api', color: 'blue' }, testRegex: 'api/.*\\\\.test\\\\.js$' },
    ] }`,
  };
  const ofApi = 'node --findRelatedTests api/a.test.js --ci --selectProjects api --coverage=false';
  assert.equal(await runOf('api/a.test.js', files), ofApi);
  assert.equal(await runOf('src/a.js', files), 'node --findRelatedTests src/a.js --ci --coverage=false');
});

test('patterns start where the configuration says, or its command', async () => {
  const files = {
    '/repo/package.json': scripts({ test: 'jest -c config/jest.js && vitest run --root web', 'test:x': 'jest --bail' }),
    '/repo/config/jest.js': "module.exports = { rootDir: '../src', testMatch: ['<rootDir>/a/*.js'] }",
    '/repo/web/vitest.config.ts': '',
  };
  const jest = await runOf('src/a/__tests__/b.js', files);
  assert.equal(jest, 'node --findRelatedTests src/a/__tests__/b.js --bail --coverage=false');
  const inside = { ...files, '/repo/src/a/a.test.js': '' };
  assert.match(await runOf('src/a/a.test.js', inside), /-c config\/jest\.js/);
  const web = { ...files, '/repo/web/src/a.test.ts': "from 'vitest'" };
  assert.equal(await runOf('web/src/a.test.ts', web), related('web/src/a.test.ts', '--root web'));
});

test('options of Node.js stay in front of the runner, and what needs another program is left to it', async () => {
  for (const [test, file, run] of [
    [
      'node --expose-gc --import ./a.js node_modules/.bin/jest -c b.js',
      'src/a.js',
      'node --expose-gc --import ./a.js --findRelatedTests src/a.js -c b.js --coverage=false',
    ],
    ['tsx --test src/*.test.ts', 'src/a.test.ts', 'node --test --import tsx src/a.test.ts'],
    ['react-scripts test', 'src/a.js', 'npm run test -- --findRelatedTests src/a.js --coverage=false --watchAll=false'],
  ] as const)
    assert.equal(await runOf(file, { '/repo/package.json': scripts({ test }) }), run);
});

test("a script's options go to the tests that it names", async () => {
  const files = {
    '/repo/package.json': scripts({
      test: 'npm run lint && npm run test:unit && npm run test:page',
      lint: 'eslint .',
      'test:unit': 'mocha -r tsx --ui tdd "test/unit/**/*.ts"',
      'test:page': 'karma start',
    }),
  };
  assert.equal(await runOf('test/unit/a.ts', files), 'node -r tsx --ui tdd test/unit/a.ts');
  assert.match(await runOf('test/page/a.ts', files), /run in a browser \(karma\)/);
});

test('the file of a runner is the one that its own manifest names', async () => {
  const manifest = (bin: string | object): Files => ({
    '/repo/package.json': scripts({ test: 'mocha' }),
    '/repo/node_modules/mocha/package.json': { name: 'mocha', bin },
  });
  const commandOf = async (files: Files): Promise<readonly string[]> => {
    const result = await targetForFile(onSystem('/repo/test/a.js'), onSystem('/repo'), drawnFiles(files));
    return result.type === 'found' ? result.target.command.slice(0, 2).map(asDrawn) : [result.message];
  };
  const expected = ['node', '/repo/node_modules/mocha/bin/mocha'];
  assert.deepEqual(await commandOf(manifest({ _mocha: './bin/_mocha', mocha: './bin/mocha' })), expected);
  assert.deepEqual(await commandOf(manifest('./bin/mocha')), expected);
});
