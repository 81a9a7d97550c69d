import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLog } from '../../../helpers/drawn-log.ts';
import { hotspotsIn, hotspotsOf } from '../../../helpers/drawn-hotspots.ts';
import type { ReportTiers } from '../../../../protocol/report-code.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

async function tiersIn(drawing: string, name: string): Promise<ReportTiers | undefined> {
  const { fn } = await hotspotsIn({ '/rec/v8.log': drawLog(drawing) });
  return fn(name).tiers;
}

/** In ms, those that are not 0. */
function times(tiers: ReportTiers | undefined): Readonly<Record<string, number>> {
  const all = Object.entries(tiers ?? {}).map(
    ([key, value]: [string, unknown]) => [key, Number(value) / 1000] as const,
  );
  return Object.fromEntries<number>(all.filter(([key, time]) => key.endsWith('Us') && time !== 0));
}

test('a tier is that of the code that ran, tick by tick', async () => {
  const tiers = await tiersIn(
    `~ work 1000 100
     ^ work 2000 100
     + work 3000 100
     * work 4000 100
     tick 1010
     tick 2010
     tick 2010
     tick 3010
     tick 4010
     tick:idle 9999`,
    'work',
  );
  assert.deepEqual(times(tiers), { ignitionUs: 1, sparkplugUs: 2, maglevUs: 1, turbofanUs: 1 });
});

test('a built-in on top is the time of the function that called it; other states of V8 have no tier', async () => {
  const tiers = await tiersIn(
    `^ work 1000 100
     regexp 4000 100
     builtin 5000 100
     tick 1010
     tick 4010 1020
     tick 5010 1020
     tick:gc 1010
     tick:parser 5010 1010
     tick:external 5010 1010
     tick:idle 9999`,
    'work',
  );
  assert.deepEqual(times(tiers), { sparkplugUs: 3 });
});

test('an inlined function has the tier of its host, which is named', async () => {
  const inlined = `
    ~ add 1000 100
    ~ middle 1500 100
    * main 2000 100 C0O20C10O5I1 F0O25F1O30I0 middle add
    tick 2012
    tick 2012
    tick 1010
    tick:idle 9999`;
  const tiers = await tiersIn(inlined, 'add');
  assert.deepEqual(times(tiers), { ignitionUs: 1, turbofanUs: 2 });
  assertEach(tiers?.inlinedInto ?? [], ({ name, us }) => [name, us], [['main', 2000]]);
  assert.equal(await tiersIn(inlined, 'middle'), undefined, 'it was at the top of no tick');
});

test('compilations and deopts are listed in order; leaving a loop for better code of it is not a deopt', async () => {
  const tiers = await tiersIn(
    `~ work 1000 100
     tick 1010
     + work 3000 100
     tick 3010
     code-deopt,2500,100,0x3000,-1,20,deopt-eager,</b\\x2C <c>/\\xc3\\xa9.js:12:7>,wrong\\x2C map
     * work 4000 100
     code-deopt,2600,100,0x3000,-1,20,deopt-eager,</app/a.js:3:1>,prepare for on stack replacement (OSR)
     tick 4010
     tick:idle 9999`,
    'work',
  );
  assertEach(tiers?.compilations ?? [], ({ tier, atUs }) => [tier, atUs], [
    ['maglev', 1000],
    ['turbofan', 2000],
  ]);
  assert.deepEqual(tiers?.deopts, [
    { atUs: 2500, tier: 'maglev', kind: 'deopt-eager', reason: 'wrong, map', url: '/b, <c>/é.js', line: 12, column: 7 },
  ]);
});

test('a profile alone knows no tier', async () => {
  const { report } = await hotspotsOf('work work');
  assert.equal(report.functions[0]?.tiers, undefined);
  assert.equal(report.recording.tiersFrom, undefined);
});
