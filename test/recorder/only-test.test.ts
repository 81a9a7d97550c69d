import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { rmSync } from 'node:fs';
import { onlyTest } from '../../recorder/launch/only-test.ts';
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

/** What the tests print that run. */
function printed(name: string, isSuite: boolean): readonly string[] {
  const [, ...words] = onlyTest(target, { name, isSuite })?.command ?? [];
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

test('other runners take the name behind the file, values of a table of tests left open', () => {
  const jest: Target = { ...target, runner: 'jest', command: ['node', 'jest.js', '--findRelatedTests', 'a.test.ts'] };
  const only = onlyTest(jest, { name: 'adds %i and $b.c', isSuite: false });
  assert.deepEqual(only?.command.slice(-3), ['a.test.ts', '-t', 'adds .* and .*$']);
  assert.equal(only?.label, 'Test "adds %i and $b.c"');
  assert.equal(onlyTest({ ...target, runner: null }, { name: 'x', isSuite: false }), null);
});
