import { type FunctionInfo, type FunctionTable, isBuiltIn } from '../../read/functions/function-table.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { type LineTicks, firstFunctionNode } from '../../read/samples/call-tree.ts';
import { type Line1, line1 } from '../../../protocol/units.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import { tierNumbers } from '../../read/samples/tiered-samples.ts';

export interface Ticks {
  /** Index into `FunctionTable.frames`. */
  readonly frame: number;
  /** Line in the text that ran. */
  readonly line: Line1;
  readonly count: number;
}

/** The samples with one node on top of the stack, by line. Native functions called by it are included. */
export interface SelfSamples {
  readonly ticks: readonly Ticks[];
  /** Share of its time in compiled regular expressions, for which V8 gives no line. 0 to 1. */
  readonly regExpShare: number;
}

export const noSamples: SelfSamples = { ticks: [], regExpShare: 0 };

/** Samples of all nodes of these functions in one isolate, by node. `selfTimes` are in µs, by node. */
export function selfSamplesOf(
  { tree }: SampleStream,
  selfTimes: Float64Array,
  isWanted: (functionId: number) => boolean,
  table: FunctionTable,
): ReadonlyMap<number, SelfSamples> {
  const ticks = tree.ticks();
  const frameOf = firstFrames(table);
  const found = new Map<number, { readonly ticks: Ticks[]; regExp: number; all: number }>();
  for (let node = firstFunctionNode; node < tree.size; node += 1) {
    const fn = table.functions[tree.functionId[node] ?? -1];
    const owner = fn !== undefined && isBuiltIn(fn) ? (tree.parent[node] ?? 0) : node;
    const caller = table.functions[tree.functionId[owner] ?? -1];
    if (fn === undefined || caller === undefined || !isWanted(caller.id)) continue;
    const time = selfTimes[node] ?? 0;
    const samples = found.get(owner) ?? { ticks: [], regExp: 0, all: 0 };
    found.set(owner, samples);
    for (const tick of ticksOfNode(ticks, node, caller, frameOf, table)) samples.ticks.push(tick);
    samples.all += time;
    if (fn.name.startsWith('RegExp: ')) samples.regExp += time;
  }
  return new Map(
    [...found].map(([node, { regExp, all, ...own }]) => [node, { ...own, regExpShare: all === 0 ? 0 : regExp / all }]),
  );
}

/** Ticks of a node. For a native function V8 gives the line of the caller at which it was called. */
function ticksOfNode(
  ticks: LineTicks,
  node: number,
  caller: FunctionInfo,
  frameOf: Int32Array,
  { frames }: FunctionTable,
): readonly Ticks[] {
  const found: Ticks[] = [];
  for (let entry = ticks.start[node] ?? 0; entry < (ticks.start[node + 1] ?? 0); entry += 1) {
    const line = ticks.line[entry] ?? 0;
    const count = ticks.count[entry] ?? 0;
    const given = ticks.frame[entry] ?? -1;
    const isOwn = frames[given]?.functionId === caller.id;
    const frame = isOwn ? given : (frameOf[caller.id] ?? -1);
    if (line > 0 && count > 0) found.push({ frame, line: line1(line), count });
  }
  return found;
}

/** First frame of each function, by function id. */
function firstFrames({ frames, functions }: FunctionTable): Int32Array {
  const first = new Int32Array(functions.length).fill(-1);
  for (const [frame, { functionId }] of frames.entries()) if (first[functionId] === -1) first[functionId] = frame;
  return first;
}

/** Lines of ticks by node of the call tree, and by the function called from it (`ownText` if none was called). */
export type SeenLines = ReadonlyMap<number, ReadonlyMap<number, SeenTicks>>;

export interface SeenTicks {
  readonly ticks: readonly Ticks[];
  /** Number of ticks whose line is not known: V8 keeps no positions of Sparkplug's code before Node 26. */
  readonly unknown: number;
}

/** Key for the node's own text: no function was called. */
export const ownText = -1;

/**
 * Lines of these nodes in one operation. Grafted stacks are matched from the innermost function outwards, where the
 * stream's tree and the log's agree. Null for a profile, which has no such lines.
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
      if (nodes.has(here)) count(found, here, callee, (frame[node] ?? 0) * MAX_LINES + (line[node] ?? 0));
      callee = functionId[node] ?? -1;
    }
  }
  return new Map([...found].map(([node, calls]) => [node, ticksByCallee(calls)]));
}

/** Number of ticks, by frame times `MAX_LINES`, plus line. */
type LineCounts = Map<number, number>;

const MAX_LINES = 2 ** 24;

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
    frame: Math.floor(place / MAX_LINES),
    line: line1(place % MAX_LINES),
    count: ticks,
  }));
  const unknown = all.filter(({ line }) => line === 0).reduce((sum, ticks) => sum + ticks.count, 0);
  return { ticks: all.filter(({ line }) => line > 0), unknown };
}
