import { microseconds, milliseconds } from '../../../protocol/units.ts';
import { metaNodes, type TreeBuilder, createTreeBuilder } from './call-tree.ts';
import { addNodes, type ProfilePart, unmergedTree } from './profile-tree.ts';
import { roomForNodes } from './sampled-nodes.ts';
import type { SampleStream } from './sample-stream.ts';
import { SampleTimes } from './sample-times.ts';
import type { TieredSamples } from './tiered-samples.ts';

/**
 * Joins the rotated parts of one isolate, in the order of their numbers. Samples of a part before the last sample of
 * the parts before it are dropped, and the last sample of a part lasts until the next part's first sample. Where a part
 * is missing, the last sample before the gap lasts until the end of its own part, and the gap counts as `(idle)`,
 * because nothing is known about it. The arrays of a single part become the stream's: copies would be half of the
 * memory of a long recording.
 */
export function joinParts(parts: readonly ProfilePart[], functionOfFrame: Int32Array): JoinedParts {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return joinedOne(only, functionOfFrame);
  const builder = createTreeBuilder(parts.reduce((most, { profile }) => Math.max(most, profile.parent.length), 0));
  return { ...samplesOf(parts, builder, functionOfFrame), tree: builder.build() };
}

type JoinedParts = Pick<SampleStream, 'tree' | 'times' | 'nodes' | 'end' | 'tiered'>;

function joinedOne(part: ProfilePart, functionOfFrame: Int32Array): JoinedParts {
  const { nodes, times, end } = part.profile;
  const { tree, numbers } = unmergedTree(part, functionOfFrame) ?? mergedTree(part, functionOfFrame);
  const tiered = joinTiers(part, numbers, functionOfFrame);
  const { length } = nodes;
  for (let sample = 0; sample < length; sample++) nodes[sample] = numbers[nodes[sample] ?? -1] ?? metaNodes.program;
  return { tree, times, nodes, end: microseconds(end), tiered };
}

function mergedTree(part: ProfilePart, functionOfFrame: Int32Array) {
  const builder = createTreeBuilder(part.profile.parent.length);
  const numbers = addNodes(builder, part, functionOfFrame);
  return { tree: builder.build(), numbers };
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
