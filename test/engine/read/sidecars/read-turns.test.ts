import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTurns } from '../../../../engine/read/sidecars/read-sidecars.ts';

test('turns are sorted, and none reaches into the next', () => {
  const lines = [['turn', 50, 90, -1], ['turn', 10, 60, 7, 0, 30], ['own', 0, 5], 'x', null];
  const { starts, ends, run, wait } = readTurns(lines, true);
  assert.deepEqual(
    [[...starts], [...ends], [...run], [...wait]],
    [
      [10, 50],
      [50, 90],
      [7, -1],
      [30, -1],
    ],
  );
});

test('times are whole microseconds, whoever wrote them', () => {
  const { starts, ends, run } = readTurns([['turn', 10.4, 60.6, 7.5]], true);
  assert.deepEqual([[...starts], [...ends], [...run]], [[10], [61], [8]]);
});

test('what the recorder took of a turn is cut off its end', () => {
  const { starts, ends, own } = readTurns(
    [
      ['turn', 10, 60, 7, 20],
      ['turn', 70, 80, 7],
    ],
    true,
  );
  assert.deepEqual(
    [[...starts], [...ends], [...own]],
    [
      [10, 70],
      [40, 80],
      [20, 0],
    ],
  );
});

test('a turn with a time that no clock can show is none', () => {
  const { starts, knownUntil } = readTurns(
    [
      ['turn', 10, 1e29, -1],
      ['turn', 70, 80, -1],
      ['mark', 1e300],
    ],
    false,
  );
  assert.deepEqual([[...starts], knownUntil], [[70], 80]);
});

test('turns of an isolate that did not end are known until the last mark', () => {
  assert.equal(
    readTurns(
      [
        ['turn', 10, 60, -1],
        ['mark', 80],
      ],
      false,
    ).knownUntil,
    80,
  );
  assert.equal(readTurns([['turn', 10, 60, -1]], false).knownUntil, 60);
  assert.equal(
    readTurns(
      [
        ['turn', 10, 60, -1],
        ['mark', 80],
      ],
      true,
    ).knownUntil,
    Infinity,
  );
});
