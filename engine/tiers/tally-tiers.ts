import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { BridgedSamples } from '../operations/operation.ts';
import { metaNodes } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { type TieredTree, tierNumbers, tiers, vmStates } from '../samples/tiered-samples.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { FunctionTiers, Host } from './tiers.ts';
import type { V8Tier } from '../../protocol/v8-tiers.ts';

/** The tiers in which each function ran, and the functions into which it was inlined, by function id. */
export type TierTimes = Pick<FunctionTiers, 'times' | 'ticks' | 'hosts'>;

/** Tallies all streams with tiers. */
export function tallyTiers({
  streams,
  bridged,
}: Pick<JudgedRun, 'streams' | 'bridged'>): ReadonlyMap<number, TierTimes> {
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
  for (const [sample, node] of nodes.entries()) {
    const frame = frames[node] ?? -1;
    if (states[sample] !== vmStates.js || frame === -1 || bridged.nodes[sample] === metaNodes.idle) continue;
    const functionId = tree.functionId[frame] ?? -1;
    const tally: Tally = tallies.get(functionId) ?? { times: tiers.map(() => 0), hosts: new Map(), ticks: 0 };
    tallies.set(functionId, tally);
    const weight = bridged.weights[sample] ?? 0;
    const tier = tree.tier[frame] ?? tierNumbers.unknown;
    tally.times[tier] = (tally.times[tier] ?? 0) + weight;
    tally.ticks++;
    if (tree.inlined[frame] !== 1) continue;
    const host = tree.functionId[hostOf(frame, tree)] ?? -1;
    tally.hosts.set(host, (tally.hosts.get(host) ?? 0) + weight);
  }
}

/**
 * By node: the innermost JavaScript frame on the path to it, the node included; −1 where there is none. Native frames
 * have no tier.
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
