import assert from 'node:assert/strict';
import test from 'node:test';
import { MAX_PART_MS, nextPart } from '../../recorder/preload/profile/profiler.ts';

test('parts get shorter where writing one holds the loop for long, and longer again where it does not', () => {
  let part = MAX_PART_MS;
  const holds: number[] = [];
  const write = (msEachSecond: number): void => {
    const hold = (part / 1000) * msEachSecond;
    holds.push(hold);
    part = nextPart(part, hold);
  };
  for (const width of [25, 25, 25, 1, 1]) write(width);
  assert.deepEqual(holds, [250, 50, 50, 2, 8]);
  assert.equal(part, MAX_PART_MS);
});

test('a part is never shorter than a second', () => {
  assert.equal(nextPart(MAX_PART_MS, 60_000), 1000);
});
