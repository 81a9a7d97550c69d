import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SampleTimes } from '../../../engine/samples/sample-times.ts';

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
      const [a, b] = [short.durations(end), long.durations(end)];
      assert.deepEqual([[...a.lasts], a.median, a.tenth], [[...b.lasts], b.median, b.tenth]);
    }),
  );
});

test('each sample lasts until the next one, the last until the end', () => {
  const { lasts, median, tenth } = new SampleTimes(Uint32Array.of(0, 5, 5, 70_005), 100).durations(70_115);
  assert.deepEqual([[...lasts], median, tenth], [[5, 0, 70_000, 10], 5, 0]);
});

test('a sample that lasts for over 35 minutes is not cut to 4 bytes', () => {
  const until = 2 ** 32 - 1;
  assert.deepEqual([...new SampleTimes(Uint32Array.of(0, until)).durations(until + 7).lasts], [until, 7]);
  assert.deepEqual([...new SampleTimes(Uint32Array.of(0)).durations(1e13).lasts], [1e13]);
});
