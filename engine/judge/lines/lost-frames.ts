import { firstDifference, groupBy, sumOf } from '../../basics/lists.ts';
import { once } from '../../basics/once.ts';
import type { ReadRun } from '../../cut/streams/build-streams.ts';
import { type FunctionTable, isBuiltIn, isBundleBody } from '../../read/functions/function-table.ts';
import type { CallTree, LineTicks } from '../../read/samples/call-tree.ts';
import { firstFunctionNode, metaNodes, noTicks, TickList } from '../../read/samples/call-tree.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import { functionAt } from '../../read/source-code/source-index.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import type { SourceMapper } from '../../read/sourcemap/source-mapper.ts';
import { line1, milliseconds } from '../../../protocol/units.ts';
import { onlyCalls } from './call-lines.ts';
import { bodyAt, numberIn } from './culprit-source.ts';
import { type LineOrigins, originsOfTicks, sharesOf, type Ticks } from './line-shares.ts';

/**
 * Gives samples whose innermost frame V8 lost back to the functions in which they were taken. V8 loses the frame of a
 * function where it interrupts some built-in code in it (`'x' + i`, `slice`, `new`), and counts the sample at the line
 * of the function's call. Source: docs/definition.md, "Truncated stacks".
 */
export async function withLostFrames(
  run: ReadRun,
  mapper: Pick<SourceMapper, 'lines'> | null,
  indexes: SourceIndexes,
): Promise<ReadRun> {
  const lost = await findLostCalls(run, mapper, indexes);
  return { ...run, streams: run.streams.map((stream, at) => givenBack(stream, lost[at] ?? new Map())) };
}

/** A node some of whose ticks are those of functions that it called: V8 lost the frames of these. */
interface LostCalls {
  /** Indexes of such ticks in the tree's. */
  readonly ticks: ReadonlySet<number>;
  /** Nodes of the functions that were called there. */
  readonly callees: ReadonlySet<number>;
  /** False where the node may also have called others there: then only a callee in the same run without a pause counts. */
  readonly isSure: boolean;
}

/** Of each stream, by node: its ticks at lines that only call functions, and the nodes of these. */
async function findLostCalls(
  { functions: table, streams }: ReadRun,
  mapper: Pick<SourceMapper, 'lines'> | null,
  indexes: SourceIndexes,
): Promise<readonly ReadonlyMap<number, LostCalls>[]> {
  const found = streams.map(() => new Map<number, LostCalls>());
  const callers = callersIn(streams, table);
  const origins = await originsOfTicks(
    [...callers.values()].flat().flatMap(({ ticks }) => ticks),
    table,
    mapper,
  );
  for (const [id, callersOfId] of callers) {
    const isNode = table.functions[id]?.kind === 'node';
    const callsAt = isNode ? null : await callsAlone(id, table, origins, indexes);
    if (callsAt === null && !isNode) continue;
    const isRecursive = callersOfId.some(({ stream, node }) => isBelowItself(node, streams[stream]?.tree));
    for (const caller of callersOfId) {
      const lost = callsAt === null ? callsOfNode(caller) : lostCallsOf(caller, callsAt, isRecursive);
      if (lost.callees.size > 0) found[caller.stream]?.set(caller.node, lost);
    }
  }
  return found;
}

function isBelowItself(node: number, tree: CallTree | undefined): boolean {
  const fn = tree?.functionId[node];
  let above = tree?.parent[node] ?? 0;
  while (above >= firstFunctionNode && tree?.functionId[above] !== fn) above = tree?.parent[above] ?? 0;
  return above >= firstFunctionNode;
}

/**
 * Calls that are made again and again, also by a function that calls itself, count only where the caller has nearly no
 * other samples, as of its loop.
 */
function lostCallsOf({ ticks, callees }: Caller, callsAt: CallsAlone, isRecursive: boolean): LostCalls {
  const found = ticks.flatMap(({ number, count, ...tick }) => {
    const calls = callsAt(tick);
    const called = callees.map(({ node, id }) => ({ node, how: calls(id) })).filter(({ how }) => how !== null);
    const isRepeated = isRecursive || called.some(({ how }) => how === 'repeated');
    return called.length === 0 || called.some(({ how }) => how === 'read')
      ? []
      : [{ number, count, isRepeated, nodes: called.map(({ node }) => node) }];
  });
  const isAll = sumOf(found, ({ count }) => count) >= NEARLY_ALL * sumOf(ticks, ({ count }) => count);
  const lost = found.filter(({ isRepeated }) => isAll || !isRepeated);
  return {
    ticks: new Set(lost.map(({ number }) => number)),
    callees: new Set(lost.flatMap(({ nodes }) => nodes)),
    isSure: true,
  };
}

/** Node's sources are not read: a line of it with nearly all samples calls the program's functions, and does little else. */
function callsOfNode({ ticks, callees }: Caller): LostCalls {
  const lines = groupBy(ticks, ({ line }) => line);
  const all = sumOf(ticks, ({ count }) => count);
  const main = [...lines.values()].find((line) => sumOf(line, ({ count }) => count) >= NEARLY_ALL * all) ?? [];
  return {
    ticks: new Set(main.map(({ number }) => number)),
    callees: new Set(main.length === 0 ? [] : callees.map(({ node }) => node)),
    isSure: callees.length === 1,
  };
}

