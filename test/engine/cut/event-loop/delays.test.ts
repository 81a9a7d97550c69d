import { noTimes } from '../../../../engine/read/samples/sample-times.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delaysOf, waitedIn, waitsIn } from '../../../../engine/cut/event-loop/program-loops.ts';
import { heldTurns } from '../../../../engine/cut/streams/build-streams.ts';
import { microseconds } from '../../../../protocol/units.ts';
import { readTurns } from '../../../../engine/read/sidecars/read-sidecars.ts';

/** Delays, in ms, of turns given by begin, end and wait for a processor in ms, in a stretch of `length` ms from 0, or from `from`. */
function delays(
  turns: readonly (readonly [begin: number, end: number, wait?: number])[],
  { from = 0, length = 1000, short = 0 } = {},
) {
  const counts = [0, 0, 0, short, 0, 0, 0, 0];
  const times = counts.map((count) => count * 800);
  const lines = [
    ...turns.map(([begin, end, wait = 0]) => ['turn', begin * 1000, end * 1000, 0, 0, wait * 1000]),
    ['histogram', from * 1000, (from + length) * 1000, counts, times],
  ];
  const measured = heldTurns(readTurns(lines, true), noTimes, microseconds(1000));
  const waits = measured.loop.periods.flatMap((period) => waitsIn(period, measured));
  const waited = measured.loop.periods.reduce((sum, period) => sum + waitedIn(period, measured), 0);
  const { p50, p90, p99, most } = delaysOf(waits, length * 1000 - waited);
  return [p50, p90, p99, most].map((us) => us / 1000);
}

test('who arrives while the loop waits does not wait', () => {
  assert.deepEqual(delays([]), [0, 0, 0, 0]);
});

test('one turn of 300 ms in a second: 10 % wait over 200 ms, 1 % over 290 ms', () => {
  assert.deepEqual(delays([[100, 400]]), [0, 200, 290, 300]);
});

test('a loop that is always busy with turns of 10 ms lets half wait over 5 ms', () => {
  const turns = Array.from({ length: 100 }, (_, turn) => [turn * 10, turn * 10 + 10] as const);
  assert.deepEqual(delays(turns), [5, 9, 9.9, 10]);
});

test('a turn that goes on after the stretch counts with all that is left of it', () => {
  assert.deepEqual(delays([[900, 1900]]), [0, 0, 990, 1000]);
  assert.deepEqual(delays([[900, 1900]], { from: 1000 }), [400, 800, 890, 900]);
});

test('turns below 1 ms count with their mean length', () => {
  assert.deepEqual(delays([], { short: 1000 }), [0.3, 0.7, 0.79, 0.8]);
});

test('what a turn waited for a processor is not time of the loop', () => {
  assert.deepEqual(delays([[100, 500, 100]], { length: 1100 }), delays([[100, 400]]));
});
