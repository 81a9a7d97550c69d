import type { Analysis } from '../../engine/analysis.ts';
import { type Operation, weightIn } from '../../engine/operations/operation.ts';

/** One sample of an operation, in µs: how long it lasted by the clock, and how much of that counts. */
export interface Stretch {
  readonly clock: number;
  readonly held: number;
  /** Whether the function is on the stack of the sample. */
  readonly has: boolean;
}

/** The samples of an operation. */
export function stretchesIn(analysis: Analysis, operation: Operation, functionId: number): readonly Stretch[] {
  const { stream: number, start, end, firstSample, lastSample } = operation;
  const stream = analysis.streams[number];
  const bridged = analysis.bridged[number];
  if (stream === undefined || bridged === undefined) return [];
  const { times, tree } = stream;
  const isOn = (node: number): boolean => {
    for (let at = node; at > 0; at = tree.parent[at] ?? 0) if (tree.functionId[at] === functionId) return true;
    return false;
  };
  return Array.from({ length: lastSample - firstSample }, (_, index) => {
    const sample = firstSample + index;
    const from = index === 0 ? start : (times.at(sample) ?? end);
    const to = sample + 1 === lastSample ? end : (times.at(sample + 1) ?? end);
    const held = weightIn(operation, sample, bridged.weights);
    return { clock: to - from, held, has: isOn(bridged.nodes[sample] ?? 0) };
  });
}

/** The longest time that a function held a loop in one operation, by the clock, in µs. */
export function worstByClock(analysis: Analysis, functionId: number): number {
  const presences = analysis.operations.map((operation) =>
    stretchesIn(analysis, operation, functionId).reduce((sum, { clock, has }) => sum + (has ? clock : 0), 0),
  );
  return Math.max(0, ...presences);
}
