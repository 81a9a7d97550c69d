import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testsSuffix } from '../../../protocol/recording.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { busyFor } from '../../helpers/busy-for.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { projectFile } from '../../helpers/project.ts';
import {
  bare,
  eventsOfType,
  filesOf,
  linesOf,
  mapsOf,
  profilesWith,
  program,
  recorded,
  recording,
  turnsOf,
} from './recorded.ts';
import type { TestLine } from '../../../protocol/recording-lines.ts';

// `node --test` in a test file would take itself for a child of this run.
delete process.env['NODE_TEST_CONTEXT'];

const nodeTest = `
const { busyTarget } = require('./busy');
const { describe, it, beforeEach } = require('node:test');
describe('suite', () => {
  beforeEach(() => busyTarget(2));
  it('one', () => busyTarget(5));
  it('two', function () {
    if (typeof this.diagnostic !== 'function') throw new Error('another this');
  });
  it('outer', async (t) => {
    await t.test('inner', () => busyTarget(5));
  });
  it('skips', (t) => t.skip());
  it('fails', () => {
    throw new Error('with its stack');
  });
});
`;

const fails = "it('fails', () => { throw new Error('it does'); });";

/** Two files of tests, each with a source of its own. */
const vitestFiles = {
  ...testedSource('first', `it('skips', (context) => context.skip());`),
  ...testedSource('second', fails),
};

/** `src/NAME.ts` has a function NAME that is busy for 150 ms, which a test calls beside others. */
function testedSource(name: string, others: string): Readonly<Record<string, string>> {
  return {
    [`src/${name}.ts`]: `export function ${name}(ms: number): void {\n  ${busyFor('ms')}\n}\n`,
    [`${name}.test.ts`]: `import { ${name} } from './src/${name}.ts';
      describe('${name}', () => it('passes', () => ${name}(150))); ${others}`,
  };
}

for (const { node, version } of testedVersions()) {
  test(`node:test: each test, and the same output (Node ${version})`, async (t) => {
    const folder = program(t, { 'a.test.js': nodeTest });
    const command = [node, '--test', '--test-reporter=spec', 'a.test.js'];
    const { ended, directory } = recording(folder, command);
    const { exitCode, stdout } = await ended;
    assert.equal(exitCode, 1);
    assert.equal(withoutTimes(stdout), withoutTimes((await bare(folder, command)).stdout));
    const titles = ['one', 'two', 'outer', 'outer > inner', 'skips: skipped', 'fails: failed'];
    assertEach(testsIn(directory), (title) => title.replace('suite > ', ''), titles);
  });

  test(`node:test: none that is left out, and the script of each, not its source (Node ${version})`, async (t) => {
    const map = { version: 3, sources: ['a.test.ts'], names: [], mappings: `AAAA${';AACA'.repeat(20)}` };
    const data = Buffer.from(JSON.stringify(map)).toString('base64');
    const mapped = `${nodeTest}//# sourceMappingURL=data:application/json;base64,${data}`;
    const folder = program(t, { 'a.test.js': mapped });
    const words = ['--enable-source-maps', '--test-name-pattern=two', 'a.test.js'];
    const { ended, directory } = recording(folder, [node, ...words]);
    await ended;
    assert.deepEqual(testsIn(directory), ['suite > two']);
    for (const [kind, , , file] of testLinesOf(directory)) if (kind === 'begin') assert.match(file, /a\.test\.js$/);
  });

  test(`mocha: each test and how it ended, the profile, and its turns (Node ${version})`, async (t) => {
    const skips = "it('skips', function () { this.skip(); });";
    const folder = program(t, {
      'a.test.js': `${skips} it('passes', () => require('./busy').busyTarget(150)); ${fails}`,
    });
    const { ended, directory } = recording(folder, [node, projectFile('node_modules/mocha/bin/mocha.js'), 'a.test.js']);
    assert.match((await ended).stdout, /1 passing/);
    assert.deepEqual(testsIn(directory), ['skips: skipped', 'passes', 'fails: failed']);
    assert.equal(profilesWith(directory, 'busyTarget'), 1);
    assert.ok(turnsOf(directory, 100).length > 0);
  });

  for (const pool of ['forks', 'threads', 'vmThreads'])
    test(`vitest, ${pool}: each test and how it ended, every file's functions, and the maps of the sources (Node ${version})`, async (t) => {
      const folder = program(t, vitestFiles);
      const env = { ...process.env, NODE_COMPILE_CACHE: projectFile('.cache/compiled') };
      const command = [node, projectFile('node_modules/vitest/vitest.mjs'), 'run', '--globals', '--root=.'];
      const { ended, directory } = recording(folder, [...command, `--pool=${pool}`], { env });
      assert.match((await ended).stdout, /2 passed/);
      const tests = ['fails: failed', 'first > passes', 'second > passes', 'skips: skipped'];
      assert.deepEqual(testsIn(directory).toSorted(), tests);
      const names = ['first', 'second'];
      for (const name of names) assert.equal(profilesWith(directory, name), 1, name);
      const urls = mapsOf(directory).map(({ url }) => url);
      assert.ok(names.every((name) => urls.some((url) => url.endsWith(`/src/${name}.ts`))));
      const kinds = new Set(eventsOfType(directory, 'worker').map(({ kind }) => kind));
      assert.deepEqual([...kinds], pool === 'forks' ? [] : ['pool']);
    });

  test(`jest's state in a realm of its own: each test, but concurrent ones and those left out (Node ${version})`, async (t) => {
    const { directory } = await recorded(program(t, { 'circus.js': likeCircus }), [node, 'circus.js']);
    assert.deepEqual(testsIn(directory), ['suite > one', 'suite > two: failed', 'suite > wanted']);
    assert.deepEqual(
      testLinesOf(directory).flatMap((line) => (line[0] === 'untold' ? [line[2]] : [])),
      ['/app/concurrent.test.js'],
    );
  });

  test(`jest with another runner than its own: that tests ran, but none is reported (Node ${version})`, async (t) => {
    const { directory } = await recorded(program(t, { 'jasmine2.js': likeJasmine2 }), [node, 'jasmine2.js']);
    assertEach(testLinesOf(directory), ([kind]) => kind, ['unreported']);
  });
}

