import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileTest } from '../../protocol/requests.ts';
import { line0 } from '../../protocol/units.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';

fakeVscode();
const { testsNow } = await import('../../extension/commands/test-lenses.ts');

const at = (line: number): FileTest => {
  return { line: line0(line), meant: 'test', titles: ['a'], isSuite: false, isWhole: true, isShared: false };
};
const lines = ['import x;', "it('a', f);", "it('b', f);", "it('a', f);"];
const last = { tests: [at(1), at(2), at(3)], lines };
const now = (text: readonly string[]): readonly number[] => testsNow(last, text).map(({ line }) => line);

test('while a text cannot be parsed, each lens is at its line, wherever that is now', () => {
  assert.deepEqual(now(['const {', ...lines]), [2, 3, 4]);
  assert.deepEqual(now(lines), [1, 2, 3]);
});

test('a line that is being edited, or is gone, has no lens', () => {
  assert.deepEqual(now(["it('a', f);", "it('b"]), [0]);
  assert.deepEqual(testsNow(undefined, lines), []);
});
