import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileOfOnlyTest, onlyTest, type Target } from '../../recorder/launch/target.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const folder = temporaryProject({
  'sum.test.mjs': `import { describe, test } from 'node:test';
describe('sum', () => {
  test('adds (1 + 1)', () => console.log('one'));
  test('adds (1 + 1) twice', () => console.log('two'));
  describe('/api/users', () => test('answers', () => console.log('four')));
  test('--help', () => console.log('five'));
});
test('other', () => console.log('three'));
`,
});

const target: Target = {
  ...{ id: 'sum.test.mjs#tests', kind: 'fileTests', runner: 'node:test', label: 'Tests of sum.test.mjs' },
  ...{ description: '', folder, env: {}, notes: [], isOrchestrator: false },
  command: ['node', '--test', 'sum.test.mjs'],
};

const jestWords = ['node', 'jest.js', '--findRelatedTests', '/app/a.test.ts'];
const jest: Target = { ...target, runner: 'jest', command: jestWords };

/** One test, which has its name alone, and is in no suite where nothing else is said. */
const one = (name: string, more: Partial<Parameters<typeof onlyTest>[1]> = {}) => {
  return { name, suites: [], isSuite: false, isWhole: false, isShared: false, ...more };
};

/** What the tests print that run. */
function printed(name: string, isSuite: boolean): readonly string[] {
  const [, ...words] = onlyTest(target, one(name, { suites: ['sum'], isSuite }))?.command ?? [];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env });
  return ['one', 'two', 'three', 'four', 'five'].filter((word) => new RegExp(`^(# )?${word}$`, 'm').test(stdout));
}

test('of a file one test or suite runs alone, though its name begins that of another, and is not a pattern', () => {
  assert.deepEqual(printed('adds (1 + 1)', false), ['one']);
  assert.deepEqual(printed('/api/users', true), ['four']);
  assert.deepEqual(printed('--help', false), ['five']);
  assert.deepEqual(printed('sum', true), ['one', 'two', 'four', 'five']);
});

test('other runners take the name behind the file, after those of its suites', () => {
  const only = onlyTest(jest, one('adds', { suites: ['sum', 'of two (a + b)'] }));
  assert.deepEqual(only?.command.slice(-3), ['/app/a.test.ts', '-t', String.raw`sum of two \(a \+ b\) adds$`]);
  assert.equal(only?.label, 'Test "adds"');
  assert.equal(onlyTest({ ...target, runner: null }, one('x')), null);
});

test('Vitest 5 has another sign between names than the versions before it', () => {
  const vitest: Target = { ...jest, runner: 'vitest' };
  const adds = one('adds', { suites: ['sum', 'of two'], isWhole: true });
  const pattern = new RegExp(onlyTest(vitest, adds)?.command.at(-1) ?? '');
  for (const full of ['sum > of two > adds', 'sum of two adds', ' sum of two adds']) assert.match(full, pattern);
  assert.doesNotMatch('all > sum > of two > adds', pattern);
});

test('what a name is given only when tests run is left open, and nothing else', () => {
  for (const [name, full, other] of [
    ['adds %i and $b.c', 'adds 1 and {"d":2}', 'adds 1 or 2'],
    ['of ${name}s ({})', 'of birds ({})', 'of birds (all)'],
    ['of ${list.map(({ a }) => a).join()}.', 'of 1,2.', 'of 1,2'],
    ['%s is 100%% right', 'all is 100% right', 'all is 100% wrong'],
  ] as const) {
    const pattern = new RegExp(onlyTest(jest, one(name))?.command.at(-1) ?? '');
    assert.match(full, pattern);
    assert.doesNotMatch(other, pattern);
  }
});

test('of a command the file is known, if it runs one test alone', () => {
  const { command = [] } = onlyTest(jest, one('adds')) ?? {};
  assert.equal(fileOfOnlyTest(command), '/app/a.test.ts');
  assert.equal(fileOfOnlyTest(jest.command), null);
});
