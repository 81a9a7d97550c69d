import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsIn } from '../../helpers/drawn-hotspots.ts';
import { drawProfile } from '../../helpers/drawn-profile.ts';

test('a line that is over the threshold by a fraction of a microsecond is shown with it, and so not over it', async () => {
  const profile = drawProfile('ms 6.001\nparse');
  const positionTicks = [
    { line: 651, ticks: 1 },
    { line: 652, ticks: 2 },
  ];
  const nodes = profile.nodes.map((node) => ({ ...node, positionTicks }));
  const { report } = await hotspotsIn({ '/rec/a.cpuprofile': JSON.stringify({ ...profile, nodes }) });
  assert.deepEqual(
    report.lines.map(({ line, worstUs, longCount }) => [line, worstUs, longCount]),
    [
      [652, 4001, 1],
      [651, 2000, 0],
    ],
  );
});
