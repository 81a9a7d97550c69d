import type { GeneratedRecording } from './generated-recording.ts';
import { waitLinesOf } from './generated-waits.ts';

/** A generated recording, one column a sample, the caller above its callee: what a failed case looks like. */
export function drawingOf({ intervalUs, isolates }: GeneratedRecording): string {
  const drawings = isolates.map(({ samples, lastUs, turns, waits, tests, kind, isKilled, marked, rotations }) => {
    const depth = Math.max(...samples.map(({ stack }) => stack.length));
    const rows = Array.from({ length: Math.min(depth, 12) }, (_, row) => samples.map(({ stack }) => stack[row] ?? '.'));
    const table = [samples.map(({ delta }) => `${delta}`), ...rows];
    const width = Math.max(...table.flat().map((cell) => cell.length));
    const drawn = table.map((row) => row.map((cell) => cell.padEnd(width)).join(' '));
    const facts = `${kind}${isKilled ? `, killed, marked at ${marked}` : ''}, last ${lastUs} µs, rotated at ${rotations.join(', ')}`;
    const measured = turns?.map((turn) => `turn ${JSON.stringify(turn)}`) ?? ['turns inferred'];
    const read = waits === null ? [] : waitLinesOf(waits, turns ?? []).map((line) => `read ${line.join(' ')}`);
    const lines = tests?.map((line) => JSON.stringify(line)) ?? [];
    return [facts, ...measured, ...read, ...lines, ...drawn].join('\n');
  });
  return [`a sample every ${intervalUs} µs`, ...drawings].join('\n\n');
}
