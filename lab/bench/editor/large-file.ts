import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const functions = 5_000;
const linesOfFunction = 10;
/** How long each function holds the loop, in ms; a little longer from one to the next, so that their order is certain. */
const shortest = 11;

/** Writes a file of 50 000 lines, and a profile in which each of its 5 000 functions holds the loop twice: once is a first call. */
export function writeLargeFile(folder: string): { readonly file: string; readonly profile: string } {
  const file = path.join(folder, 'large.js');
  const profile = path.join(folder, 'large.cpuprofile');
  const numbers = Array.from({ length: functions }, (_, number) => number);
  writeFileSync(file, numbers.map(functionText).join(''));
  writeFileSync(profile, JSON.stringify(profileOf(pathToFileURL(file).href, numbers)));
  return { file, profile };
}

function functionText(number: number): string {
  const lines = Array.from({ length: linesOfFunction - 4 }, (_, line) => `  total += input * ${number + line};`);
  return [`function work${number}(input) {`, '  let total = 0;', ...lines, '  return total;', '}', ''].join('\n');
}

function profileOf(url: string, numbers: readonly number[]): unknown {
  const frame = (functionName: string, lineNumber: number, from = url): unknown => {
    return { functionName, scriptId: '1', url: from, lineNumber, columnNumber: lineNumber < 0 ? -1 : 0 };
  };
  const msOf = (number: number): number => shortest + Math.floor((numbers.length - number) / 1_000);
  const idOf = (number: number): number => number + 3;
  const samples = [...numbers, ...numbers].flatMap((number) => [
    ...Array.from({ length: msOf(number) }, () => idOf(number)),
    2,
  ]);
  return {
    nodes: [
      { id: 1, callFrame: frame('(root)', -1, ''), hitCount: 0, children: [2, ...numbers.map(idOf)] },
      { id: 2, callFrame: frame('(idle)', -1, ''), hitCount: 2 * numbers.length },
      ...numbers.map((number) => ({
        id: idOf(number),
        callFrame: frame(`work${number}`, number * linesOfFunction),
        hitCount: 2 * msOf(number),
        positionTicks: [{ line: number * linesOfFunction + 4, ticks: 2 * msOf(number) }],
      })),
    ],
    startTime: 1_000_000,
    endTime: 1_000_000 + samples.length * 1_000,
    samples,
    timeDeltas: samples.map(() => 1_000),
  };
}
