import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLimit } from '../../cli/fail-over.ts';
import { type DrawnOptions, hotspotsOf, ms } from '../helpers/drawn-hotspots.ts';

/** Twice, so that the second time is warm. */
const warm = (name: string): string =>
  [...Array.from({ length: 5 }, () => name), '(idle)', ...Array.from({ length: 5 }, () => name)].join(' ');
const turns: DrawnOptions['turns'] = [
  [0, 5],
  [6, 11],
];

async function verdict(drawing: string, options: DrawnOptions, limit = 4): Promise<string | null> {
  const { analysis } = await hotspotsOf(drawing, options);
  const found = checkLimit(analysis, ms(limit), '/app');
  return found === null ? null : `${found.isOver ? 1 : 0} ${found.sentence}`;
}

test('a culprit over the limit is named', async () => {
  assert.match(
    (await verdict(warm('cart.ts#total'), { turns })) ?? '',
    /^1 Over the limit of 4 ms: 5 ms in total, src\/cart\.ts:\d+\.$/,
  );
});

test('a culprit at the limit passes', async () => {
  assert.equal(await verdict(warm('total'), { turns }, 5), null);
});

test("what is nobody's wait, or not of the application, fails nothing", async () => {
  assert.equal(await verdict(warm('test#case'), { turns }), null, 'test code');
  assert.equal(await verdict(warm('total'), { turns, worker: 'background' }), null, 'a worker');
  assert.equal(await verdict(warm('bcryptjs#hash'), { turns }), null, 'a package');
});

test('what is not certain fails nothing, and is said', async () => {
  assert.match((await verdict(warm('total'), {})) ?? '', /^0 Nothing certain is over .* is an estimate\.$/);
  const once = await verdict('total total total total total', { turns: [[0, 5]] });
  assert.match(
    once ?? '',
    /^0 Nothing certain is over the limit of 4 ms: 5 ms in total, .* was the first time only\.$/,
  );
});

test('an estimated operation does not hide a certain one', async () => {
  const drawing = `${warm('total')} (idle) total total (idle)`;
  const found = await verdict(drawing, { turns: [...turns, [12, 20]] });
  assert.match(found ?? '', /^1 Over the limit of 4 ms: 5 ms in total/);
});
