import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OwnPart, OwnParts } from '../../../../engine/judge/function-figures/function-figures.ts';
import { microseconds } from '../../../../protocol/units.ts';

test('own parts come out as they were added, by operation, and parts of one operation in their order', () => {
  const parts = [
    partOf(4, { loaded: -1, cold: true, waited: { us: microseconds(2000), in: null } }),
    partOf(2, { weight: microseconds(2 ** 40), most: microseconds(2 ** 41), least: microseconds(2 ** 39) }),
    partOf(2, { estimated: true, loaded: 5 }),
    partOf(3, { places: [placeOf(11, []), placeOf(12, [7, 8])], waited: { us: microseconds(1000), in: 3 } }),
  ];
  const ownParts = ownPartsOf(parts);
  assert.deepEqual([...ownParts], parts);
  const [last, first, second, third] = parts;
  assert.deepEqual([...ownParts.inOrder()], [first, second, third, last]);
});

test('picked own parts have the places and the waits of these parts', () => {
  const parts = [
    partOf(1, { places: [placeOf(11, [7]), placeOf(12, [])] }),
    partOf(2, { places: [placeOf(13, [8, 9])], waited: { us: microseconds(1000), in: 3 } }),
    partOf(3, {}),
  ];
  const picked = ownPartsOf(parts).picked(Int32Array.of(1, 2));
  assert.deepEqual([...picked], parts.slice(1));
});

test('a part that is cut to a rest keeps what its thread waited for a processor', () => {
  const [cut] = ownPartsOf([partOf(1, {})]).cutTo(new Map([[0, microseconds(20_000)]]));
  assert.deepEqual([cut?.weight, cut?.clock], [20_000, 23_000]);
});

test('there is no operation of a part that is not there', () => {
  const ownParts = ownPartsOf([partOf(6, {})]);
  assert.deepEqual([ownParts.operationOf(-1), ownParts.operationOf(0), ownParts.operationOf(1)], [-1, 6, -1]);
});

function ownPartsOf(parts: readonly OwnPart[]): OwnParts {
  const found = new OwnParts();
  for (const { places, ...part } of parts) {
    for (const { callees, ...place } of places) {
      found.places.add(place);
      for (const { functionId, weight } of callees) found.places.addCallee(functionId, weight);
    }
    found.add(part, places.length);
  }
  return found;
}

function partOf(operation: number, about: Partial<OwnPart>): OwnPart {
  return {
    operation,
    ...{
      functionId: 1,
      weight: microseconds(30_000),
      clock: microseconds(33_000),
      samples: 9,
      most: microseconds(31_000),
      least: microseconds(29_000),
    },
    ...{ estimated: false, cold: false, load: microseconds(10), loaded: null, waited: null, places: [] },
    ...about,
  };
}

/** A place with these functions as callees. */
function placeOf(node: number, callees: readonly number[]): OwnPart['places'][number] {
  return {
    ...{ node, weight: microseconds(30_000), self: microseconds(20_000), path: 6 },
    callees: callees.map((functionId) => ({ functionId, weight: microseconds(100 * functionId) })),
  };
}
