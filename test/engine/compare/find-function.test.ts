import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesOf } from '../../../engine/compare/find-function.ts';
import { assertEach } from '../../helpers/assert-each.ts';

test('a place is a file and a line, whatever the file is called', () => {
  const only = (typed: string): unknown => {
    const [place, ...others] = placesOf(typed);
    return others.length > 0 ? others : [place?.file, place?.line];
  };
  assert.deepEqual(only('src/cart.ts:12'), ['src/cart.ts', 12]);
  assert.deepEqual(only(String.raw`C:\src\cart.ts:12`), [String.raw`C:\src\cart.ts`, 12]);
  assert.deepEqual(only('new\nline.js:3'), ['new\nline.js', 3]);
  assert.deepEqual(only('a:b.js:3'), ['a:b.js', 3]);
});

test('a second number is a column, or the line in a file whose name ends with the first one', () => {
  assertEach(placesOf('cart.ts:12:5'), ({ file, line }) => [file, line], [
    ['cart.ts', 12],
    ['cart.ts:12', 5],
  ]);
});

test('what has no line is a name', () => {
  for (const typed of ['quote', 'Cart.total', 'a:b', String.raw`C:\cart.ts`, ':12'])
    assert.deepEqual(placesOf(typed), [], typed);
});
