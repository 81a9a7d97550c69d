import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { drawnStart } from '../../../helpers/drawn-profile.ts';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import type { TurnLine } from '../../../../protocol/recording-lines.ts';

test('a turn is an operation, however alike its neighbours are', async () => {
  const { operations, worst } = await hotspotsOf('tick tick tick tick tick tick', { turns: '0-2 2-4 4-6' });
  assert.equal(operations.length, 3);
  assert.equal(worst('tick'), ms(2));
});

test("its duration is the recorder's, shared among the samples inside it", async () => {
  const { operations, worst } = await hotspotsOf('(idle) parse render (idle)', { turns: '0.5-3.75' });
  assert.equal(operations[0]?.durationUs, ms(3.25));
  assert.equal(worst('parse'), ms(1.5), 'the first sample begins with the turn');
  assert.equal(worst('render'), ms(1), 'until the next sample');
});

test('the last sample lasts until the end of the turn', async () => {
  const { worst } = await hotspotsOf('parse parse (idle)', { turns: '0-1.5' });
  assert.equal(worst('parse'), ms(1.5));
});

test('an idle sample inside a turn counts as native', async () => {
  const { fn, operations } = await hotspotsOf('handler (idle) handler', { turns: '0-3' });
  assert.equal(operations.length, 1);
  assert.equal(fn('handler').worstUs, ms(3), 'and is bridged');
});

test('a turn without a sample is an operation for which nobody is blamed', async () => {
  const { operations } = await hotspotsOf('(idle) (idle) handler', { turns: '0.2-0.9 2-3', threshold: 0.5 });
  assert.equal(operations[0]?.durationUs, ms(0.7));
  assert.equal(operations[0]?.culprit, null);
  assert.equal(operations[0]?.blame, null);
});

test('samples outside all turns count in self and total only', async () => {
  const { fn } = await hotspotsOf('handler handler (idle) handler', { turns: '0-2' });
  assert.equal(fn('handler').worstUs, ms(2));
  assert.equal(fn('handler').selfUs, ms(3));
  assert.equal(fn('handler').totalUs, ms(3));
});

test("the recorder's own work is not an operation", async () => {
  const own: TurnLine = ['own', drawnStart + 3000, drawnStart + 6000];
  const options = { turns: '0-2', turnLines: [own] };
  const { operations } = await hotspotsOf('handler handler (idle) flush flush flush', options);
  assertEach(operations, ({ durationUs }) => durationUs, [ms(2)]);
});

test("what ran behind the recorder's own work in a turn keeps its time", async () => {
  const turnLines: TurnLine[] = [
    ['turn', drawnStart, drawnStart + 9000, -1, 3000],
    ['own', drawnStart + 2000, drawnStart + 5000],
  ];
  const drawing = 'start start (program) (program) (program) stop stop stop stop';
  const { fn, operations } = await hotspotsOf(drawing, { turns: [], turnLines });
  assertEach(operations, ({ durationUs }) => durationUs, [ms(6)]);
  assert.deepEqual([fn('start').worstUs, fn('stop').worstUs, fn('stop').estimated], [ms(2), ms(4), false]);
});

test('after the last mark of a killed process operations are inferred, and that is said', async () => {
  const mark: TurnLine = ['mark', drawnStart + 2000];
  const { operations, report, culprit } = await hotspotsOf('tick tick (idle) block block block', {
    turns: '0-1 1-2',
    turnLines: [mark],
    isKilled: true,
  });
  assertEach(operations, ({ durationUs }) => durationUs, [ms(1), ms(1), ms(3)]);
  assert.equal(culprit('block')?.estimated, true);
  assert.match(report.warnings.join(), /killed/);
  assert.equal(report.recording.files[0]?.ended, 'killed');
  assert.equal(report.recording.files[0]?.turns, 'measured');
});

test('how its thread spent a turn is what the recorder measured, unknown where it did not', async () => {
  const turn = (start: number, run: number, wait: number): TurnLine => {
    return ['turn', drawnStart + start, drawnStart + start + 2000, run, 0, wait];
  };
  const { analysis } = await hotspotsOf('tick tick tick tick tick tick', {
    turns: [],
    turnLines: [turn(0, 1900, 0), turn(2000, 1200, 600), turn(4000, -1, -1)],
  });
  assertEach(analysis.operations, ({ thread }) => thread, [
    { run: 1900, wait: 0, slept: 100 },
    { run: 1200, wait: 600, slept: 200 },
    { run: null, wait: null, slept: null },
  ]);
});
