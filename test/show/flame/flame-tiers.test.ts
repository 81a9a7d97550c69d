import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../helpers/drawn-cases.ts';
import type { Analysis } from '../../../engine/analysis.ts';
import { flameOf, searchFlame } from '../../../show/flame/flame.ts';
import { type FlameAnswer, type FlameFrame, type FrameTiers, tierOf } from '../../../protocol/flame.ts';
import { drawLog } from '../../helpers/drawn-log.ts';
import { hotspotsIn, hotspotsOf } from '../../helpers/drawn-hotspots.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { frameNamed, frames } from './frames.ts';

const split = { leastShare: 0, tiers: 'split' } as const;
const merged = { leastShare: 0, tiers: 'merged' } as const;

async function analysisOf(drawing: string): Promise<Analysis> {
  return (await hotspotsIn({ '/rec/v8.log': drawLog(drawing) })).analysis;
}

/** One line a frame, two spaces a level: `name total tier`, with `inlined` and `osr` where they are. */
function drawn({ root }: FlameAnswer): string[] {
  const lines = ({ name, value, tiers, children }: FlameFrame, level: number): string[] => [
    [`${'  '.repeat(level)}${name}`, value / 1000, tierOf(tiers), ...marksOf(tiers)].join(' '),
    ...children.flatMap((child) => lines(child, level + 1)),
  ];
  return root.children.flatMap((child) => lines(child, 0));
}

function marksOf(tiers: FrameTiers | undefined): readonly string[] {
  return (['inlined', 'osr'] as const).filter((mark) => (tiers?.[mark] ?? 0) > 0);
}

/** In ms, those that are not 0. */
function inMs(times: object | undefined): Readonly<Record<string, number>> {
  const all = Object.entries(times ?? {}).map(([key, time]: [string, unknown]) => [key, Number(time) / 1000] as const);
  return Object.fromEntries<number>(all.filter(([, time]) => time !== 0));
}

const twoTiers = `
  ~ main 1000 100
  ~ work 2000 100
  * work 3000 100
  builtin 5000 100
  tick 2010 1010
  tick 3010 1010
  tick 3010 1010
  tick 5010 3010 1010
  tick:gc 3010
  tick 1010
  tick:idle 9999`;

test('a function has a frame for each tier in which it ran; a collection is of none', async () => {
  const analysis = await analysisOf(twoTiers);
  assert.deepEqual(drawn(flameOf(analysis, split)), [
    'main 6 ignition',
    '  work 4 turbofan',
    '    (garbage collector) 1 unknown',
    '  work 1 ignition',
  ]);
});

test('merged, a function has one frame, which knows how long it ran in each tier', async () => {
  const analysis = await analysisOf(twoTiers);
  const answer = flameOf(analysis, merged);
  assert.deepEqual(drawn(answer).slice(0, 2), ['main 6 ignition', '  work 5 turbofan']);
  assert.deepEqual(inMs(frameNamed(answer, 'work').tiers), { ignition: 1, turbofan: 4 });
  assert.deepEqual(drawn(flameOf(analysis, { leastShare: 0 }))[1], '  work 5 unknown', 'not asked for tiers');
});

test('an inlined function runs in the tier of its host, and is marked; so is code entered in a loop', async () => {
  const analysis = await analysisOf(`
    ~ add 1000 100
    ~ middle 1500 100
    o* main 2000 100 C0O20C10O5I1 F0O25F1O30I0 middle add
    tick 2012
    tick 1010
    tick:idle 9999`);
  assert.deepEqual(drawn(flameOf(analysis, split)), [
    'add 1 ignition',
    'main 1 turbofan osr',
    '  middle 1 turbofan inlined',
    '    add 1 turbofan inlined',
  ]);
});

test('the legend has the shares of the figures: what a function called of V8 counts for its tier', async () => {
  const parsing = twoTiers.replace('tick:gc', 'tick:parser 3010 1010\n  tick:gc');
  const { analysis, report } = await hotspotsIn({ '/rec/v8.log': drawLog(parsing) });
  for (const query of [split, merged, { ...split, fold: { kinds: ['native', 'gc'], open: [] } } as const]) {
    const { tiers, totalUs } = flameOf(analysis, query);
    assert.ok(tiers?.type === 'recorded');
    const { ignition, sparkplug, maglev, turbofan, unknown } = tiers.selfByTier;
    const sum = (tier: 'ignitionUs' | 'sparkplugUs' | 'maglevUs' | 'turbofanUs'): number =>
      report.functions.reduce((all, fn) => all + (fn.tiers?.[tier] ?? 0), 0);
    assert.deepEqual(
      [ignition, sparkplug, maglev, turbofan],
      [sum('ignitionUs'), sum('sparkplugUs'), sum('maglevUs'), sum('turbofanUs')],
    );
    assert.deepEqual(inMs(tiers.selfByTier), { ignition: 2, turbofan: 3, unknown: 2 });
    assert.equal(ignition + sparkplug + maglev + turbofan + unknown, totalUs);
  }
});

