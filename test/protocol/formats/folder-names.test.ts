import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNameOfRun, isNameOfTarget, nameOfRun } from '../../../protocol/formats/folder-names.ts';

const name = nameOfRun(new Date(Date.UTC(2026, 0, 31, 12)));

test('folders of runs are known by their names, and no others are', () => {
  assert.equal(name, '2026-01-31T12-00-00-000Z');
  const ours = [name, `${name}.ended`, `${name.replace('Z', '')}-4711`];
  const others = ['', `${name}x`, `x${name}`, name.replace('Z', ''), `${name}-4711`, `${name}.old`, '../x', 'src'];
  assert.deepEqual([...ours, ...others].filter(isNameOfRun), ours);
});

test('folders of targets are known by their names, and no others are', () => {
  const names = ['0123456789abcdef', '0123456789ABCDEF', '0123456789abcde', '0123456789abcdef0', 'src'];
  assert.deepEqual(names.filter(isNameOfTarget), ['0123456789abcdef']);
});
