import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import type { SourceMapper } from '../../read/sourcemap/source-mapper.ts';
import { type Candidate, madeAnew } from './made-anew.ts';
import type { CodeHistory, FunctionTiers, Tiers, CodePlace, Compilation, FunctionDeopt, Host } from './tiers.ts';
import type { FunctionTable } from '../../read/functions/function-table.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import {
  type Deopt,
  type DeoptPlace,
  type TieredTree,
  tierNumbers,
  tiers,
  vmStates,
} from '../../read/samples/tiered-samples.ts';
import { column0, line0, microseconds, toColumn1, toLine1, type Microseconds } from '../../../protocol/units.ts';
import { groupBy } from '../../basics/lists.ts';
import type { BridgedSamples } from '../../cut/operations/operation.ts';
import { metaNodes } from '../../read/samples/call-tree.ts';
import type { V8Tier } from '../../../protocol/v8-tiers.ts';

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
  const makers = await madeAnew(hot, found, indexes);
  return {
    secondRun: null,
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

/**
 * The code of each function that was compiled and thrown away, by function id. `mapper` is null without source maps.
 */
async function codeHistories(
  streams: readonly SampleStream[],
  { frames }: FunctionTable,
  mapper: Pick<SourceMapper, 'functions'> | null,
): Promise<ReadonlyMap<number, CodeHistory>> {
  const functionOf = ({ frame }: { readonly frame: number }): number => frames[frame]?.functionId ?? -1;
  const events = streams.flatMap(({ tiered }) => tiered?.code ?? []);
  const deopts = events.flatMap((code) => code.deopts).filter(endsCode);
  const compiled = groupBy(
    events.flatMap((code) => code.compiled),
    functionOf,
  );
  const ended = groupBy(deopts, functionOf);
  const placeOf = await placesOf(deopts, mapper);
  const ids = new Set([...compiled.keys(), ...ended.keys()]);
  return new Map(
    [...ids].map((functionId): readonly [number, CodeHistory] => [
      functionId,
      {
        compilations: (compiled.get(functionId) ?? [])
          .map(({ time, tier, osr }): Compilation => ({ time: microseconds(time), tier, osr }))
          .toSorted((a, b) => a.time - b.time),
        deopts: (ended.get(functionId) ?? [])
          .map((deopt): FunctionDeopt => {
            const { time, tier, kind, reason } = deopt;
            return { time: microseconds(time), tier, kind, reason, place: placeOf(deopt) };
          })
          .toSorted((a, b) => a.time - b.time),
      },
    ]),
  );
}

/**
 * Whether a deopt ends code. After some, V8 enters the same code again. Source: V8's
 * `IsDeoptimizationWithoutCodeInvalidation`.
 */
function endsCode({ reason }: Deopt): boolean {
  return reason !== 'prepare for on stack replacement (OSR)' && reason !== "exit from OSR'd inner loop";
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

/** Tallies all streams with tiers. */
function tallyTiers({ streams, bridged }: Pick<JudgedRun, 'streams' | 'bridged'>): ReadonlyMap<number, TierTimes> {
  const tallies = new Map<number, Tally>();
  for (const [index, stream] of streams.entries()) addStream(stream, bridged[index], tallies);
  return new Map([...tallies].map(([functionId, tally]) => [functionId, timesOf(tally)]));
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

/**
 * The innermost JavaScript frame on the path to a node, the node included, by node; −1 where there is none. Native
 * frames have no tier.
 */
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

function timesOf({ times, hosts, ticks }: Tally): TierTimes {
  const byTime = [...hosts].map(([functionId, time]): Host => ({ functionId, time: microseconds(time) }));
  return {
    times: timesByTier((tier) => microseconds(times[tierNumbers[tier]] ?? 0)),
    ticks,
    hosts: byTime.toSorted((a, b) => b.time - a.time),
  };
}

function timesByTier(timeOf: (tier: V8Tier) => Microseconds): FunctionTiers['times'] {
  return {
    unknown: timeOf('unknown'),
    ignition: timeOf('ignition'),
    sparkplug: timeOf('sparkplug'),
    maglev: timeOf('maglev'),
    turbofan: timeOf('turbofan'),
  };
}
