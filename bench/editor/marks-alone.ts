import { readFileSync } from 'node:fs';
import { type TextNow, TrackedMarks } from '../../extension/marks/tracked-marks.ts';
import { line0 } from '../../protocol/units.ts';
import { writeLargeFile } from './large-file.ts';

/**
 * Processor time of the extension's own work for 5 000 marks, if it had no limit, in ms: taking them over, taking them
 * over again, and following a key.
 */
export function marksAlone(folder: string): readonly number[] {
  const { file } = writeLargeFile(folder);
  const lines = readFileSync(file, 'utf8').split('\n');
  const now = textOf(file, lines);
  const marks = Array.from({ length: 5_000 }, (_, number) => ({
    line: line0(number * 10 + 3),
    text: `${number} ms worst · 1 × >10 ms · 1 stack`,
    class: 'slow' as const,
    tone: 'plain' as const,
    within: { firstLine: line0(number * 10), lastLine: line0(number * 10 + 9) },
  }));
  const tracked = new TrackedMarks();
  const key = { start: 250_000, end: 250_000, text: 'x', isOverLines: false };
  return [
    () => tracked.replace(marks, now),
    () => tracked.replace(marks, now),
    () => void tracked.follow([key], now),
  ].map(processorTime);
}

function textOf(file: string, lines: readonly string[]): TextNow {
  const starts: number[] = [];
  lines.reduce((start, line) => {
    starts.push(start);
    return start + line.length + 1;
  }, 0);
  const text = lines.join('\n');
  return {
    path: file,
    lineCount: lines.length,
    lineAt: (line) => lines[line] ?? '',
    startOf: (line) => starts[line] ?? 0,
    lineOf: (offset) => lastUpTo(starts, offset),
    textBetween: (start, end) => text.slice(start, end),
  };
}

/** Index of the last of some ascending numbers that is not above a limit, as an editor finds a line. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