test('a frame is found again in the other view, and zoomed the legend is of it alone', async () => {
  const analysis = await analysisOf(twoTiers);
  const [, first, ...others] = frames(flameOf(analysis, split).root).filter(
    ({ name }) => name === 'work' || name === 'main',
  );
  const slow = others.find(({ name }) => name === 'work');
  assert.equal(first?.tiers?.turbofan, 4000);
  const zoomed = flameOf(analysis, { ...split, zoom: slow?.id ?? '' });
  assert.deepEqual(zoomed.tiers?.type === 'recorded' && inMs(zoomed.tiers.selfByTier), { ignition: 1 });
  const together = flameOf(analysis, { ...merged, zoom: slow?.id ?? '' });
  assert.equal(frames(together.root).find(({ id }) => id === together.zoom)?.value, 5000);
});

test('native code that is folded is a bar without a tier; frames that stay keep theirs', async () => {
  const fold = { kinds: ['native'], open: [] } as const;
  const searching = twoTiers
    .replace('tick:gc', 'tick 6010 3010 1010\n  tick:gc')
    .replace('builtin', 'regexp 6000 100\n  builtin');
  const answer = flameOf(await analysisOf(searching), { ...merged, fold });
  const bars = frames(answer.root).filter(({ folded }) => folded?.type === 'others');
  assertEach(bars, ({ tiers }) => tiers, [undefined]);
  assert.deepEqual(inMs(frameNamed(answer, 'work').tiers), { ignition: 1, turbofan: 5 });
});

test('one operation and a search are of its frames alone', async () => {
  const analysis = await analysisOf(twoTiers);
  assert.deepEqual(drawn(flameOf(analysis, { ...split, operation: 0 })), drawn(flameOf(analysis, split)));
  for (const [tiers, matches] of [['split', 2] as const, ['merged', 1] as const]) {
    const found = searchFlame(analysis, { pattern: 'work', isRegex: false, tiers });
    assert.deepEqual(found.type === 'found' && [found.matches, found.matchedUs], [matches, 5000]);
  }
});

const pieces = '1010, 2010 1010, 3010 1010, 3012 2010 1010, 4010 3010 1010, 5010 4010, :gc, :idle, 9999'.split(', ');
const ticks = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 30 });
const folded = fc.subarray(['native', 'gc', 'program'] as const);

test('whatever ran: tiers of a frame add up to its time, the legend to that of all, in each view', async () => {
  await fc.assert(
    fc.asyncProperty(ticks, folded, fc.constantFrom('split', 'merged'), async (drawnTicks, kinds, tiers) => {
      const rows = drawnTicks.map((tick) => (tick.startsWith(':') ? `tick${tick} 1010` : `tick ${tick}`));
      const analysis = await analysisOf(`
        ~ main 1000 100
        ^ work 2000 100
        * work 3000 100 C0O20C12O5I0 F0O25 add
        + add 4000 100
        regexp 5000 100
        ${rows.join('\n')}
        tick:idle 9999`);
      const answer = flameOf(analysis, { leastShare: 0, fold: { kinds, open: [] }, tiers });
      for (const { value, selfUs, children, tiers: ran, folded: bar } of frames(answer.root).slice(1)) {
        assert.equal(value, selfUs + children.reduce((sum, child) => sum + child.value, 0));
        if (bar?.type === 'others') {
          assert.equal(ran, undefined);
          continue;
        }
        assert.ok(ran);
        assert.equal(ran.ignition + ran.sparkplug + ran.maglev + ran.turbofan + ran.unknown, value);
        assert.ok(ran.inlined <= value);
      }
      assert.ok(answer.tiers?.type === 'recorded');
      assert.equal(
        Object.values(answer.tiers.selfByTier).reduce((sum, time) => sum + time, 0),
        answer.totalUs,
      );
      assert.equal(answer.totalUs, flameOf(analysis, { leastShare: 0 }).totalUs);
    }),
    { numRuns: 60 },
  );
});

test('a profile says that it has no tiers, and no frame of it pretends to', async () => {
  const { analysis } = await hotspotsOf('main main\nwork .');
  const answer = flameOf(analysis, split);
  assert.deepEqual(answer.tiers, { type: 'none' });
  assert.ok(frames(answer.root).every(({ tiers }) => tiers === undefined));
});
