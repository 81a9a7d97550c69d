import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histogram } from '../../language-server/texts/hover-facts.ts';

test('a class with the fewest operations still has a bar, one with none has none', () => {
  const lines = histogram({ fast: 1000, medium: 1, slow: 0, verySlow: 500, monster: 0 }).split('\n');
  assert.deepEqual(lines, [
    `≤ 1 ms    ${'█'.repeat(24)} 1000`,
    '≤ 10 ms   █ 1',
    '≤ 100 ms  0',
    `≤ 1 s     ${'█'.repeat(12)} 500`,
    '> 1 s     0',
  ]);
});
