import { maxOf } from '../../../protocol/figures.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { type SourceIndex, functionAt, isPartOfClass } from '../../read/source-code/source-index.ts';
import type { SourceMapper } from '../../read/sourcemap/source-mapper.ts';
import type { CodeHistory, FunctionTiers, Tiers, CodePlace, Compilation, FunctionDeopt, Host } from './tiers.ts';
import { timesByTier } from './tiers.ts';
import type { FunctionTable, FunctionInfo } from '../../read/functions/function-table.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import type { Deopt, DeoptPlace, TieredTree } from '../../read/samples/tiered-samples.ts';
import { isHoistable } from './hoisting.ts';
import { tierNumbers, tiers, vmStates } from '../../read/samples/tiered-samples.ts';
import { column0, line0, microseconds, toColumn1, toLine1 } from '../../../protocol/units.ts';
import { groupBy } from '../../basics/lists.ts';
import type { BridgedSamples } from '../../cut/operations/operation.ts';
import { metaNodes, type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';

/** How V8 ran the functions of a recording of tiers; null where no stream comes from a V8 log. */
export async function tiersOf(
  found: Pick<JudgedRun, 'functions' | 'streams' | 'bridged' | 'operations' | 'thresholdUs'>,
  mapper: Pick<SourceMapper, 'functions'> | null,
  indexes: SourceIndexes,
): Promise<Tiers | null> {
  const { streams, functions, thresholdUs } = found;
  if (streams.every(({ tiered }) => tiered === null)) return null;
  const times = tallyTiers(found);
  const histories = await codeHistories(streams, functions, mapper);
  const hot = functions.functions.flatMap((fn): readonly Candidate[] => {
    const tally = times.get(fn.id);
    const isHot = tally !== undefined && fn.own && !fn.moduleBody && timeOf(tally.times) > thresholdUs;
    return isHot ? [{ fn, isOptimized: tally.times.maglev + tally.times.turbofan > timeOf(tally.times) / 2 }] : [];
  });
  const makers = await findMakers(hot, found, indexes);
  return {
    secondRun: null,
    seen: new Set(),
    functions: new Map(
      [...times].map(([id, tally]): readonly [number, FunctionTiers] => [
        id,
        { ...tally, code: histories.get(id) ?? noHistory, madeIn: makers.get(id) ?? null },
      ]),
    ),
  };
}

const noHistory: CodeHistory = { compilations: [], deopts: [] };

/** Sum of the time in JavaScript, in µs. */
function timeOf(times: FunctionTiers['times']): number {
  return Object.values(times).reduce((sum, time) => sum + time, 0);
}

/** Compiled and discarded code, by function id. `mapper` is null without source maps. */
async function codeHistories(
  streams: readonly SampleStream[],
  { frames }: FunctionTable,
  mapper: Pick<SourceMapper, 'functions'> | null,
): Promise<ReadonlyMap<number, CodeHistory>> {
  const histories = new Map<number, { compilations: Compilation[]; deopts: FunctionDeopt[] }>();
  const historyOf = (frame: number) => {
    const id = frames[frame]?.functionId ?? -1;
    const history = histories.get(id) ?? { compilations: [], deopts: [] };
    histories.set(id, history);
    return history;
  };
  const byTime = (a: { readonly time: number }, b: { readonly time: number }): number => a.time - b.time;
  const events = streams.flatMap(({ tiered }) => tiered?.code ?? []);
  for (const { frame, time, tier, osr } of events.flatMap(({ compiled }) => compiled).toSorted(byTime))
    historyOf(frame).compilations.push({ time: microseconds(time), tier, osr });
  // After these, V8 enters the same code again (`IsDeoptimizationWithoutCodeInvalidation`).
  const kept = new Set(['prepare for on stack replacement (OSR)', "exit from OSR'd inner loop"]);
  const deopts = events.flatMap((code) => code.deopts).filter(({ reason }) => !kept.has(reason));
  const placeOf = await placesOf(deopts, mapper);
  for (const deopt of deopts.toSorted(byTime)) {
    const { frame, time, tier, kind, reason } = deopt;
    historyOf(frame).deopts.push({ time: microseconds(time), tier, kind, reason, place: placeOf(deopt) });
  }
  return histories;
}

/** Asks for all places of one script at once. */
async function placesOf(
  deopts: readonly Deopt[],
  mapper: Pick<SourceMapper, 'functions'> | null,
): Promise<(deopt: Deopt) => CodePlace> {
  const found = new Map<DeoptPlace, CodePlace>();
  const all = deopts.flatMap(({ place }) => place ?? []);
  for (const [url, places] of groupBy(all, (place) => place.url)) {
    const isMapped = mapper !== null && url !== '' && !url.startsWith('node:');
    const starts = places.map(({ line, column }) => ({ line: line0(line - 1), column: column0(column - 1), name: '' }));
    const origins = isMapped ? await mapper.functions(url, starts) : [];
    for (const [index, place] of places.entries()) {
      const origin = origins[index];
      const start = starts[index];
      const at = origin?.type === 'original' ? origin : start === undefined ? null : { ...start, url };
      if (at !== null) found.set(place, { url: at.url, line: toLine1(at.line), column: toColumn1(at.column) });
    }
  }
  return ({ place }) => (place === null ? nowhere : (found.get(place) ?? nowhere));
}

const nowhere: CodePlace = { url: '', line: toLine1(line0(-1)), column: toColumn1(column0(-1)) };

/** The tiers in which each function ran, and the functions into which it was inlined, by function id. */
type TierTimes = Pick<FunctionTiers, 'times' | 'ticks' | 'hosts'>;

function tallyTiers({ streams, bridged }: Pick<JudgedRun, 'streams' | 'bridged'>): ReadonlyMap<number, TierTimes> {
  const tallies = new Map<number, Tally>();
  for (const [index, stream] of streams.entries()) addStream(stream, bridged[index], tallies);
  return new Map(
    [...tallies].map(([id, { times, hosts, ticks }]) => [
      id,
      {
        times: timesByTier((tier) => microseconds(times[tierNumbers[tier]] ?? 0)),
        ticks,
        hosts: [...hosts]
          .map(([functionId, time]): Host => ({ functionId, time: microseconds(time) }))
          .toSorted((a, b) => b.time - a.time),
      },
    ]),
  );
}

interface Tally {
  /** Times by index of `tiers`. */
  readonly times: number[];
  readonly hosts: Map<number, number>;
  ticks: number;
}

/** Adds a stream, without the ticks that count as idle because the recorder held the loop. */
function addStream({ tiered }: SampleStream, bridged: BridgedSamples | undefined, tallies: Map<number, Tally>): void {
  if (tiered === null || bridged === undefined) return;
  const { tree, nodes, states } = tiered;
  const frames = scriptFrames(tree);
  for (let sample = 0; sample < nodes.length; sample++) {
    const frame = frames[nodes[sample] ?? -1] ?? -1;
    if (states[sample] !== vmStates.js || frame === -1 || bridged.nodes[sample] === metaNodes.idle) continue;
    const functionId = tree.functionId[frame] ?? -1;
    const tally: Tally = tallies.get(functionId) ?? { times: tiers.map(() => 0), hosts: new Map(), ticks: 0 };
    tallies.set(functionId, tally);
    const weight = bridged.weights.at(sample);
    const tier = tree.tier[frame] ?? tierNumbers.unknown;
    tally.times[tier] = (tally.times[tier] ?? 0) + weight;
    tally.ticks++;
    if (tree.inlined[frame] !== 1) continue;
    const host = tree.functionId[hostOf(frame, tree)] ?? -1;
    tally.hosts.set(host, (tally.hosts.get(host) ?? 0) + weight);
  }
}

/** The innermost JavaScript frame on the path to each node; −1 for none. Native frames have no tier. */
function scriptFrames({ size, parent, tier }: TieredTree): Int32Array {
  const frames = new Int32Array(size).fill(-1);
  for (let node = 0; node < size; node++) {
    frames[node] = tier[node] === tierNumbers.unknown ? (frames[parent[node] ?? -1] ?? -1) : node;
  }
  return frames;
}

function hostOf(inlined: number, tree: TieredTree): number {
  let node = inlined;
  while (tree.inlined[node] === 1) node = tree.parent[node] ?? -1;
  return node;
}

type Found = Pick<JudgedRun, 'functions' | 'streams' | 'bridged' | 'operations'>;

interface Candidate {
  readonly fn: FunctionInfo;
  /** True where more than half of its time in JavaScript was optimized. */
  readonly isOptimized: boolean;
}

/**
 * Functions created again by each call of the function around them, with its label. V8 optimizes all closures of a
 * literal as one and logs no count, so two things are needed: the source shows that each call creates it, and samples
 * show several calls (operations in which it runs below the outer function, called and not resumed). If V8's last code
 * was for a single closure, there was one call. Left out are what cannot be hoisted, and an optimized callback written
 * where it is passed.
 */
async function findMakers(
  candidates: readonly Candidate[],
  found: Found,
  indexes: SourceIndexes,
): Promise<ReadonlyMap<number, string>> {
  const makers = new Map<number, string>();
  const single = singleClosures(found);
  for (const { fn, isOptimized } of candidates) {
    const index = single.has(fn.id) ? null : await indexes.of(fn.url);
    const text = index === null ? null : await indexes.textOf(fn.url);
    const maker = index === null || text === null ? null : makerOf(fn, isOptimized, index, text);
    if (index === null || maker === null) continue;
    const around = found.functions.functions
      .filter(({ url }) => url === fn.url)
      .filter((one) => numberOf(one, index) === maker);
    const ids = new Set(around.map(({ id }) => id));
    if (around[0] !== undefined && callsSeen(fn.id, ids, found) > 1) makers.set(fn.id, around[0].label);
  }
  return makers;
}

/** Functions whose last code was made for a single closure. */
function singleClosures({ streams, functions }: Found): ReadonlySet<number> {
  const last = new Map<number, boolean>();
  for (const { tiered } of streams) {
    for (const { frame, tier, osr, forOneClosure } of tiered?.code.compiled ?? []) {
      const isFree = tier === 'sparkplug' || osr;
      if (!isFree || forOneClosure) last.set(functions.frames[frame]?.functionId ?? -1, forOneClosure);
    }
  }
  return new Set([...last].filter(([, isOne]) => isOne).map(([functionId]) => functionId));
}

/** Index of the function that creates this one, or its class, in each call and need not; null if there is none. */
function makerOf(fn: FunctionInfo, isOptimized: boolean, index: SourceIndex, text: string): number | null {
  const { functions } = index;
  const number = numberOf(fn, index);
  const around = functions[number]?.parent ?? -1;
  const part = functions[around];
  const holder = part !== undefined && isPartOfClass(part) ? part.parent : around;
  const at = functions[holder]?.kind === 'class' ? holder : number;
  const literal = functions[at];
  const maker = functions[literal?.parent ?? -1];
  if (literal?.isMadeByEachCall !== true || maker?.kind !== 'function') return null;
  const isCallback = maker.calls.some(({ inline }) => inline.includes(at));
  return (isCallback && isOptimized) || !isHoistable(text, fn.url, literal, maker) ? null : literal.parent;
}

function numberOf({ line, column, name }: FunctionInfo, index: SourceIndex): number {
  return functionAt(index, line, column, name);
}

/** Maximum number of operations of one isolate in which it ran below a called maker. */
function callsSeen(functionId: number, makers: ReadonlySet<number>, found: Found): number {
  const counts = found.streams.map(() => 0);
  const nodes = found.streams.map(({ tree }) => nodesBelow(functionId, makers, tree, found));
  for (const { stream, firstSample, lastSample } of found.operations) {
    const sampled = found.bridged[stream]?.nodes.subarray(firstSample, lastSample);
    if (sampled?.some((node) => nodes[stream]?.[node] === state.below) === true)
      counts[stream] = (counts[stream] ?? 0) + 1;
  }
  return Math.max(0, maxOf(counts));
}

const state = { outside: 0, called: 1, below: 2 } as const;

function nodesBelow(
  functionId: number,
  makers: ReadonlySet<number>,
  { size, parent, functionId: ids }: CallTree,
  { functions: { functions } }: Found,
): Uint8Array {
  const states = new Uint8Array(size);
  for (let node = firstFunctionNode; node < size; node++) {
    const above = parent[node] ?? 0;
    const before = states[above] ?? state.outside;
    const id = ids[node] ?? -1;
    if (before === state.outside && makers.has(id) && isCaller(functions[ids[above] ?? -1]))
      states[node] = state.called;
    else states[node] = before === state.called && id === functionId ? state.below : before;
  }
  return states;
}

/** Whether a function called the one below it. After an `await`, that is not a function, or Node's queue of ticks. */
function isCaller(fn: FunctionInfo | undefined): boolean {
  return fn !== undefined && fn.url !== 'node:internal/process/task_queues';
}
