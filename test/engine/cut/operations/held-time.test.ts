import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { type DrawnHotspots, type DrawnOptions, hotspotsOf } from '../../../helpers/drawn-hotspots.ts';
import { drawnStart } from '../../../helpers/drawn-profile.ts';
import type { TestLine, TurnLine, WaitLine } from '../../../../protocol/recording-lines.ts';

/** Times of a turn in ms, from the first sample; without `run` it never slept. */
interface DrawnTurn {
  readonly from?: number;
  readonly wall: number;
  readonly wait: number;
  readonly run?: number;
}

function turnLine({ from = 0, wall, wait, run = wall - wait }: DrawnTurn): TurnLine {
  const start = drawnStart + from * 1000;
  return ['turn', start, start + wall * 1000, run * 1000, 0, wait * 1000];
}

async function held(
  drawing: string,
  turns: readonly DrawnTurn[],
  options: Omit<DrawnOptions, 'turns' | 'turnLines'> = {},
): Promise<DrawnHotspots> {
  return hotspotsOf(drawing, { ...options, turns: [], turnLines: turns.map(turnLine) });
}

/** Readings from outside, drawn as `-1 0 100, 0.5 7.5 106`. */
function readings(drawing: string): readonly WaitLine[] {
  return drawing.split(', ').map((line): WaitLine => {
    const [from = 0, until = 0, waited = 0] = line.split(' ').map(Number);
    return [from, until, waited];
  });
}

/** Test `a` runs until `change`, and `b` from there to `end`, in ms. */
function testsAAndB(change: number, end: number): readonly TestLine[] {
  const file = '/app/test/app.test.ts';
  return [
    ['begin', 0, 1, file, ['a'], -1],
    ['end', change, 1],
    ['begin', change, 2, file, ['b'], -1],
    ['end', end, 2],
  ];
}

function times<Item>(count: number, item: Item): readonly Item[] {
  return Array.from({ length: count }, () => item);
}

test('what others had the processor for is taken off the longest gaps between samples', async () => {
  const { worst, report } = await held('ms 1 1 9 1\n parse parse render render', [{ wall: 12, wait: 7 }]);
  assert.deepEqual([worst('parse'), worst('render')], [2000, 3000]);
  const self = report.functions.map(({ selfUs }) => selfUs).reduce((sum, us) => sum + us, 0);
  assert.equal(self, 5000, 'so it is in no total');
});

test('what lies between two turns belongs to the short turns in it, and to no function before them', async () => {
  const { report } = await held('ms 2 8 10 3 7 2\n parse list list render list list', [
    { wall: 3, wait: 0 },
    { from: 20, wall: 4, wait: 0 },
  ]);
  const self = Object.fromEntries(report.functions.map(({ name, selfUs }) => [name, selfUs]));
  assert.deepEqual(self, { parse: 2000, list: 1000 + 2500 + 1000 + 2500, render: 3000 }, 'late samples count 2.5 ms');
});

test('what the thread slept stays with the call that waits', async () => {
  const { worst } = await held(
    `ms 1     20                   9
        parse parse                render
        .     node:fs#readFileSync .`,
    [{ wall: 30, wait: 6, run: 4 }],
  );
  assert.deepEqual([worst('readFileSync'), worst('render')], [20_000, 3000]);
});

test('a turn that held the loop for less than 1 ms is not an operation, and its samples count no more than that', async () => {
  const { operations, report } = await held('ms 40 5\n parse (idle)', [{ wall: 40, wait: 39.5 }]);
  assert.deepEqual(operations, []);
  assert.equal(report.functions[0]?.totalUs, 500);
});

test('the parts of a turn that are tests of their own hold as long as their stretches', async () => {
  const { operations } = await held('ms 4 20 4 2\n test#a test#a test#b test#b', [{ wall: 30, wait: 16 }], {
    tests: testsAAndB(24, 30),
  });
  const shown = operations.map(({ test: name, durationUs, wallUs }) => `${name} ${durationUs} ${wallUs}`);
  assert.deepEqual(shown, ['a 8000 24000', 'b 6000 6000']);
});

