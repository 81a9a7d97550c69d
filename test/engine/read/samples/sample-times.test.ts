import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../helpers/drawn-cases.ts';
import { SampleTimes } from '../../../../engine/read/samples/sample-times.ts';
import { ListedWeights } from '../../../../engine/read/samples/weights.ts';
import { weightList } from '../../../helpers/weight-list.ts';

test('times of 4 and of 8 bytes are the same to whoever reads them', () => {
  const gap = fc.oneof({ weight: 9, arbitrary: fc.nat(5000) }, fc.integer({ min: 60_000, max: 80_000_000 }));
  const given = fc.tuple(fc.integer({ min: -5, max: 1e15 }), fc.array(gap, { maxLength: 50 }), fc.nat(5000));
  fc.assert(
    fc.property(given, ([start, gaps, rest]) => {
      let now = 0;
      const offsets = gaps.map((one) => (now += one));
      const short = new SampleTimes(Uint32Array.from(offsets), start);
      const long = new SampleTimes(Float64Array.from(offsets, (offset) => offset + start));
      const end = start + now + rest;
      assert.deepEqual([...short], [...long]);
      assert.deepEqual([short.last, short.at(gaps.length), short.at(-1)], [long.last, undefined, undefined]);
      for (const time of [start, end, ...long, -Infinity, Infinity])
        assert.equal(short.firstFrom(time), long.firstFrom(time));
      assert.deepEqual(weightList(short.lasts(end)), weightList(long.lasts(end)));
      const durations = short.durations(end);
      assert.deepEqual(durations, long.durations(end));
      let late = 0;
      short.lasts(end).eachAbove(durations.late, (_, time) => (late += time));
      assert.equal(durations.sumOfLate, late);
    }),
  );
});

test('each sample lasts until the next one, the last until the end', () => {
  const times = new SampleTimes(Uint32Array.of(0, 5, 5, 70_005), 100);
  const lasts = times.lasts(70_115);
  assert.deepEqual(weightList(lasts), [5, 0, 70_000, 10]);
  assert.deepEqual([lasts.at(-1), lasts.at(4)], [0, 0], 'there is no such sample');
  assert.deepEqual(times.durations(70_115), { median: 5, onTime: 0, longest: 70_000, late: 0, sumOfLate: 70_015 });
});

test('without gaps, or moved, samples come earlier, and the times that were given stay', () => {
  for (const List of [Uint32Array, Float64Array]) {
    const given = new SampleTimes(List.of(0, 5, 9005, 9007, 20_000), 100);
    const gaps = [
      { sample: 1, time: 8995 },
      { sample: 3, time: 10_990 },
    ];
    assert.deepEqual([...given.withoutGaps(gaps)], [100, 105, 110, 112, 115]);
    const beforeTheFirst = given.moved([{ from: 90, until: 9107, by: 20, to: 83 }]);
    assert.deepEqual([...beforeTheFirst], [83, 85, 9085, 9107, 20_100]);
    assert.deepEqual([...given], [100, 105, 9105, 9107, 20_100]);
  }
});

test('a sample may last for weeks', () => {
  const until = 2 ** 32 - 1;
  assert.deepEqual(weightList(new SampleTimes(Uint32Array.of(0, until)).lasts(until + 7)), [until, 7]);
  assert.deepEqual(weightList(new SampleTimes(Uint32Array.of(0)).lasts(1e13)), [1e13]);
});

test('each weight above a limit is found, the last one, too', () => {
  const found: string[] = [];
  for (const times of [[0, 5, 5, 9], [7], []])
    new SampleTimes(Uint32Array.from(times), 100).lasts(120).eachAbove(4, (...one) => found.push(one.join(' ')));
  assert.deepEqual(found, ['0 5', '3 11', '0 13']);
});

test('weights are added at the place of their samples', () => {
  const times = new SampleTimes(Uint32Array.of(0, 5, 5, 9), 100);
  for (const weights of [times.lasts(120), new ListedWeights(Float64Array.of(5, 0, 4, 11))]) {
    const sums = (...places: readonly number[]): readonly number[] => {
      const all = Float64Array.of(100, 100);
      weights.addTo(all, places);
      return [...all];
    };
    assert.deepEqual(sums(1, 0, 1, 1), [100, 120]);
    assert.deepEqual(sums(1, -1, -1, 0), [111, 105]);
    assert.deepEqual(sums(0, 0, 0, -1), [109, 100]);
  }
});

test('a stretch of weights is copied as each of them is', () => {
  const times = new SampleTimes(Uint32Array.of(0, 5, 5, 9), 100);
  for (const weights of [times.lasts(120), new ListedWeights(Float64Array.of(5, 0, 4, 11))])
    for (let first = 0; first <= 4; first++)
      for (let end = first; end <= 4; end++) {
        const copied = new Float64Array(4).fill(-1);
        weights.copyTo(copied, first, end);
        assert.deepEqual([...copied.subarray(0, end - first)], weightList(weights).slice(first, end));
        assert.ok(copied.subarray(end - first).every((rest) => rest === -1));
      }
});
