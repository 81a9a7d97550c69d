import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTurns } from '../../../../engine/read/sidecars/read-sidecars.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

/** Reads lines that are drawn as `turn 10 60 -1, mark 80`. */
function drawnTurns(drawing: string, hasEnded: boolean): ReturnType<typeof readTurns> {
  const valueOf = (word: string): unknown => (Number.isNaN(Number(word)) ? word : Number(word));
  const lines = drawing.split(', ').map((line) => line.split(' ').map(valueOf));
  return readTurns([...lines, 'x', null], hasEnded);
}

/** Each column as text. */
function columns(...all: readonly Iterable<number>[]): readonly string[] {
  return all.map((column) => [...column].join(' '));
}

test('turns are sorted, and none reaches into the next', () => {
  const { starts, ends, run, wait } = drawnTurns('turn 50 90 -1, turn 10 60 7 0 30, own 0 5', true);
  assert.deepEqual(columns(starts, ends, run, wait), ['10 50', '50 90', '7 -1', '30 -1']);
});

test('times are whole microseconds, whoever wrote them', () => {
  const { starts, ends, run } = drawnTurns('turn 10.4 60.6 7.5', true);
  assert.deepEqual(columns(starts, ends, run), ['10', '61', '8']);
});

test('what the recorder took of a turn is cut off its end', () => {
  const { starts, ends, own, shifts } = drawnTurns(
    'turn 10 60 7 20, turn 70 80 7, own 5 9, own 30 35, own 30 32',
    true,
  );
  assert.deepEqual(columns(starts, ends, own), ['10 70', '40 80', '13 0']);
  assertEach(shifts, ({ from, until, by, to }) => [from, until, by, to].join(' '), ['30 30 5 30', '30 60 7 30']);
});

test('a turn with a time that no clock can show is none', () => {
  const { starts, knownUntil } = drawnTurns('turn 10 1e29 -1, turn 70 80 -1, mark 1e300', false);
  assert.deepEqual([...columns(starts), knownUntil], ['70', 80]);
});

test('turns of an isolate that did not end are known until the last mark', () => {
  assert.equal(drawnTurns('turn 10 60 -1, mark 80', false).knownUntil, 80);
  assert.equal(drawnTurns('turn 10 60 -1', false).knownUntil, 60);
  assert.equal(drawnTurns('turn 10 60 -1, mark 80', true).knownUntil, Infinity);
});