test('a process that is stopped in one test takes no time of another one in the same turn', async () => {
  const one = times(20, 'parse');
  const { operations, culprit, report } = await held(
    `ms ${times(20, 1).join(' ')} 300 1\n${one.join(' ')} test#b test#b`,
    [{ wall: 321, wait: 0, run: 23 }],
    { tests: testsAAndB(20, 321) },
  );
  assertEach(operations, ({ runUs, sleepUs }) => `${runUs} ${sleepUs}`, ['20000 0', '3000 298000']);
  assert.equal(culprit('parse')?.worstUs, 20_000);
  assert.equal(report.findings.find(({ name }) => name === 'parse')?.open, true);
});

test('a test that sleeps while it is sampled takes no time of another one in the same turn', async () => {
  const [one, other] = [times(20, 'parse'), times(60, 'test#b')];
  const { operations, culprit } = await held(
    `ms ${times(80, 1).join(' ')}\n${[...one, ...other].join(' ')}`,
    [{ wall: 80, wait: 0, run: 21 }],
    { tests: testsAAndB(20, 80) },
  );
  assertEach(operations, ({ sleepUs }) => sleepUs, [0, 39_000]);
  assert.deepEqual([culprit('parse')?.worstUs, culprit('parse')?.waited], [20_000, null]);
});

test('a process that is stopped in one function takes no time of another one', async () => {
  const [one, other] = [times(50, 'parse'), times(20, 'render')];
  const { culprit, report } = await held(
    `ms ${[...times(60, 1), 101, ...times(9, 1)].join(' ')}\n${[...one, ...other].join(' ')}`,
    [{ wall: 170, wait: 0, run: 69 }],
  );
  assert.deepEqual([culprit('parse')?.worstUs, culprit('render')?.worstUs], [50_000, 20_000]);
  assertEach(report.findings, ({ name, open }) => `${name} ${open}`, ['parse true', 'render true']);
});

test('a stop in one of several calls is taken off the worst', async () => {
  const parse = [...times(30, 'parse'), '(idle)', ...times(10, 'parse')];
  const { culprit } = await held(`ms ${[...times(30, 1), 5, ...times(9, 1), 26].join(' ')}\n${parse.join(' ')}`, [
    { wall: 30, wait: 0 },
    { from: 35, wall: 35, wait: 0, run: 10 },
  ]);
  const { worstUs, longCount, waited } = culprit('parse') ?? {};
  assert.deepEqual([worstUs, longCount, waited], [30_000, 2, null]);
});

const twoHalves = 'ms 2 2 2 2 2 2 2 2\n parse parse parse parse render render render render';

test('whose time the wait was taken off is an estimate', async () => {
  const { culprit, worst } = await held(twoHalves, [{ wall: 16, wait: 8 }]);
  assert.deepEqual([worst('parse'), culprit('parse')?.estimated], [4000, true]);
});

test('readings from outside tell in which half of a turn it waited', async () => {
  const waits = readings('-1 0 100, 0.5 7.5 106, 14 15 108, 16 16 108');
  const { culprit, worst } = await held(twoHalves, [{ wall: 16, wait: 8 }], { waits });
  assert.deepEqual([worst('parse'), worst('render')], [2000, 6000]);
  assert.deepEqual([culprit('parse'), culprit('render')?.estimated], [null, false]);
});

test('what a thread certainly waited after the last sign of life of its process is in no figure', async () => {
  const waits = readings('-1 0 100, 2.5 9 106, 17 17.5 108, 18 18 108');
  const drawing = 'ms 1 1 2 2 2 2 2 2 2 2\n load (idle) parse parse parse parse parse parse parse parse';
  const { culprit, worst } = await held(drawing, [{ wall: 1, wait: 0 }], { waits, isKilled: true });
  assert.deepEqual([worst('parse'), culprit('parse')?.estimated], [8000, true]);
  const inFirstTurn = await hotspotsOf(drawing, { waits, isKilled: true, manifest: {} });
  assert.equal(inFirstTurn.worst('parse'), 8000);
});

