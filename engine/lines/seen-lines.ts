import type { Operation } from '../operations/operation.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { tierNumbers } from '../samples/tiered-samples.ts';
import { line1 } from '../../protocol/units.ts';
import type { Ticks } from './self-samples.ts';

/**
 * At which lines of a node the ticks were, by node of the call tree and function called from it (`ownText` for none).
 */
export type SeenLines = ReadonlyMap<number, ReadonlyMap<number, SeenTicks>>;

export interface SeenTicks {
  readonly ticks: readonly Ticks[];
  /** Number of ticks whose line is not known: V8 keeps no positions of Sparkplug's code before Node 26. */
  readonly unknown: number;
}

/** Stands for the called function where none was called: the node's own text ran. */
export const ownText = -1;

/**
 * Lines of these nodes in one operation. A stack that was cut counts at the callers that it was given: from the
 * innermost function on, it has as many nodes in the stream's tree as in the log's. Null where the stream is of a
 * profile, which has no such lines.
 */
export function seenLinesOf(
  { tree, nodes: sampled, tiered }: Pick<SampleStream, 'tree' | 'nodes' | 'tiered'>,
  { firstSample, lastSample }: Pick<Operation, 'firstSample' | 'lastSample'>,
  nodes: ReadonlySet<number>,
): SeenLines | null {
  if (tiered === null) return null;
  const { parent, callNode, functionId, frame, line, tier } = tiered.tree;
  const found = new Map<number, Map<number, LineCounts>>();
  for (let sample = firstSample; sample < lastSample; sample++) {
    let callee = ownText;
    let whole = sampled[sample] ?? -1;
    for (let node = tiered.nodes[sample] ?? -1; node >= 0; node = parent[node] ?? -1) {
      const here = tree.functionId[whole] === functionId[node] ? whole : (callNode[node] ?? -1);
      whole = tree.parent[here] ?? -1;
      if (tier[node] === tierNumbers.unknown) continue; // A native function is part of its caller's own time.
      if (nodes.has(here)) count(found, here, callee, (frame[node] ?? 0) * mostLines + (line[node] ?? 0));
      callee = functionId[node] ?? -1;
    }
  }
  return new Map([...found].map(([node, calls]) => [node, ticksByCallee(calls)]));
}

/** Number of ticks, by frame times `mostLines`, plus line. */
type LineCounts = Map<number, number>;

const mostLines = 2 ** 24;

function count(found: Map<number, Map<number, LineCounts>>, caller: number, callee: number, place: number): void {
  const calls = found.get(caller) ?? new Map<number, LineCounts>();
  const lines = calls.get(callee) ?? new Map<number, number>();
  found.set(caller, calls.set(callee, lines.set(place, (lines.get(place) ?? 0) + 1)));
}

function ticksByCallee(calls: ReadonlyMap<number, LineCounts>): ReadonlyMap<number, SeenTicks> {
  return new Map([...calls].map(([callee, lines]) => [callee, seenTicks(lines)]));
}

function seenTicks(lines: LineCounts): SeenTicks {
  const all = [...lines].map(([place, ticks]) => ({
    frame: Math.floor(place / mostLines),
    line: line1(place % mostLines),
    count: ticks,
  }));
  const unknown = all.filter(({ line }) => line === 0).reduce((sum, ticks) => sum + ticks.count, 0);
  return { ticks: all.filter(({ line }) => line > 0), unknown };
}
