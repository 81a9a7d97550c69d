import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { rmSync } from 'node:fs';
import { fileOfOnlyTest, onlyTest } from '../../recorder/launch/targets/only-test.ts';
import type { Target } from '../../recorder/launch/target.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const folder = temporaryProject({
  'sum.test.mjs': `import { describe, test } from 'node:test';
describe('sum', () => {
  test('adds (1 + 1)', () => console.log('one'));
  test('adds (1 + 1) twice', () => console.log('two'));
});
test('other', () => console.log('three'));
`,
});
after(() => rmSync(folder, { recursive: true, force: true }));

const target: Target = {
  ...{ id: 'sum.test.mjs#tests', kind: 'fileTests', runner: 'node:test', label: 'Tests of sum.test.mjs' },
  ...{ description: '', folder, env: {}, notes: [], isOrchestrator: false },
  command: ['node', '--test', 'sum.test.mjs'],
};

const jest: Target = {
  ...target,
  runner: 'jest',
  command: ['node', 'jest.js', '--findRelatedTests', '/app/a.test.ts'],
};

/** What the tests print that run. */
function printed(name: string, isSuite: boolean): readonly string[] {
  const [, ...words] =
    onlyTest(target, { name, suites: ['sum'], isSuite, isWhole: false, isShared: false })?.command ?? [];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env });
  return ['one', 'two', 'three'].filter((word) => new RegExp(`^(# )?${word}$`, 'm').test(stdout));
}

test('of a file one test runs alone, though its name begins that of another, and is no pattern', () => {
  assert.deepEqual(printed('adds (1 + 1)', false), ['one']);
});

test('of a suite all tests run', () => {
  assert.deepEqual(printed('sum', true), ['one', 'two']);
});

test('other runners take the name behind the file, after those of its suites', () => {
  const only = onlyTest(jest, {
    name: 'adds',
    suites: ['sum', 'of two (a + b)'],
    isSuite: false,
    isWhole: false,
    isShared: false,
  });
  assert.deepEqual(only?.command.slice(-3), ['/app/a.test.ts', '-t', String.raw`sum of two \(a \+ b\) adds$`]);
  assert.equal(only?.label, 'Test "adds"');
  assert.equal(
    onlyTest({ ...target, runner: null }, { name: 'x', suites: [], isSuite: false, isWhole: false, isShared: false }),
    null,
  );
});

test('Vitest 5 has another sign between names than the versions before it', () => {
  const vitest: Target = { ...jest, runner: 'vitest' };
  const one = { name: 'adds', suites: ['sum', 'of two'], isSuite: false, isWhole: true, isShared: false };
  const pattern = new RegExp(onlyTest(vitest, one)?.command.at(-1) ?? '');
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
    const pattern = new RegExp(
      onlyTest(jest, { name, suites: [], isSuite: false, isWhole: false, isShared: false })?.command.at(-1) ?? '',
    );
    assert.match(full, pattern);
    assert.doesNotMatch(other, pattern);
  }
});

test('of a command the file is known, if it runs one test alone', () => {
  const { command = [] } =
    onlyTest(jest, { name: 'adds', suites: [], isSuite: false, isWhole: false, isShared: false }) ?? {};
  assert.equal(fileOfOnlyTest(command), '/app/a.test.ts');
  assert.equal(fileOfOnlyTest(jest.command), null);
});
