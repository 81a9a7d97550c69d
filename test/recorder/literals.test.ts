import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listIn, literalBehind, withoutComments } from '../../recorder/launch/packages/literals.ts';

test('a list far too deep is an expression from some depth on', () => {
  const depth = 4000;
  const found = listIn(literalBehind(/^/, `[${'['.repeat(depth)}1${']'.repeat(depth)}, 'b']`));
  assert.equal(found?.length, 2);
  assert.equal(found[1], 'b');
});

test('comments that never end end with the text, and a text that nobody writes by hand is none', () => {
  assert.equal(withoutComments(`a ${'/* '.repeat(10_000)}`).trim(), 'a');
  assert.equal(withoutComments(`a ${'/* '.repeat(100_000)}`), '');
});
