import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopSummaries } from '../../../../words/loop-texts.ts';
import { assertEach } from '../../../helpers/assert-each.ts';
import { hotspotsOf } from '../../../helpers/drawn-hotspots.ts';
import { drawnStart } from '../../../helpers/drawn-profile.ts';
import type { TurnLine } from '../../../../protocol/recording-lines.ts';
import { warningText } from '../../../../words/warnings/warning-text.ts';

const second = 1_000_000;
const drawing = `
  work work work work
`;

/** One second in which a turn took 400 ms, of which scavenges took `scavenges` ms. */
function busySecond(scavenges: number): readonly TurnLine[] {
  const end = drawnStart + second;
  return [
    ['turn', drawnStart, drawnStart + 400_000, -1],
    ['histogram', drawnStart, end, [0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 400_000, 0]],
    ['gc', drawnStart, end, 'Scavenge', 90, scavenges * 1000, 9000, 5_000_000, 4_000_000],
    ['gc', drawnStart, end, 'MarkSweepCompact', 1, 20_000, 20_000, 9_000_000, 3_000_000],
  ];
}

test('a loop that was busy for 40 % is summed up, and stands in the JSON', async () => {
  const { analysis, report } = await hotspotsOf(drawing, { turns: [], turnLines: busySecond(30) });
  assert.equal(
    loopSummaries(analysis.streams)[0],
    'Event loop busy 40 % of 1 s · delay p50 0 ms, p99 390 ms, at most 400 ms · GC 5 %',
  );
  assertEach(report.eventLoop, ({ busyUs, delay }) => [busyUs, delay.p90Us], [[400_000, 300_000]]);
  assertEach(report.gc, ({ kind, count, usedAfterBytes }) => [kind, count, usedAfterBytes], [
    ['Scavenge', 90, 4_000_000],
    ['MarkSweepCompact', 1, 3_000_000],
  ]);
});

test('over a tenth of the busy time in scavenges is said, with the flag that helps', async () => {
  const found = async (scavenges: number) => hotspotsOf(drawing, { turns: [], turnLines: busySecond(scavenges) });
  const warningsOf = async (ms: number) => (await found(ms)).analysis.warnings.map(warningText).join();
  const flag = /of the busy time of process 7 .* 90 scavenges .*--max-semi-space-size=64 .* where they have less/;
  assert.match(await warningsOf(120), new RegExp(`^30 % ${flag.source}`));
  assert.match(await warningsOf(440), new RegExp(`^Much ${flag.source}`), 'they took longer than the turns');
  assert.equal(await warningsOf(30), '');
});

test('a profile without measured turns has no event loop', async () => {
  const { analysis, report } = await hotspotsOf(drawing);
  assert.deepEqual([loopSummaries(analysis.streams), report.eventLoop, report.gc], [[], [], []]);
});
