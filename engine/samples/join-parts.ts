import { microseconds, milliseconds } from '../../protocol/units.ts';
import type { CpuProfile, ProfileFrame } from './cpu-profile.ts';
import { metaNodes, type TreeBuilder, createTreeBuilder } from './call-tree.ts';
import { roomForNodes } from './sampled-nodes.ts';
import type { SampleStream } from './sample-stream.ts';
import { SampleTimes } from './sample-times.ts';
import type { TieredSamples } from './tiered-samples.ts';

/** One part of an isolate's profile, with the numbers of its frames in the function table. */
export interface ProfilePart {
  readonly profile: CpuProfile;
  /** Index into `FunctionTable.frames`, by frame of the profile; −1 for meta frames. */
  readonly frames: Int32Array;
}

/**
 * Joins the rotated parts of one isolate, in the order of their numbers. Samples of a part before the last sample of
 * the parts before it are dropped, and the last sample of a part lasts until the next part's first sample. Where a part
 * is missing, the last sample before the gap lasts until the end of its own part, and the gap counts as `(idle)`,
 * because nothing is known about it. The arrays of a single part become the stream's: copies would be half of the
 * memory of a long recording.
 */
export function joinParts(parts: readonly ProfilePart[], functionOfFrame: Int32Array): JoinedParts {
  const builder = createTreeBuilder(parts.reduce((most, { profile }) => Math.max(most, profile.parent.length), 0));
  const [only, ...others] = parts;
  const isOne = only !== undefined && others.length === 0;
  const samples = isOne ? samplesOfOne(only, builder, functionOfFrame) : samplesOf(parts, builder, functionOfFrame);
  return { tree: builder.build(), ...samples };
}

type JoinedParts = Pick<SampleStream, 'tree' | 'times' | 'nodes' | 'end' | 'tiered'>;

function samplesOfOne(part: ProfilePart, builder: TreeBuilder, functionOfFrame: Int32Array): Omit<JoinedParts, 'tree'> {
  const { nodes, times, end } = part.profile;
  const numbers = addNodes(builder, part, functionOfFrame);
  const tiered = joinTiers(part, numbers, functionOfFrame);
  const { length } = nodes;
  for (let sample = 0; sample < length; sample++) nodes[sample] = numbers[nodes[sample] ?? -1] ?? metaNodes.program;
  return { times, nodes, end: microseconds(end), tiered };
}

function samplesOf(
  parts: readonly ProfilePart[],
  builder: TreeBuilder,
  functionOfFrame: Int32Array,
): Omit<JoinedParts, 'tree'> {
  const size = parts.reduce((sum, part) => sum + part.profile.times.length, parts.length - 1);
  const start = parts[0]?.profile.times.at(0) ?? 0;
  const offsets = roomForOffsets(size, parts, start);
  const nodes = roomForNodes(
    size,
    parts.reduce((sum, { profile }) => sum + profile.parent.length, 0),
  );
  let end = 0;
  let next = 0;
  for (const part of parts) {
    const { profile } = part;
    const { times } = profile;
    const numbers = addNodes(builder, part, functionOfFrame);
    const before = start + (offsets[next - 1] ?? -Infinity);
    if (next > 0 && (times.at(0) ?? 0) - end > longestPause) {
      offsets[next] = end - start;
      nodes[next++] = metaNodes.idle;
    }
    for (let sample = times.firstFrom(before); sample < times.length; sample++) {
      offsets[next] = (times.at(sample) ?? end) - start;
      nodes[next++] = numbers[profile.nodes[sample] ?? -1] ?? metaNodes.program;
    }
    end = Math.max(end, profile.end);
  }
  const times = new SampleTimes(offsets.subarray(0, next), start);
  return { times, nodes: nodes.subarray(0, next), end: microseconds(end), tiered: null };
}

/** Room for times from `start` on, in 4 bytes each where that is enough up to the end of all parts. */
function roomForOffsets(size: number, parts: readonly ProfilePart[], start: number): Uint32Array | Float64Array {
  const isShort = parts.every(({ profile }) => profile.end - start < 2 ** 32);
  return isShort ? new Uint32Array(size) : new Float64Array(size);
}

/** Longest gap in µs between two parts. Parts overlap; with a longer gap, a part was lost. */
const longestPause = milliseconds(1000);

/** The meta node that a call frame stands for; undefined for functions. */
export function metaNodeOf(frame: ProfileFrame): number | undefined {
  return frame.url === '' ? metaNodeByName.get(frame.functionName) : undefined;
}

const metaNodeByName: ReadonlyMap<string, number> = new Map([
  ['(root)', metaNodes.root],
  ['(program)', metaNodes.program],
  ['(idle)', metaNodes.idle],
  ['(garbage collector)', metaNodes.gc],
]);

/** Node of the stream's tree, by node of the profile. Functions below a meta frame are placed where that frame is. */
function addNodes(builder: TreeBuilder, { profile, frames }: ProfilePart, functionOfFrame: Int32Array): Int32Array {
  const { parent, frame, ticks } = profile;
  const meta = profile.frames.map((given) => metaNodeOf(given) ?? -1);
  const numbers = new Int32Array(parent.length);
  /** The same for nodes as parents, where only the root of the meta nodes has children. */
  const places = new Int32Array(parent.length);
  for (let node = 0; node < parent.length; node++) {
    const local = frame[node] ?? 0;
    const global = frames[local] ?? -1;
    const above = places[parent[node] ?? -1] ?? metaNodes.root;
    const metaNode = meta[local] ?? -1;
    const number = metaNode === -1 ? builder.child(above, functionOfFrame[global] ?? 0) : metaNode;
    numbers[node] = number;
    places[node] = metaNode === -1 ? number : above;
    if (metaNode !== -1) continue;
    for (let tick = ticks.start[node] ?? 0; tick < (ticks.start[node + 1] ?? 0); tick++) {
      builder.addTicks(number, global, ticks.line[tick] ?? 0, ticks.count[tick] ?? 0);
    }
  }
  return numbers;
}

/**
 * What the log of an isolate tells beyond its stream; null for a profile. `numbers` has the node of the stream's tree
 * by node of the log's. An isolate has one log, because V8 does not rotate it.
 */
function joinTiers(
  { profile, frames }: ProfilePart,
  numbers: Int32Array,
  functionOfFrame: Int32Array,
): TieredSamples | null {
  if (profile.tiered === undefined) return null;
  const { states, code, ...nodeTiers } = profile.tiered;
  const frame = profile.frame.map((local) => frames[local] ?? -1);
  const global = <Event extends { readonly frame: number }>(event: Event): Event => ({
    ...event,
    frame: frames[event.frame] ?? -1,
  });
  return {
    tree: {
      size: profile.parent.length,
      parent: profile.parent,
      callNode: numbers,
      functionId: frame.map((number) => functionOfFrame[number] ?? -1),
      frame,
      ...nodeTiers,
    },
    nodes: Int32Array.from(profile.nodes), // The stream writes its own nodes into the given array.
    states,
    code: { compiled: code.compiled.map(global), deopts: code.deopts.map(global) },
  };
}
