import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { median } from '../../../protocol/figures.ts';
import { apart, chanceOf, factor, ratioInterval } from '../../../engine/compare/change-rules.ts';

/** All ways to choose `count` of the numbers from 0 below `all`. */
function choices(all: number, count: number, from = 0): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return Array.from({ length: Math.max(0, all - from) }, (_, at) => from + at).flatMap((first) =>
    choices(all, count - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

/** How many pairs have the larger value in `is`; equal ones count half. */
function largerPairs(was: readonly number[], is: readonly number[]): number {
  return is.flatMap((now) => was.map((before) => (Math.sign(now - before) + 1) / 2)).reduce((sum, one) => sum + one, 0);
}

/** In which part of all orders of the values these are as far apart, by trying each. */
function chanceByTrying(was: readonly number[], is: readonly number[]): number {
  const values = [...was, ...is];
  const distance = (before: readonly number[], now: readonly number[]): number =>
    Math.abs(largerPairs(before, now) - (was.length * is.length) / 2);
  const orders = choices(values.length, was.length).map((chosen) => {
    const before = chosen.map((at) => values[at] ?? 0);
    return distance(
      before,
      values.filter((_, at) => !chosen.includes(at)),
    );
  });
  return orders.filter((one) => one >= distance(was, is)).length / orders.length;
}

const sizes = [1, 2, 3, 4, 5].flatMap((n) => [1, 2, 3, 4, 5].map((m) => [n, m] as const));

describe('the probability that a difference is chance', () => {
  test('is what trying all orders of up to five and five values gives', () => {
    for (const [n, m] of sizes) {
      for (const chosen of choices(n + m, n)) {
        const rest = Array.from({ length: n + m }, (_, at) => at).filter((at) => !chosen.includes(at));
        const [chance, tried] = [chanceOf(chosen, rest), chanceByTrying(chosen, rest)];
        assert.ok(Math.abs(chance - tried) < 1e-9, `${chosen.join()} and ${rest.join()}: ${chance}, not ${tried}`);
      }
    }
  });

  test('is never said to be below 1 % where it is not, equal values or none', () => {
    for (const [n, m] of sizes) {
      for (const chosen of choices(n + m, n)) {
        const coarse = (at: number): number => Math.floor(at / 2);
        const rest = Array.from({ length: n + m }, (_, at) => at).filter((at) => !chosen.includes(at));
        const [was, is] = [chosen.map(coarse), rest.map(coarse)];
        const isSaid = chanceOf(was, is) < 0.01;
        assert.ok(!isSaid || chanceByTrying(was, is) < 0.01, `${was.join()} and ${is.join()}`);
      }
    }
  });

  test('is certain for equal samples, and small for eight that are apart', () => {
    assert.equal(chanceOf([1, 1, 1], [1, 1, 1]), 1);
    assert.equal(chanceOf([1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16]), 2 / 12_870);
  });
});

describe('the interval of a ratio', () => {
  test('is from the smallest to the largest of up to seven pairs, and without these two from eight on', () => {
    const ones = Array.from({ length: 8 }, () => 10);
    const isUs = [12, 11, 10, 9, 13, 10, 11, 20];
    assert.deepEqual(ratioInterval(ones.slice(1), isUs.slice(1), 'interleaved'), { low: 0.9, high: 2 });
    assert.deepEqual(ratioInterval(ones, isUs, 'interleaved'), { low: 1, high: 1.3 });
  });

  test('of pairs sees that both became slower together, which blocks cannot', () => {
    const [was, is] = [
      [10, 20, 40],
      [11, 22, 44],
    ];
    assert.deepEqual(ratioInterval(was, is, 'interleaved'), { low: 1.1, high: 1.1 });
    assert.deepEqual(ratioInterval(was, is, 'blocks'), { low: 11 / 40, high: 4.4 });
  });

  test('is unknown where a side took no time', () => {
    assert.equal(ratioInterval([0, 0, 0], [1, 2, 3], 'interleaved'), null);
    assert.equal(ratioInterval([], [], 'blocks'), null);
  });
});

test('values are apart only where the ranges do not touch', () => {
  assert.equal(apart([3, 4], [1, 2]), 'faster');
  assert.equal(apart([1, 2], [3, 4]), 'slower');
  assert.equal(apart([1, 2], [2, 3]), null);
  assert.equal(apart([], [2, 3]), null);
});

test('medians and factors', () => {
  assert.deepEqual([median([3, 1, 2]), median([4, 1, 2, 3])], [2, 2.5]);
  assert.deepEqual([factor([1, 2, 3], [4, 4, 4]), factor([4, 4, 4], [1, 2, 3])], [2, 2]);
});
