import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { hotspotsIn } from '../../../helpers/drawn-hotspots.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';
import { OwnParts } from '../../../../engine/judge/function-figures/function-figures.ts';
import { PlacedParts, figuresOfLine } from '../../../../engine/judge/lines/line-figures.ts';
import type { LinePart } from '../../../../engine/judge/lines/line-parts.ts';
import { line1, microseconds } from '../../../../protocol/units.ts';

test('a line that is over the threshold by a fraction of a microsecond is shown with it, and so not over it', async () => {
  const profile = drawProfile('ms 6.001\nparse');
  const positionTicks = [
    { line: 651, ticks: 1 },
    { line: 652, ticks: 2 },
  ];
  const nodes = profile.nodes.map((node) => ({ ...node, positionTicks }));
  const { report } = await hotspotsIn({ '/rec/a.cpuprofile': JSON.stringify({ ...profile, nodes }) });
  assertEach(report.lines, ({ line, worstUs, longCount }) => [line, worstUs, longCount], [
    [652, 4001, 1],
    [651, 2000, 0],
  ]);
});

test('a line that several stacks lead to has waited as long as they did together', () => {
  const execSync = 7;
  const ownParts = new OwnParts();
  const whole = {
    ...{ operation: 0, functionId: 1, samples: 9, estimated: false },
    ...{
      weight: microseconds(90_000),
      clock: microseconds(90_000),
      most: microseconds(90_000),
      least: microseconds(90_000),
      cold: false,
      load: microseconds(0),
      loaded: null,
    },
    waited: { us: microseconds(80_000), in: execSync },
  };
  ownParts.add(whole, 0);
  const line: LinePart = {
    ...{ url: 'file:///app/run.js', line: line1(4), of: 1, share: 1, precision: 'exact', reason: null },
    callee: execSync,
  };
  const alone = { ...line, line: line1(5), callee: -1 };
  const parts = new PlacedParts(ownParts);
  for (const path of [1, 2, 3]) parts.add(line, 29_000, path, 0);
  parts.add(alone, 3000, 1, 0);
  const figures = (...numbers: number[]): unknown =>
    figuresOfLine(parts, Int32Array.of(...numbers), microseconds(10_000)).waited;
  assert.deepEqual(figures(0, 1, 2), { us: 80_000, in: execSync });
  assert.deepEqual(figures(0, 1), { us: 58_000, in: execSync });
  assert.equal(figures(3), null);
});
