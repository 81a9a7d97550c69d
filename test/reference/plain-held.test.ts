import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlainTurn, plainHeld, possibleWait } from './plain-held.ts';
import type { PlainReading } from './plain-knots.ts';

interface Counted {
  readonly held: number;
  readonly slept: number;
  readonly weights: readonly number[];
}

/** A turn of the times in ms; a stretch in brackets is in a waiting call: `1 [6] 1`. */
function heldOf(drawing: string, measured: Partial<PlainTurn>, readings: readonly PlainReading[] = []): Counted {
  let now = 0;
  const stretches = drawing.split(' ').map((part) => {
    const start = now;
    now += Number(part.replaceAll(/[[\]]/g, '')) * 1000;
    return { start, end: now, isWaiting: part.startsWith('[') };
  });
  const onTime = stretches.reduce((sum, { start, end }) => sum + Math.min(end - start, 1000), 0);
  const turn: PlainTurn = { start: 0, end: now, own: 0, run: null, wait: null, version: 2, ...measured };
  const { held, slept, stretches: counted } = plainHeld(turn, stretches, onTime, readings);
  return { held, slept, weights: counted.map(({ weight }) => weight) };
}

test('the longest gaps between samples shrink first', () => {
  const { held, weights } = heldOf('1 1 6 1', { run: 5000, wait: 4000 });
  assert.equal(held, 5000);
  assert.deepEqual(weights, [1000, 1000, 2000, 1000]);
});

test('of all that are too long the same is left', () => {
  assert.deepEqual(heldOf('1 4 3 1', { run: 6000, wait: 3000 }).weights, [1000, 2000, 2000, 1000]);
  assert.deepEqual(heldOf('3 4 3', { run: 1000, wait: 9000 }).weights, [333, 334, 333], 'their ends are rounded');
});

test('what a turn slept belongs to what waits in it', () => {
  const { held, slept, weights } = heldOf('1 [8] 1', { run: 2000, wait: 2000 });
  assert.equal(held, 8000);
  assert.equal(slept, 6000);
  assert.deepEqual(weights, [667, 6666, 667], 'three quarters of the call asleep, and the rest is cut');
});

test('no call sleeps longer than it lasts', () => {
  const { slept, weights } = heldOf('[1] 9', { run: 2000, wait: 3000 });
  assert.equal(slept, 5000);
  assert.deepEqual(weights, [1000, 6000]);
});

test('without a wait that is known a turn holds as long as by the clock', () => {
  assert.deepEqual(heldOf('1 [4] 5', {}).weights, [1000, 4000, 5000]);
  assert.deepEqual(heldOf('1 9', { run: 1000, version: 1 }).weights, [1000, 9000], 'so in the first version');
});

test('where only how long it ran is known, the rest was a wait, but for samples that came on time', () => {
  assert.equal(heldOf('1 9', { run: 2000 }).held, 2000);
  assert.equal(heldOf('1 1 1 7', { run: 3500 }).held, 3500, '4 ms of samples are not much more');
  assert.equal(heldOf('1 1 1 7', { run: 3000 }).held, 4000);
  assert.equal(heldOf('1 1', { run: 9000 }).held, 2000, 'never more than by the clock');
});

test('a wait that no turn can have had is made possible', () => {
  assert.equal(possibleWait(5000, 3000, 1000), 2000);
  assert.equal(possibleWait(5000, 3000, null), 3000);
  assert.equal(possibleWait(5000, 3000, 4000), 0);
});

test('where it was known on the way what a turn had waited, each part of it is cut for itself', () => {
  const measured = { run: 6000, wait: 6000 };
  assert.deepEqual(heldOf('6 6', measured).weights, [3000, 3000]);
  const readings = [reading(0, 9000, 5000), reading(11_000, 12_000, 6000)];
  assert.deepEqual(heldOf('6 6', measured, readings).weights, [3000, 3000], 'at 6 ms it may have been anything');
  const dense = [reading(-900, -500, 70_000), reading(4000, 5000, 75_000), reading(11_000, 12_000, 76_000)];
  assert.deepEqual(heldOf('6 6', measured, dense).weights, [1000, 5000]);
});

function reading(before: number, at: number, wait: number): PlainReading {
  return { before, at, wait };
}
