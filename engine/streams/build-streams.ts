import type { ThreadKind } from '../../protocol/report.ts';
import { microseconds } from '../../protocol/units.ts';
import type { FunctionTable } from '../functions/function-table.ts';
import { heldTurns } from './held-turns.ts';
import type { CallTree } from '../samples/call-tree.ts';
import { joinParts } from '../samples/join-parts.ts';
import { medianInterval } from '../samples/median-interval.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { createTreeBuilder } from '../samples/tree-builder.ts';
import { graftTruncated } from './graft-truncated.ts';
import type { LoadedIsolate } from '../isolates/load-isolate.ts';
import { withoutRecorder } from './without-recorder.ts';

/** Joins what was loaded of each isolate to its stream, once functions are known. */
export function buildStreams(isolates: readonly LoadedIsolate[], table: FunctionTable): readonly SampleStream[] {
  const functionOfFrame = Int32Array.from(table.frames, (frame) => frame.functionId);
  return isolates.map((isolate) => buildStream(isolate, table, functionOfFrame));
}

/** Its stacks are whole again. */
function buildStream(
  { source, parts, turns, waits, tests, requests }: LoadedIsolate,
  table: FunctionTable,
  functionOfFrame: Int32Array,
): SampleStream {
  const joined = parts.length === 0 ? withoutSamples() : joinParts(parts, functionOfFrame);
  const { pid, threadId, nodeVersion, command, isTestParent, ended } = source;
  const interval = source.interval ?? medianInterval(joined.times);
  return {
    ...joined,
    ...withoutRecorder(graftTruncated(joined), table.functions),
    isolate: {
      path: source.profiles[0] ?? '',
      parts: parts.length,
      pid,
      threadId,
      threadKind: source.threadKind ?? kindByFrames(joined.tree, table),
      nodeVersion,
      command,
      isTestParent,
      ended,
    },
    interval,
    turns: turns === null ? null : { ...heldTurns(turns, joined.times, interval), waits },
    tests,
    requests,
  };
}

/** Of a process that ended too soon: it is there, and that is all that is known. */
function withoutSamples(): ReturnType<typeof joinParts> {
  const tree = createTreeBuilder().build();
  return { tree, times: new Float64Array(0), nodes: new Int32Array(0), end: microseconds(0), tiered: null };
}

/** A worker in which a test runner runs is the runner's; another one the program's. */
function kindByFrames({ functionId }: CallTree, { functions }: FunctionTable): ThreadKind {
  return functionId.some((id) => functions[id]?.kind === 'runner') ? 'pool' : 'background';
}
