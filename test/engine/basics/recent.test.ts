import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recent } from '../../../engine/basics/once.ts';

test('what was asked for last is kept, and made anew only when it had to go', () => {
  const recent = new Recent<string>(2);
  const made: string[] = [];
  const ask = (key: string): string =>
    recent.get(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  assert.deepEqual(['a', 'b', 'a', 'c', 'a', 'b'].map(ask), ['A', 'B', 'A', 'C', 'A', 'B']);
  assert.deepEqual(made, ['a', 'b', 'c', 'b']);
});
