import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotFunctions } from '../../engine/hot-functions.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { hotspotsOf, ms } from '../helpers/drawn-hotspots.ts';

test('what is long the first time alone says so, is dimmed and comes last', async () => {
  const { analysis } = await hotspotsOf('ms 9 1 1 1 1 1\nparse (idle) parse (idle) render render', {
    turns: '0-9 10-11 12-15',
  });
  const [worst, cold] = hotFunctions(analysis);
  assert.equal(worst?.tone, 'plain');
  assert.deepEqual([cold?.tone, cold?.worstUs, cold?.firstTime?.thenUs], ['dim', ms(9), ms(1)]);
});

test('a first time of over 100 ms is not warming up', async () => {
  const { analysis } = await hotspotsOf('ms 90 90 1 1\nparse parse (idle) parse', { turns: '0-180 181-182' });
  const [only] = hotFunctions(analysis);
  assert.deepEqual([only?.tone, only?.worstUs, only?.firstTime], ['plain', ms(180), null]);
});

test('test code comes after the code under test, however long it takes', async () => {
  const { analysis } = await hotspotsOf('test#case test#case test#case test#case (idle) parse parse parse', {
    turns: '0-4 5-8',
  });
  assertEach(hotFunctions(analysis), ({ worstUs, tone }) => [worstUs, tone], [
    [ms(3), 'plain'],
    [ms(4), 'dim'],
  ]);
});

test('what is loaded the first time is named as its file is, and the JSON says so, too', async () => {
  const { analysis, culprit } = await hotspotsOf(
    `
    ms 1                           4                              1                              1      9      1 1
    handler                        handler                        handler                        (idle) render (idle) render
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load .      .      . .
    file:///app/src/my%20views.ts?v=1#<module> .                         .                              .      .      . .
  `,
    { turns: '0-6 7-16 17-18' },
  );
  assertEach(hotFunctions(analysis), ({ firstTime }) => firstTime?.loads, [null, 'my views.ts']);
  assert.deepEqual(culprit('handler')?.firstTime, { loads: 'my views.ts', thenUs: null });
  assert.deepEqual(culprit('render')?.firstTime, { loads: null, thenUs: ms(1) });
});
