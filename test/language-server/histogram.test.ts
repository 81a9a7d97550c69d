import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histogram } from '../../language-server/texts/hover-facts.ts';

test('the operations stand in one row by their time: the fewest still have a bar, and a class without any is left out', () => {
  assert.equal(
    histogram({ fast: 1000, medium: 1, slow: 0, verySlow: 500, monster: 0 }),
    '≤1 ms █ 1000 · ≤10 ms ▁ 1 · ≤1 s ▄ 500',
  );
});
