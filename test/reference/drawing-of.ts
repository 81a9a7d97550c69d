import type { GeneratedIsolate } from './generated-recording.ts';

/** Generated isolates, one column a sample, the caller above its callee: what a failed case looks like. */
export function drawingOf(isolates: readonly GeneratedIsolate[]): string {
  return isolates
    .map(({ samples, lastUs, turns, kind, isKilled, rotations }) => {
      const depth = Math.max(...samples.map(({ stack }) => stack.length));
      const rows = Array.from({ length: Math.min(depth, 12) }, (_, row) =>
        samples.map(({ stack }) => stack[row] ?? '.'),
      );
      const table = [samples.map(({ delta }) => `${delta}`), ...rows];
      const width = Math.max(...table.flat().map((cell) => cell.length));
      const drawn = table.map((row) => row.map((cell) => cell.padEnd(width)).join(' '));
      const facts = `${kind}${isKilled ? ', killed' : ''}, last ${lastUs} µs, rotated at ${rotations.join(', ')}`;
      return [facts, `turns ${turns === null ? 'inferred' : JSON.stringify(turns)}`, ...drawn].join('\n');
    })
    .join('\n\n');
}
