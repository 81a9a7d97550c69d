import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlainFunction } from './plain-function.ts';
import { plainMargin } from './plain-margin.ts';
import type { OperationSample } from './plain-operations.ts';

/**
 * The margin, in ms, of what is in capitals: a sample each, its letter and how many ms count of it; `-` has no stack.
 * `waited`: in ms, of one span.
 */
function marginOf(drawing: string, waited = 0): number {
  const parts = drawing.split(' ').map((one) => ({ letter: one.charAt(0), ms: Number(one.slice(1)) }));
  const held = parts.reduce((sum, { ms }) => sum + ms * 1000, 0);
  const span = { wall: held + waited * 1000, held };
  const samples = parts.map(({ letter, ms }, index): OperationSample => {
    // What waited was cut off the last one.
    const us = ms * 1000 + (index === parts.length - 1 ? waited * 1000 : 0);
    return { index, us, weight: ms * 1000, asleep: 0, span, stack: letter === '-' ? [] : [walk], gc: false };
  });
  const part = new Set(samples.filter((_, index) => /[A-Z]/.test(parts[index]?.letter ?? '')));
  return plainMargin(samples, part, 1000) / 1000;
}

const walk: PlainFunction = {
  ...{ name: 'walk', url: '/app/walk.js', line: 0, column: 0, moduleBody: false, user: true },
  kind: 'own',
  role: 'app',
  packageName: null,
  loader: false,
};

test('what a part holds from the begin of an operation to its end is certain', () => {
  assert.equal(marginOf('A1 A1 A9'), 0);
});

test('a part begins and ends somewhere between two samples', () => {
  assert.equal(marginOf('a1 A1 A2 a1'), 0.25 + 0.5);
  const often = Array.from({ length: 24 }, () => 'A1 a1').join(' ');
  assert.equal(marginOf(often), (47 / 4) * Math.sqrt(24 / 47), 'more often, more exactly');
});

test('nobody knows who had a gap', () => {
  assert.equal(marginOf('A1 A1 a1 a4 a1'), 0.25 + 3);
  assert.equal(marginOf('A1 A1 a1 -2 a1'), 0.25 + 2);
  assert.equal(marginOf('A1 -2 A1 A1'), 0.25 + 2 + 0.5);
  assert.equal(marginOf('A1 A9 A1 A1'), 0, 'but the part that was there before and after it');
});

test('what others waited may have been its own wait', () => {
  assert.equal(marginOf('A1 A1 A1 a1', 2), 0.25 + 2);
  assert.equal(marginOf('A1 A1 A1 A1', 2), 0);
});
