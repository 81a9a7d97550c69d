import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overLimit } from '../../cli/fail-over.ts';
import { type DrawnOptions, hotspotsOf, ms } from '../helpers/drawn-hotspots.ts';

/** Twice, so that the second time is warm. */
const warm = (name: string): string =>
  [...Array.from({ length: 5 }, () => name), '(idle)', ...Array.from({ length: 5 }, () => name)].join(' ');
const turns: DrawnOptions['turns'] = [
  [0, 5],
  [6, 11],
];

async function failure(drawing: string, options: DrawnOptions, limit = 4): Promise<string | null> {
  const { report } = await hotspotsOf(drawing, options);
  return overLimit(report, ms(limit), '/app');
}

test('a culprit over the limit is named', async () => {
  assert.match(
    (await failure(warm('cart.ts#total'), { turns })) ?? '',
    /^Over the limit of 4 ms: 5 ms in total, src\/cart\.ts:\d+\.$/,
  );
});

test('a culprit at the limit passes', async () => {
  assert.equal(await failure(warm('total'), { turns }, 5), null);
});

test('what is no certain finding in the application fails nothing', async () => {
  assert.equal(await failure(warm('test#case'), { turns }), null, 'test code');
  assert.equal(await failure(warm('total'), {}), null, 'inferred operations');
  assert.equal(await failure(warm('total'), { turns, worker: 'background' }), null, 'a worker');
  assert.equal(await failure(warm('bcryptjs#hash'), { turns }), null, 'a package');
  assert.equal(await failure('total total total total total', { turns: [[0, 5]] }), null, 'the first time');
});
