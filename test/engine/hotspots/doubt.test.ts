import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TurnLine } from '../../../protocol/recording.ts';
import { drawnStart } from '../../helpers/drawn-profile.ts';
import { hotspotsOf } from '../../helpers/drawn-hotspots.ts';

/** Five ms in `parse`, of which the thread had the processor for `cpu` ms, the recorder for `own`. */
const turn = (cpu: number, own = 0): TurnLine => [
  'turn',
  drawnStart,
  drawnStart + 5000 + own * 1000,
  cpu * 1000,
  own * 1000,
];

const drawing = `
  handler handler handler handler handler
  parse   parse   parse   parse   parse
`;

test('an operation that had half a processor is an estimate, and it is said', async () => {
  const { culprit, analysis } = await hotspotsOf(drawing, { turns: [], turnLines: [turn(2.5)] });
  assert.equal(culprit('parse')?.estimated, true);
  assert.match(analysis.warnings.join(), /The machine was busy, .*1 of 1 long operation .*\(2\.5 ms of CPU in 5 ms\)/);
});

test('an operation that had the processor nearly all the time, or of which nobody knows, is certain', async () => {
  for (const cpu of [4, -0.001]) {
    const { culprit, analysis } = await hotspotsOf(drawing, { turns: [], turnLines: [turn(cpu)] });
    assert.deepEqual([culprit('parse')?.estimated, analysis.warnings], [false, []]);
  }
});

test('an operation that waits for a file is certain', async () => {
  const reading = `
    parse parse                parse                parse                parse
    .     node:fs#readFileSync node:fs#readFileSync node:fs#readFileSync .
    .     native#open          native#read          native#read          .
  `;
  const { culprit } = await hotspotsOf(reading, { turns: [], turnLines: [turn(2)] });
  assert.equal(culprit('parse')?.estimated, false);
});

test('what the recorder took is taken off, and over a tenth of the operation makes it an estimate', async () => {
  for (const [own, estimated] of [
    [0.5, false],
    [1, true],
  ] as const) {
    const { culprit, operations } = await hotspotsOf(drawing, { turns: [], turnLines: [turn(5, own)] });
    assert.deepEqual([operations[0]?.durationUs, culprit('parse')?.estimated], [5000, estimated]);
  }
});
