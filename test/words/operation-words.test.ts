import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holderOf, holderPlace } from '../../words/operation-words.ts';
import { hotspotsOf } from '../helpers/drawn-hotspots.ts';
import { columns } from '../engine/judge/findings/drawn-findings.ts';

const loader = 'node:internal/modules/cjs#load';

for (const [loading, expected] of [
  [20, ['module loading', '']],
  [4, ['parse', /^src\/app\.ts:\d+$/]],
] as const) {
  test(`an operation with ${loading} ms of loading and 8 ms of a function is named after the longer one`, async () => {
    const drawing = columns([loading, loader, 'cart.ts#<module>', 'node:internal/modules/cjs#read'], [8, 'parse']);
    const { analysis } = await hotspotsOf(drawing, { turns: [[0, loading + 8]] });
    assert.equal(holderOf(analysis, 0), expected[0]);
    assert.match(holderPlace(analysis, 0), new RegExp(expected[1] === '' ? /^$/ : expected[1]));
  });
}