const NEARLY_ALL = 0.9;

type CallsAlone = (tick: Pick<Ticks, 'frame' | 'line'>) => (callee: number) => ReturnType<typeof onlyCalls>;

/** How the line of a tick of this function calls another, if it does nothing else; null where no source shows it. */
async function callsAlone(
  id: number,
  table: FunctionTable,
  origins: LineOrigins,
  indexes: SourceIndexes,
): Promise<CallsAlone | null> {
  const fn = table.functions[id];
  const index = fn === undefined || fn.byName || isBundleBody(fn) ? null : await indexes.of(fn.url);
  if (fn === undefined || index === null) return null;
  const body = bodyAt(fn.moduleBody ? 0 : functionAt(index, fn.line, fn.column, fn.name), fn, index);
  if (body === null) return null;
  const text = { body, lastLine: null, callLines: new Set(body.calls.map(({ line }) => line)) };
  return (tick) => {
    const [place, ...others] = sharesOf([{ ...tick, count: 1 }], fn, text, table, origins, []);
    if (place === undefined || others.length > 0 || place.doubt !== null) return () => null;
    return (called) => {
      const callee = table.functions[called];
      if (callee === undefined) return null;
      const target = { fn: callee, number: numberIn(index, fn, callee, table), isGenerator: false };
      return onlyCalls(place.line, target, body, index);
    };
  };
}

/** A node that called functions, with its own ticks. */
interface Caller {
  readonly stream: number;
  readonly node: number;
  readonly ticks: readonly (Ticks & { readonly number: number })[];
  readonly callees: readonly { readonly node: number; readonly id: number }[];
}

/** The functions that may have such samples, by id, those with the most own time first. */
function callersIn(streams: readonly SampleStream[], table: FunctionTable): ReadonlyMap<number, readonly Caller[]> {
  const all = streams.flatMap((stream, number) => (stream.tiered === null ? callersOf(stream, number, table) : []));
  const timeOf = (callers: readonly Caller[]): number =>
    sumOf(callers, ({ stream, ticks }) => sumOf(ticks, ({ count }) => count) * (streams[stream]?.interval ?? 0));
  const byFunction = groupBy(all, ({ stream, node }) => streams[stream]?.tree.functionId[node] ?? -1);
  const sorted = [...byFunction]
    .map(([id, callers]) => ({ id, callers, time: timeOf(callers) }))
    .filter(({ time }) => time >= MIN_LOST)
    .toSorted((a, b) => firstDifference(b.time - a.time, a.id - b.id));
  const urls = new Set<string>();
  return new Map(
    sorted.flatMap(({ id, callers }): readonly [number, readonly Caller[]][] => {
      const url = table.functions[id]?.url ?? '';
      if (urls.size < MAX_FILES) urls.add(url);
      return urls.has(url) ? [[id, callers]] : [];
    }),
  );
}

/** Minimum own time of a caller in µs. An error below that makes no figure an estimate. */
const MIN_LOST = milliseconds(3);
/** Maximum files read for this: each costs some milliseconds. */
const MAX_FILES = 100;

function callersOf({ tree, nodes }: SampleStream, stream: number, { functions }: FunctionTable): readonly Caller[] {
  const { parent, functionId, size } = tree;
  const samples = new Int32Array(size);
  const { length } = nodes;
  for (let sample = 0; sample < length; sample++) samples[nodes[sample] ?? 0] = (samples[nodes[sample] ?? 0] ?? 0) + 1;
  const called = new Map<number, Caller['callees'][number][]>();
  for (let node = firstFunctionNode; node < size; node++) {
    const above = parent[node] ?? 0;
    const [caller, callee] = [functions[functionId[above] ?? -1], functions[functionId[node] ?? -1]];
    if (samples[above] === 0 || caller === undefined || callee === undefined || isBuiltIn(callee)) continue;
    if (!caller.own && !callee.own && (caller.kind !== 'node' || callee.kind === 'node')) continue;
    const callees = called.get(above) ?? [];
    called.set(above, callees);
    callees.push({ node, id: callee.id });
  }
  const { start, frame, line, count } = called.size === 0 ? noTicks : tree.ticks();
  return [...called].map(([node, callees]) => {
    const first = start[node] ?? 0;
    const ticks = Array.from({ length: (start[node + 1] ?? 0) - first }, (_, at) => {
      const number = first + at;
      return { number, frame: frame[number] ?? -1, line: line1(line[number] ?? 0), count: count[number] ?? 0 };
    });
    return { stream, node, callees, ticks };
  });
}

/**
 * Gives samples without their innermost frame to the functions that were called, in the given array: of each node as
 * many as V8 counted at these calls, those nearest to other samples of a callee first. `lost`: by node.
 */
