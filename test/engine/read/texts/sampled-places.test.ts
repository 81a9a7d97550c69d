import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '../../../../engine/analyze.ts';
import { milliseconds } from '../../../../protocol/units.ts';
import { reportOf } from '../../../../show/report/report.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { functionsIn, linesIn } from './recorded-texts.ts';

const text = `interface Row { price: number }
export function total(rows: Row[]): number {
  let sum = 0;
  for (const row of rows) {
    sum += Math.sqrt(row.price);
  }
  return sum + rows.map((row) => row.price).length;
}
function report(rows: Row[]): void {
  console.log(total(rows));
}
setTimeout(() => report([]), 1);
`;

type Frame = readonly [name: string, line: number, column: number, parent: number, ms: number, url?: string];

const plain = '/app/src/cart.ts';
const timeOfDay = 1_795_272_280_789_641.5;

/** What is said of a profile without ticks. Node 1 is the root; `frames` are the nodes from 2 on. */
async function saidOf(frames: readonly Frame[], startTime = timeOfDay, file = text) {
  const samples = frames.flatMap(([, , , , ms], index) => Array.from({ length: ms }, () => index + 2));
  const nodes = frames.map(([functionName, lineNumber, columnNumber, parent, , url = plain], index) => {
    return { id: index + 2, parent, callFrame: { functionName, scriptId: '3', url, lineNumber, columnNumber } };
  });
  const root = { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 };
  const profile = {
    nodes: [{ id: 1, callFrame: root }, ...nodes],
    startTime,
    endTime: startTime + samples.length * 1000,
    samples,
    timeDeltas: samples.map(() => 1000),
  };
  const files = { '/app/a.cpuprofile': JSON.stringify(profile), '/app/package.json': '{}', [plain]: file };
  const options = { thresholdUs: milliseconds(10), sourceMaps: true, roots: ['/app'] };
  const result = await analyze(['/app/a.cpuprofile'], memoryWorld(files), options);
  const report = result.type === 'analyzed' ? reportOf(result.analysis, 'long') : assert.fail(result.type);
  return { functions: functionsIn(report), lines: linesIn(report) };
}

/** As Bun 1.3.11 writes them: counted from 1, under two urls, without a place before the first statement. */
const ofBun: readonly Frame[] = [
  ['', 12, 18, 1, 0],
  ['report', 10, 15, 2, 0],
  ['total', 5, 17, 3, 30],
  ['total', 4, 21, 3, 20],
  ['total', -1, -1, 3, 5, 'file:///app/src/cart.ts'],
  ['', 7, 37, 3, 1],
];

test('places of samples become functions, with the lines of the samples', async () => {
  const { functions, lines } = await saidOf(ofBun);
  const url = `file://${plain}`;
  assert.deepEqual(functions, [` ${url}:12 0 ×`, `report ${url}:9 0 ×`, `total ${url}:2 1 ×`]);
  assert.deepEqual(lines, [`${url}:4`, `${url}:5`]);
});

test('in another text they stay what they are', async () => {
  const { lines } = await saidOf(ofBun, timeOfDay, text.replace('function total', 'function sum'));
  assert.deepEqual(lines, []);
});

test('another clock counts from 0, as the format says', async () => {
  const fromZero = ofBun.map(([name, line, column, ...rest]): Frame => [name, line - 1, column - 1, ...rest]);
  assert.deepEqual((await saidOf(fromZero.slice(0, 4), 1_000_000)).lines, [`${plain}:4`, `${plain}:5`]);
});

test('begins of functions in an edited file are not taken for places of samples', async () => {
  const ofV8: readonly Frame[] = [
    ['report', 9, 15, 1, 0],
    ['total', 2, 21, 2, 30],
  ];
  const { lines } = await saidOf(ofV8, 1_000_000);
  assert.deepEqual(lines, [`${plain}:2`]);
});