/** What jest's other runner leaves there. */
const likeJasmine2 = `
require.cache['/app/node_modules/jest-runner/build/runTest.js'] = module;
const vm = require('node:vm');
function run(filename, text, functions) {
  const context = vm.createContext(functions);
  new vm.Script(text, { filename }).runInContext(context);
}
run('/app/setup.js', '0', {});
for (const name of ['a', 'b']) run('/app/' + name + '.test.js', 'it("fails")', { describe() {}, it() {} });
`;

/** What jest-circus leaves in the cache of modules, and in the global object of a test file, in this order. */
const likeCircus = `
require.cache['/app/node_modules/jest-circus/build/index.js'] = module;
const vm = require('node:vm');
const { busyTarget } = require('./busy');
function run(testPath, tests, facts) {
  const context = vm.createContext();
  const realm = vm.runInContext('this', context);
  const root = { name: 'ROOT_DESCRIBE_BLOCK', children: [], parent: undefined };
  const suite = { name: 'suite', children: [], parent: root };
  root.children.push(suite);
  for (const test of tests) suite.children.push({ errors: [], ...test, parent: suite });
  const state = { currentlyRunningTest: null, rootDescribeBlock: root, hasFocusedTests: false, ...facts };
  realm[Symbol('JEST_STATE_SYMBOL')] = state;
  realm[Symbol.for('$$jest-matchers-object')] = { state: { testPath } };
  new vm.Script('0', { filename: testPath }).runInContext(context);
  for (const one of suite.children) {
    state.currentlyRunningTest = one;
    if (state.currentlyRunningTest !== one) throw new Error('another test');
    busyTarget(2);
    state.currentlyRunningTest = null;
  }
}
run('/app/plain.test.js', [{ name: 'one' }, { name: 'left', mode: 'skip' }, { name: 'two', errors: [0] }]);
run('/app/only.test.js', [{ name: 'left' }, { name: 'wanted', mode: 'only' }], { hasFocusedTests: true });
run('/app/named.test.js', [{ name: 'two' }], { testNamePattern: /suite one/i });
run('/app/concurrent.test.js', [{ name: 'three', concurrent: true }]);
`;

/** Full titles of the tests in a recording, in the order in which they began, and how they ended if they did not pass. */
function testsIn(directory: string): readonly string[] {
  // Each file counts its tests from the same number on.
  return filesOf(directory, testsSuffix).flatMap((file) => {
    const lines = testLinesOf(directory, file);
    const ends = lines.flatMap((line): [number, string][] =>
      line[0] === 'end' ? [[line[2], line[3] === 'passed' ? '' : `: ${line[3]}`]] : [],
    );
    const endOf = new Map(ends);
    return lines.flatMap((line) =>
      line[0] === 'begin' ? `${line[4].join(' > ')}${endOf.get(line[2]) ?? ': no end'}` : [],
    );
  });
}

function testLinesOf(directory: string, suffix = testsSuffix): readonly TestLine[] {
  return linesOf(directory, suffix).filter(isTestLine);
}

const isTestLine = (value: unknown): value is TestLine => Array.isArray(value);

function withoutTimes(output: string): string {
  return output.replaceAll(/\d+(\.\d+)?ms|(?<=duration_ms )[\d.]+/g, 'time');
}
