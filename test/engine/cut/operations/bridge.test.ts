import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportOf } from '../../../../show/report/report.ts';
import { assertEach } from '../../../helpers/assert-each.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import { analyzedIn } from '../../../helpers/analyzed.ts';

test('a collection belongs to the call that it interrupts', async () => {
  const { worst, fn } = await hotspotsOf(`
    handler handler (gc) handler
    parse   parse   .    parse
  `);
  assert.equal(worst('parse'), ms(4));
  assert.equal(fn('parse').gcUs, ms(1));
  assert.equal(fn('handler').gcUs, ms(0), 'it is self time of the innermost function');
});

test('a collection of native code belongs to what the stacks around both have in common', async () => {
  const { fn } = await hotspotsOf('parse (program) (gc) parse', { turns: '0-4' });
  assert.equal(fn('parse').worstUs, ms(4));
  assert.equal(fn('parse').gcUs, ms(1));
});

test('native code belongs to what the stacks around it have in common', async () => {
  const { worst, fn } = await hotspotsOf(`
    handler handler (program) (program) handler
    parse   parse   .         .         render
  `);
  assert.equal(worst('handler'), ms(5));
  assert.equal(worst('parse'), ms(2));
  assert.equal(fn('handler').selfUs, ms(2));
});

test('a collection of native code at the edge of an operation has nothing to belong to', async () => {
  const { fn } = await hotspotsOf('handler (program) (gc)', { turns: '0-3' });
  assert.equal(fn('handler').worstUs, ms(1));
});

test('native code after a collection that took a stack takes it too', async () => {
  const { fn } = await hotspotsOf('handler (gc) (program) handler');
  assert.equal(fn('handler').worstUs, ms(4));
});

test('collections after the last sample of an inferred operation belong to it, those before the first do not', async () => {
  const { operations, fn } = await hotspotsOf('(idle) (gc) handler handler (gc) (idle)');
  assertEach(operations, ({ durationUs }) => durationUs, [ms(3)]);
  assert.equal(fn('handler').gcUs, ms(1));
});

test('native samples at both ends of an inferred operation are trimmed', async () => {
  const { operations } = await hotspotsOf('(idle) (program) handler handler (program) (idle)');
  assertEach(operations, ({ durationUs }) => durationUs, [ms(2)]);
});

test('an inferred operation of native samples alone is none', async () => {
  const { operations } = await hotspotsOf('handler (idle) (program) (gc) (idle) handler');
  assert.equal(operations.length, 2);
});

test('bridges end with their operation', async () => {
  const { worst } = await hotspotsOf('parse (program) (gc) parse', { turns: '0-2 2-4' });
  assert.equal(worst('parse'), ms(1));
});

test('native samples at the edge of a turn have nothing around them', async () => {
  for (const cut of [1, 2]) {
    const { worst } = await hotspotsOf('parse (program) parse', { turns: `0-${cut} ${cut}-3` });
    assert.equal(worst('parse'), ms(1), `cut at ${cut} ms`);
  }
});

test('at another threshold collections and native code belong to the same calls, also the third time', async () => {
  const profile = drawProfile(`
    handler handler (gc) handler (program) handler (idle) handler
    parse   parse   .    parse   .         parse   .      parse
  `);
  const world = memoryWorld({ '/rec/a.cpuprofile': JSON.stringify(profile) });
  const result = await analyzedIn(world, { thresholdUs: ms(2) });
  const first = reportOf(result.analysis, 'all');
  assert.equal(first.functions.find(({ name }) => name === 'parse')?.gcUs, ms(1));
  await result.at(ms(5));
  assert.deepEqual(reportOf(await result.at(ms(2)), 'all'), first);
  assert.deepEqual(reportOf(result.analysis, 'all'), first);
});
