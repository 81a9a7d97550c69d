import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnStart } from '../helpers/drawn-profile.ts';
import { hotspotsOf } from '../helpers/drawn-hotspots.ts';
import type { TestLine, TurnLine } from '../../protocol/recording-lines.ts';
import { summaryOf } from '../../words/summary.ts';
import { drawnRuns } from '../helpers/drawn-runs.ts';
import { estimatesText, orderText, waitsText } from '../../words/order-and-doubt.ts';
import { shownFigures } from '../../cli/views/hotspot-view.ts';
import { shortVerdict } from '../../words/editor/status-text.ts';
import { assertEach } from '../helpers/assert-each.ts';

const spawning = `
  build build                    build                    build
  .     node:child_process#spawn node:child_process#spawn .
  .     native#spawn             native#spawn             .
`;

test('a worst that waited says so in the verdict, with the call and what ran', async () => {
  const { analysis, culprit } = await hotspotsOf(spawning, {
    turns: [],
    turnLines: [['turn', drawnStart, drawnStart + 4000, 1900, 0, 0]],
  });
  assert.equal(culprit('build')?.waited?.in, 'spawn');
  const summary = summaryOf(analysis, '/rec');
  assert.match(
    summary.verdict,
    /^4 ms worst in build, \S+ · waited \(spawn\), ≤ 1\.9 ms CPU · few samples · 1 hotspot$/,
  );
  assert.match(shortVerdict(summary), /^Uncertain: 4 ms · waited · /);
  assert.match(waitsText(shownFigures(analysis, true)) ?? '', /^The one figure waited, /);
  assert.equal(waitsText(shownFigures(analysis, false)), null, 'the verdict does not show it');
});

test('where nothing waited, nothing is said of it', async () => {
  const { analysis } = await hotspotsOf('parse parse parse parse', { turns: [[0, 4]] });
  assert.equal(waitsText(shownFigures(analysis, true)), null);
  assert.match(summaryOf(analysis, '/rec').verdict, /^4 ms worst in parse, \S+ · few samples · 1 hotspot$/);
});

test('where most figures are estimates, one sentence says why', async () => {
  const drawing = 'parse parse parse (idle) render render render';
  const inferred = await hotspotsOf(drawing);
  assert.equal(
    estimatesText(inferred.analysis),
    '≈ on all 2 figures: the profile does not say where one operation ends and the next begins.',
  );
  const measured = await hotspotsOf(drawing, { turns: '0-3 4-7' });
  assert.equal(estimatesText(measured.analysis), null);
});

test('a test whose turn slept, and that is not known to have slept itself, is an estimate for its samples or its turn', async () => {
  const drawing = `ms ${'1 '.repeat(30)} 2.4 2.4\n${'parse '.repeat(15)} ${'list '.repeat(15)} render render`;
  const turn: TurnLine = ['turn', drawnStart, drawnStart + 34_800, 24_000, 0, 4000];
  const turns = { turns: [], turnLines: [turn], threshold: 1 };
  const tests: readonly TestLine[] = [
    ['begin', 0, 1, '/app/test/app.test.ts', ['a'], -1],
    ['end', 15, 1],
    ['begin', 15, 2, '/app/test/app.test.ts', ['b'], -1],
    ['end', 30, 2],
    ['begin', 30, 3, '/app/test/app.test.ts', ['c'], -1],
    ['end', 34.8, 3],
  ];
  const { analysis, operations } = await hotspotsOf(drawing, { ...turns, tests });
  assertEach(operations, ({ sleepUs }) => sleepUs, [0, 0, 0]);
  assert.equal(
    estimatesText(analysis),
    '≈ on all 3 figures: the turn that it is a part of waited while the machine was busy (2 ×), fewer than 3 samples (1 ×).',
  );
  const whole = await hotspotsOf(drawing, turns);
  assert.equal(
    estimatesText(whole.analysis),
    '≈ on all 3 figures: it waited for something while the machine was busy.',
  );
});

test('the order is explained where tests come after application code that is faster', async () => {
  const { analysis } = await hotspotsOf('parse parse parse (idle) test#case test#case test#case test#case', {
    turns: '0-3 4-8',
  });
  assert.equal(orderText(analysis), 'Worst first: your application, then tests.');
  const plain = await hotspotsOf('parse parse parse', { turns: [[0, 3]] });
  assert.equal(orderText(plain.analysis), null);
});

test('of several runs it is explained why what few of them have comes last, though it is worse', async () => {
  const last = 'what was over the threshold in fewer than half of the runs comes last.';
  const plain = await drawnRuns([{ held: 'total 20' }, { held: 'total 21 spike 88' }, { held: 'total 22' }]);
  assert.equal(orderText(plain.analysis), `Worst first; ${last}`);
  const tests = await drawnRuns([
    { held: 'total 20 test#case 60' },
    { held: 'total 21 spike 88 test#case 60' },
    { held: 'total 22 test#case 60' },
  ]);
  assert.equal(orderText(tests.analysis), `Worst first: your application, then tests; within each, ${last}`);
});