test('readings of another thread are not believed', async () => {
  const waits = readings('0 1 5, 2 3 900, 16 16 900');
  const { worst } = await held(twoHalves, [{ wall: 16, wait: 8 }], { waits });
  assert.deepEqual([worst('parse'), worst('render')], [4000, 4000]);
});

test('a function that has an operation to itself is certain, however long the thread waited', async () => {
  const { culprit } = await held('ms 30 30 30 30\n parse parse parse parse', [{ wall: 120, wait: 100 }]);
  assert.deepEqual([culprit('parse')?.worstUs, culprit('parse')?.estimated], [20_000, false]);
});

test('a function in a dozen short pieces is an estimate, one in two long ones is not', async () => {
  const pieces = Array.from({ length: 12 }, () => 'parse parse render').join(' ');
  const short = await held(pieces, [{ wall: 36, wait: 0 }]);
  assert.equal(short.culprit('parse')?.estimated, true);
  const long = [...times(12, 'parse'), 'render', ...times(12, 'parse')].join(' ');
  const { culprit } = await held(long, [{ wall: 25, wait: 0 }]);
  assert.deepEqual([culprit('parse')?.worstUs, culprit('parse')?.estimated], [24_000, false]);
});

test('a gap in which anything may have run makes an estimate of what stands beside it', async () => {
  const { culprit } = await held('ms 9 1 1 1\n render parse parse parse', [{ wall: 12, wait: 0 }]);
  assert.equal(culprit('parse')?.estimated, true);
});

test('where nobody counts waits, samples that come on time are those of a thread that slept', async () => {
  const turn = (run: number): TurnLine => ['turn', drawnStart, drawnStart + 12_000, run * 1000];
  const options = (run: number): DrawnOptions => ({ turns: [], turnLines: [turn(run)] });
  const asleep = await hotspotsOf(times(12, 'parse').join(' '), options(1));
  assert.equal(asleep.operations[0]?.durationUs, 12_000);
  const late = await hotspotsOf('ms 4 4 4\n parse parse parse', options(5));
  assert.deepEqual([late.operations[0]?.durationUs, late.culprit('parse')?.estimated], [5000, true]);
  assert.equal(late.operations[0]?.waitUs, null);
});

test('a recording of another version is not read, and it is said what to do', async () => {
  const sentences = {
    3: /was recorded by a newer Hotspan \(its recording\.json is of version 3\): update this one to open it, or record/,
    1: /was recorded by an older Hotspan \(its recording\.json is of version 1\): record again\./,
  };
  for (const [version, sentence] of Object.entries(sentences))
    await assert.rejects(
      async () => hotspotsOf('parse', { turns: [], manifest: { version: Number(version) } }),
      sentence,
    );
});

test('a profile from elsewhere is never cut; that its samples came late is said', async () => {
  const lasting = [...times(10, 1), ...times(30, 12)];
  const late = await hotspotsOf(`ms ${lasting.join(' ')}\n ${lasting.map(() => 'parse').join(' ')}`);
  assert.match(
    late.report.warnings.join(),
    /The machine was busy while this was profiled, .* 97 % of the working time/,
  );
  assert.equal(late.worst('parse'), 370_000);
  const rare = await hotspotsOf(`ms ${times(24, 20).join(' ')}\n ${times(12, 'parse (idle)').join(' ')}`);
  assert.match(rare.report.warnings.join(), /^Samples are 20 ms apart, /);
  assert.equal(rare.report.findings[0]?.closedBecause, 'fewSamples');
  const reading = await hotspotsOf('ms 300 1\n node:fs#readFileSync parse');
  assert.deepEqual(reading.report.warnings, []);
  const longer = await hotspotsOf(`ms ${[...times(250, 1), 100, 100, 1].join(' ')}\n ${times(253, 'parse').join(' ')}`);
  assert.match(longer.report.warnings.join(), /44 % of the working time/);
  const working = times(250, 1);
  const waiting = await hotspotsOf(
    `ms ${[...working, 300].join(' ')} 1\n ${working.map(() => 'parse').join(' ')} (idle) parse`,
  );
  assert.deepEqual(waiting.report.warnings, [], 'a loop that waits is not late');
});
