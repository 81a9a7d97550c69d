import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnStart } from '../../../helpers/drawn-profile.ts';
import { hotspotsOf } from '../../../helpers/drawn-hotspots.ts';
import type { TurnLine } from '../../../../protocol/recording-lines.ts';
import { detailsOf } from '../../../../language-server/queries/function-details.ts';
import { warningText } from '../../../../words/warnings/warning-text.ts';

/** Times of one turn from the first sample on, in ms; −0.001: unknown. */
interface DrawnTurn {
  readonly wall: number;
  readonly run: number;
  readonly wait?: number;
  readonly own?: number;
}

const turnOf = ({ wall, run, wait = -0.001, own = 0 }: DrawnTurn): TurnLine => {
  return ['turn', drawnStart, drawnStart + (wall + own) * 1000, run * 1000, own * 1000, wait * 1000];
};

const parsing = `
  handler handler handler handler handler
  parse   parse   parse   parse   parse
`;

const reading = `
  parse parse                parse                parse                parse
  .     node:fs#readFileSync node:fs#readFileSync node:fs#readFileSync .
  .     native#open          native#read          native#read          .
`;

const waitingForNobodyKnowsWhat = `
  parse parse parse parse parse parse parse parse parse parse
`;

test('what a turn waited for a processor is in no figure, and makes no estimate', async () => {
  const { culprit, operations, analysis } = await hotspotsOf(parsing, {
    turns: [],
    turnLines: [turnOf({ wall: 5, run: 2.5, wait: 2.5 })],
  });
  assert.deepEqual([culprit('parse')?.worstUs, culprit('parse')?.estimated], [2500, false]);
  const [{ durationUs, wallUs, waitUs, runUs, sleepUs } = assert.fail()] = operations;
  assert.deepEqual([durationUs, wallUs, waitUs, runUs, sleepUs], [2500, 5000, 2500, 2500, 0]);
  assert.match(
    analysis.warnings.map(warningText).join(),
    /^The machine was busy: the processor was yours 50 % of the time\./,
  );
});

test('the time by the clock is that of the worst own part, not of its whole operation', async () => {
  const { analysis, fn, culprit } = await hotspotsOf(
    `
    ms 20      20      1       1       1       1       1       1
    handler    handler handler handler handler handler handler handler
    parse      parse   render  render  render  render  render  render
    `,
    { turns: [], turnLines: [turnOf({ wall: 46, run: 16, wait: 30 })] },
  );
  assert.deepEqual([culprit('parse')?.worstUs, culprit('render')?.worstUs], [10_000, 6000]);
  const byClock = (name: string): unknown => {
    const id = analysis.functions.functions.findIndex((one) => one.name === name);
    return detailsOf(analysis, id)?.byClockUs;
  };
  assert.deepEqual([byClock('parse'), byClock('render'), fn('handler').worstUs], [40_000, null, 16_000]);
});

test('an operation that waits for a file is certain, and says so', async () => {
  const { culprit, report } = await hotspotsOf(reading, {
    turns: [],
    turnLines: [turnOf({ wall: 5, run: 2, wait: 0 })],
  });
  assert.deepEqual([culprit('parse')?.estimated, culprit('parse')?.waited], [false, { us: 3000, in: 'readFileSync' }]);
  assert.deepEqual(report.warnings, []);
});

test('sleep that no frame explains is certain on a quiet machine', async () => {
  const { culprit } = await hotspotsOf(waitingForNobodyKnowsWhat, {
    turns: [],
    turnLines: [turnOf({ wall: 10, run: 1, wait: 0 })],
  });
  assert.deepEqual([culprit('parse')?.estimated, culprit('parse')?.waited], [false, { us: 9000, in: null }]);
});

test('sleep is an estimate on a busy machine: what was waited for may have waited, too', async () => {
  const { culprit } = await hotspotsOf(waitingForNobodyKnowsWhat, {
    turns: [],
    turnLines: [turnOf({ wall: 10, run: 1, wait: 2 })],
  });
  assert.equal(culprit('parse')?.estimated, true);
  const computing = `\n  ${'parse '.repeat(40)}\n`;
  const isEstimate = async (run: number): Promise<boolean | undefined> => {
    const found = await hotspotsOf(computing, { turns: [], turnLines: [turnOf({ wall: 40, run, wait: 8 })] });
    return found.culprit('parse')?.estimated;
  };
  assert.deepEqual([await isEstimate(27), await isEstimate(28.5)], [true, false], '18 and 12 % of what ran');
});

test('where nobody counts waits, an operation that had half a processor is an estimate, and it is said', async () => {
  const { culprit, analysis } = await hotspotsOf(parsing, { turns: [], turnLines: [turnOf({ wall: 5, run: 2.5 })] });
  assert.equal(culprit('parse')?.estimated, true);
  assert.match(
    analysis.warnings.map(warningText).join(),
    /The machine was busy, .*1 of 1 long operation .*\(2\.5 ms of CPU in 5 ms\)/,
  );
});

test('where nobody counts waits, one that had the processor nearly all the time is certain', async () => {
  for (const run of [4, -0.001]) {
    const { culprit, analysis } = await hotspotsOf(parsing, { turns: [], turnLines: [turnOf({ wall: 5, run })] });
    assert.deepEqual([culprit('parse')?.estimated, analysis.warnings], [false, []]);
  }
});

test('what the recorder took is taken off, and over a tenth of the operation makes it an estimate', async () => {
  for (const [own, estimated] of [
    [0.5, false],
    [1, true],
  ] as const) {
    const turn = turnOf({ wall: 5, run: 5, wait: 0, own });
    const { culprit, operations, report } = await hotspotsOf(parsing, { turns: [], turnLines: [turn] });
    assert.deepEqual([operations[0]?.durationUs, culprit('parse')?.estimated], [5000, estimated]);
    assert.equal(report.warnings.join().startsWith('1 of 1 long operation made so many callbacks'), estimated);
  }
});
