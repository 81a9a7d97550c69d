import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../helpers/drawn-cases.ts';
import { type Operation, unknownTimes } from '../../../../engine/cut/operations/operation.ts';
import { ownedOperations, waitsBehind, waitsOf } from '../../../../engine/judge/requests/waits.ts';
import { microseconds } from '../../../../protocol/units.ts';
import type { LoggedRequest } from '../../../../engine/read/samples/sample-stream.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

const request = (start: number, end: number): LoggedRequest => ({ route: 0, since: -1, start, end });

const someOperations = fc
  .array(fc.tuple(fc.nat({ max: 9000 }), fc.integer({ min: 1, max: 400_000 })), { maxLength: 60 })
  .map((pairs) => {
    let now = 0;
    return pairs.map(([pause, length]): Operation => {
      const start = now + pause;
      now = start + length;
      return operationAt(start, now);
    });
  });
const someRequests = fc
  .array(fc.tuple(fc.nat({ max: 8_000_000 }), fc.nat({ max: 4_000_000 }), fc.nat({ max: 100_000 })), { maxLength: 40 })
  .map((all) => all.toSorted(([a], [b]) => a - b));

test('sums of many operations are those of each one', () => {
  fc.assert(
    fc.property(someOperations, someRequests, (operations, given) => {
      const requests = given.map(([start, length]) => request(start, start + length));
      const arrivals = Float64Array.from(given, ([start, , before]) => start - before);
      const plain = waitsOf(requests, arrivals, operations, Infinity);
      for (const size of [1, 2, 7]) assert.deepEqual(waitsOf(requests, arrivals, operations, size), plain);
    }),
    { numRuns: 300 },
  );
});

test('what a request waited behind each operation adds up to its wait', () => {
  fc.assert(
    fc.property(someOperations, someRequests, (operations, given) => {
      const requests = given.map(([start, length]) => request(start, start + length));
      const arrivals = Float64Array.from(given, ([start, , before]) => start - before);
      const behind = operations.map((_, index) => waitsBehind(requests, arrivals, operations)(index));
      for (const [number, { total }] of waitsOf(requests, arrivals, operations).entries()) {
        const sum = behind.reduce((all, waits) => all + (waits[number] ?? 0), 0);
        assert.ok(Math.abs(sum - total) < 0.01, `${sum} ${total}`);
      }
    }),
    { numRuns: 300 },
  );
});

test('what runs while a request stays open and the loop is free is of no request, but for what answers it', () => {
  const operations = [operationAt(0, 10_000), operationAt(1e6, 1.3e6), operationAt(4.9e6, 5e6)];
  const owned = Object.fromEntries(ownedOperations([request(5_000, 5e6)], operations));
  assert.deepEqual(owned, { 0: [0, 2], '-1': [1] });
});

test('requests that are open for hours do not look at each operation', () => {
  let looks = 0;
  const operations = Array.from({ length: 20_000 }, (_, number) => {
    const operation = operationAt(number * 10, number * 10 + 8);
    return {
      ...operation,
      get end() {
        looks++;
        return operation.end;
      },
    };
  });
  const requests = Array.from({ length: 5000 }, (_, number) => request(number * 30, 300_000));
  const waits = waitsOf(
    requests,
    Float64Array.from(requests, ({ start }) => start),
    operations,
  );
  assert.equal(waits.length, 5000);
  assert.ok(looks < 20_000_000, `${looks} looks`);
});

test('an operation is of the request that is answered first, of those that it did not read', () => {
  const operations = [operationAt(100, 110), operationAt(200, 210), operationAt(300, 310)];
  const requests = [request(10, 400), request(20, 305), request(205, 1000)];
  const waits = waitsOf(requests, Float64Array.of(10, 20, 205), operations);
  assertEach(waits, ({ total }) => total, [30, 10, 10]);
});

function operationAt(start: number, end: number): Operation {
  return {
    stream: 0,
    start: microseconds(start),
    end: microseconds(end),
    held: microseconds(end - start),
    firstSample: 0,
    lastSample: 0,
    measured: true,
    thread: unknownTimes,
    asleep: null,
    doubt: null,
    test: null,
  };
}