function givenBack(stream: SampleStream, lost: ReadonlyMap<number, LostCalls>): SampleStream {
  if (lost.size === 0) return stream;
  const { tree, nodes } = stream;
  const ticks = tree.ticks();
  const found = new Map<number, number>();
  for (const [node, near] of nearestCallees(stream, lost)) {
    const calls = lost.get(node)?.ticks ?? new Set();
    const [first, last] = [ticks.start[node] ?? 0, ticks.start[node + 1] ?? 0];
    const all = ticks.count.subarray(first, last).reduce((sum, count) => sum + count, 0);
    const gone = [...calls].reduce((sum, tick) => sum + (ticks.count[tick] ?? 0), 0);
    const placed = near.filter(({ callee }) => callee !== -1);
    const nearest = placed.toSorted((a, b) => firstDifference(a.distance - b.distance, a.sample - b.sample));
    for (const { sample, callee } of nearest.slice(0, Math.round((near.length * gone) / all))) {
      nodes[sample] = callee;
      found.set(callee, (found.get(callee) ?? 0) + 1);
    }
  }
  const moved = new Set([...lost.values()].flatMap((calls) => [...calls.ticks]));
  return { ...stream, tree: { ...tree, ticks: once(() => withoutTicks(ticks, moved, tree.size)) }, lost: found };
}

interface NearCallee {
  readonly sample: number;
  /** Node of the callee that was sampled nearest to it, and how many samples away: `FAR` where none is near. −1: not known. */
  readonly callee: number;
  readonly distance: number;
}

/** The samples of these nodes, each with the nearest callee; of two at one distance, the earlier. */
function nearestCallees(
  stream: SampleStream,
  lost: ReadonlyMap<number, LostCalls>,
): ReadonlyMap<number, readonly NearCallee[]> {
  const { nodes, tree, times, turns } = stream;
  const begins = new Set(Array.from(turns?.starts ?? [], (start) => times.firstFrom(start)));
  const isLost = new Uint8Array(tree.size);
  for (const node of lost.keys()) isLost[node] = 1;
  const found = new Map([...lost.keys()].map((node): [number, NearCallee[]] => [node, []]));
  const calleeFrom = calleeSearch(stream, lost, begins);
  const { length } = nodes;
  for (let first = 0; first < length; first++) {
    const node = nodes[first] ?? 0;
    if (isLost[node] === 0) continue; // Nearly all samples end here, and there may be millions.
    let end = first + 1;
    while (end < length && nodes[end] === node && !begins.has(end)) end++;
    const [before, after] = [calleeFrom(node, first, -1), calleeFrom(node, end - 1, 1)];
    for (let sample = first; sample < end; sample++) {
      const [back, ahead] = [before.distance + sample - first, after.distance + end - 1 - sample];
      const isAhead = ahead < back;
      found.get(node)?.push({ sample, callee: (isAhead ? after : before).callee, distance: isAhead ? ahead : back });
    }
    first = end - 1;
  }
  return found;
}

/**
 * Finds the nearest callee of a node before a sample (`step` −1) or after it. Only one callee may be far from it.
 * `begins`: the first samples of measured turns.
 */
function calleeSearch(
  { nodes, tree: { size, parent } }: SampleStream,
  lost: ReadonlyMap<number, LostCalls>,
  begins: ReadonlySet<number>,
): (node: number, sample: number, step: -1 | 1) => Omit<NearCallee, 'sample'> {
  const below = new Int32Array(size).fill(-1);
  for (let node = firstFunctionNode; node < size; node++) {
    const above = parent[node] ?? 0;
    below[node] = lost.get(above)?.callees.has(node) === true ? node : (below[above] ?? -1);
  }
  const calleeOf = (node: number, sample: number): number => {
    let at = below[nodes[sample] ?? 0] ?? -1;
    while (at !== -1 && parent[at] !== node) at = below[parent[at] ?? 0] ?? -1;
    return at;
  };
  return (node, from, step) => {
    const { callees, isSure } = lost.get(node) ?? { callees: new Set<number>(), isSure: true };
    for (let distance = 1; distance <= MAX_DISTANCE; distance++) {
      const sample = from + step * distance;
      const isPause = nodes[sample] === metaNodes.idle || begins.has(step === 1 ? sample : sample + 1);
      if (sample < 0 || sample >= nodes.length || (isPause && !isSure)) break;
      const callee = calleeOf(node, sample);
      if (callee !== -1) return { callee, distance };
    }
    const [only = -1] = callees.size === 1 ? callees : [];
    return { callee: only, distance: FAR };
  };
}

/** How far the search for a callee goes, in samples. */
const MAX_DISTANCE = 100;
const FAR = 2 ** 40;

function withoutTicks({ start, line, count, frame }: LineTicks, gone: ReadonlySet<number>, size: number): LineTicks {
  const left = new TickList();
  for (let node = 0; node < size; node++) {
    for (let tick = start[node] ?? 0; tick < (start[node + 1] ?? 0); tick++)
      if (!gone.has(tick)) left.add(node, frame[tick] ?? 0, line[tick] ?? 0, count[tick] ?? 0);
  }
  return left.build(size);
}
