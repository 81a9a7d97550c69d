import { microseconds } from '../../protocol/units.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import type { TreeFacts } from '../samples/tree-facts.ts';
import { Bridge } from './bridge.ts';
import { cutTurns } from './cut-turns.ts';
import { type SampleRange, inferOperations } from './infer-operations.ts';
import type { BridgedSamples, Operation } from './operation.ts';
import { hasWaited } from './has-waited.ts';
import { firstSampleFrom } from './sample-search.ts';

export interface StreamOperations {
  /** Ascending by start. */
  readonly operations: readonly Operation[];
  readonly bridged: BridgedSamples;
}

/**
 * Cuts one isolate's samples into operations: by its measured turns as far as they are known, else as inferred; and
 * gives collections and native stretches inside each to what they interrupted.
 */
export function findOperations(stream: SampleStream, facts: TreeFacts, streamIndex: number): StreamOperations {
  const bridge = new Bridge(stream);
  const turns = measuredOperations(stream, streamIndex);
  for (const { firstSample, lastSample } of turns) bridge.bridge({ first: firstSample, last: lastSample });
  const measured = turns.map((turn) => (hasWaited(turn, stream, facts) ? { ...turn, doubt: 'waited' as const } : turn));
  const knownUntil = stream.turns?.knownUntil ?? -Infinity;
  const inferred: Operation[] = [];
  for (const run of inferOperations(stream, facts, firstSampleFrom(stream.times, knownUntil))) {
    bridge.bridge(run);
    const range = bridge.trimmed(run);
    if (range.first < range.last) inferred.push(inferredOperation(stream, streamIndex, range));
  }
  return { operations: [...measured, ...inferred], bridged: bridge.samples };
}

function measuredOperations({ turns, tests, times }: SampleStream, stream: number): readonly Operation[] {
  const pieces = turns === null ? [] : cutTurns(turns, tests);
  return pieces.map(({ start, end, cpu, own, test }) => ({
    stream,
    start: microseconds(start),
    end: microseconds(end),
    firstSample: firstSampleFrom(times, start),
    lastSample: firstSampleFrom(times, end),
    measured: true,
    cpu: cpu < 0 ? null : microseconds(cpu),
    doubt: own * 10 > end + own - start ? 'recorder' : null,
    test,
  }));
}

function inferredOperation({ times, end }: SampleStream, stream: number, { first, last }: SampleRange): Operation {
  return {
    stream,
    start: microseconds(times[first] ?? end),
    end: microseconds(times[last] ?? end),
    firstSample: first,
    lastSample: last,
    measured: false,
    cpu: null,
    doubt: null,
    test: null,
  };
}
