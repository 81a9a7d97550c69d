import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetRows } from '../../words/editor/row-texts.ts';

const once = 'This would watch for changes: it runs once here.';
const target = {
  kind: 'tests',
  label: 'npm test',
  description: 'vitest',
  folder: '/repo',
  command: ['npm', 'run', 'test'],
  notes: [],
};

function details(...targets: readonly Parameters<typeof targetRows>[0][number][]): readonly string[] {
  return targetRows(targets).map(({ detail }) => detail);
}

test('a row of targets says which command is run, and what the script does', () => {
  assert.deepEqual(details({ ...target, script: 'eslint --fix . && vitest run' }), ['eslint --fix . && vitest run']);
  const told = { ...target, script: 'vitest', command: ['npm', 'run', 'test', '--', '--run'] };
  assert.deepEqual(details(told), ['npm test -- --run (vitest)']);
  const file = { ...target, label: 'Tests of cart.js', command: ['node', '/repo/node_modules/x.js', '/repo/cart.js'] };
  assert.deepEqual(details(file), ['node node_modules/x.js cart.js']);
  const hello = { ...target, kind: 'script', label: 'hello', description: 'node hello.js', script: 'node hello.js' };
  assert.deepEqual(details(hello), ['']);
});

test('what is to be known of several targets is said once', () => {
  const watching = { ...target, notes: [once] };
  assert.deepEqual(details(watching, { ...watching, label: 'vitest', command: ['vitest', '--run'] }), [
    once,
    'vitest --run',
  ]);
});
