import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';

test('what the recorder does by itself is in no figure', async () => {
  const { report, fn } = await hotspotsOf(`
    node:timers#run  node:timers#run   node:timers#run   node:timers#run
    handler          recorder#rotate   recorder#rotate   handler
    parse            native#stringify  node:fs#write     parse
  `);
  assert.equal(fn('run').totalUs, ms(2));
  assert.equal(fn('parse').worstUs, ms(1), 'it is between two operations');
  assert.deepEqual(report.functions.map(({ name }) => name).toSorted(), ['handler', 'parse', 'run']);
});

test('what the program calls through the recorder stays its own', async () => {
  const { fn } = await hotspotsOf(`
    build                    build
    node:child_process#sync  node:child_process#sync
    recorder#spawn           recorder#spawn
    native#spawn             native#spawn
  `);
  assert.equal(fn('build').worstUs, ms(2));
});

test('in a measured turn its hooks count for what they interrupted', async () => {
  const drawing = `
    handler  node:async_hooks#before  handler  .
    parse    recorder#enter           parse    (idle)
  `.replace('.', '(idle)');
  const { fn } = await hotspotsOf(drawing, { turns: [[0, 3]] });
  assert.equal(fn('handler').worstUs, ms(3));
});
