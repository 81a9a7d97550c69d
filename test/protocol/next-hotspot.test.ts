import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepFrom } from '../../protocol/next-hotspot.ts';

test('the next hotspot is the worst, and from a hotspot the one after it, once for each place, round at the ends', () => {
  const first = { uri: 'a.js', line: 5 };
  const second = { uri: 'b.js', line: 2 };
  const third = { uri: 'a.js', line: 9 };
  const all = [first, second, { ...second }, { ...first }, third];
  assert.equal(stepFrom(null, [], 'next'), null);
  for (const [here, direction, there] of [
    [null, 'next', first],
    [{ uri: 'a.js', line: 6 }, 'next', first],
    [first, 'next', second],
    [second, 'next', third],
    [third, 'next', first],
    [third, 'previous', second],
    [first, 'previous', third],
  ] as const)
    assert.equal(stepFrom(here, all, direction), there);
});
