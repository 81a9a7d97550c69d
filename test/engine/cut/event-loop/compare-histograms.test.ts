import assert from 'node:assert/strict';
import test from 'node:test';
import { addUp, compareHistograms, readHistogramLog } from '../../../../engine/cut/event-loop/compare-histograms.ts';
import { microseconds } from '../../../../protocol/units.ts';
import type { TurnClass } from '../../../../engine/read/samples/sample-stream.ts';

/** Busy µs below 1 ms, below 100 ms, and above. */
function loop(short: number, long: number, monster: number): readonly TurnClass[] {
  return [
    { below: microseconds(1000), count: 9, time: microseconds(short) },
    { below: microseconds(100_000), count: 2, time: microseconds(long) },
    { below: null, count: 1, time: microseconds(monster) },
  ];
}

test('two loops are alike when they spend their time in turns of the same lengths, however long both ran', () => {
  assert.equal(compareHistograms(loop(10, 30, 60), loop(100, 300, 600))?.distance, 0);
});

test('the distance is the share of time that lies elsewhere, and the split says from which length on', () => {
  const { distance, split } = compareHistograms(loop(25, 25, 50), loop(50, 50, 0)) ?? assert.fail('nothing');
  assert.equal(distance, 0.5);
  assert.deepEqual(split, { over: 100_000, production: 0.5, recording: 0 });
  const above = compareHistograms(loop(5, 45, 50), loop(50, 20, 30))?.split;
  assert.deepEqual(above, { over: 1000, production: 0.95, recording: 0.5 });
});

test('a loop that was never busy is like no other', () => {
  assert.equal(compareHistograms(loop(0, 0, 0), loop(1, 1, 1)), null);
  assert.equal(compareHistograms([], []), null);
});

test('lines of a log are found among others and added up', () => {
  const line = (pid: number, turns: readonly number[]): string =>
    JSON.stringify({
      ...{ hotspan: 'histogram', at: '2026-01-01T00:00:00Z', pid, seconds: 10 },
      belowUs: [10, 100, 500, 1000, 10_000, 100_000, 1_000_000, null],
      turns,
      sumUs: turns.map((count) => count * 5),
      longestUs: 5,
    });
  const log = ['listening', `app-1  | ${line(1, [1, 2])}`, line(2, [10, 20, 0, 0, 0, 0, 0, 3]), '{"hotspan":"hist'];
  const sums = addUp(readHistogramLog(log.join('\n'))).map(({ count, time }) => `${count} ${time}`);
  assert.equal(sums.join(', '), '11 55, 22 110, 0 0, 0 0, 0 0, 0 0, 0 0, 3 15');
});
