import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import { warningText } from '../../../../words/warnings/warning-text.ts';

/** Ten samples of 1 ms on both sides of one that lasts for so long, in ms, and the frame that is sampled there. */
async function seen(length: number, frame: string, turns?: string) {
  const around = Array.from({ length: 10 }, () => '1');
  const names = around.map(() => 'parse').join(' ');
  const drawing = `ms ${[...around, length, ...around].join(' ')}\n${names} ${frame} ${names}`;
  const { analysis, operations } = await hotspotsOf(drawing, turns === undefined ? {} : { turns });
  const worstUs = Math.max(...operations.map(({ durationUs }) => durationUs));
  return { worstUs, warnings: analysis.warnings.map(warningText).join(' ') };
}

test('time in which the sampler did not run is of no function, and is said', async () => {
  const { worstUs, warnings } = await seen(290_000, 'parse');
  assert.equal(worstUs, ms(21));
  assert.match(
    warnings,
    /^For 290 s no sample was taken, as when the machine sleeps .* unknown, and missing from all figures\.$/,
  );
});

test('after the last sample, too', async () => {
  const { analysis, fn } = await hotspotsOf('ms 1 1 1 1 9000\nparse parse parse parse parse');
  assert.equal(fn('parse').worstUs, ms(5));
  assert.match(analysis.warnings.map(warningText).join(), /^For 9 s no sample/);
});

test('a sample that is late for less than a second counts in full', async () => {
  const { worstUs, warnings } = await seen(900, 'parse');
  assert.equal(worstUs, ms(920));
  assert.match(warnings, /^The machine was busy while this was profiled/);
});

test('a call that waits counts in full, idle time is not a gap, and where turns were measured they decide', async () => {
  assert.deepEqual(await seen(5000, 'node:child_process#execSync'), { worstUs: ms(5020), warnings: '' });
  assert.deepEqual(await seen(5000, '(idle)'), { worstUs: ms(10), warnings: '' });
  assert.deepEqual(await seen(5000, 'parse', '0-5020'), { worstUs: ms(5020), warnings: '' });
});
