import type { CpuProfile, DecodedProfile, ProfileTicks } from '../../samples/cpu-profile.ts';
import type { NodeList } from './node-list.ts';
import type { NumberList } from '../../basics/number-list.ts';
import { type ParentsFirst, parentsFirst } from './parents-first.ts';
import { type GivenTimes, timedSamples } from './sample-times.ts';

/** Makes a profile of what stood in a file. `isFollowed`: with something else behind it. */
export function assembleProfile(
  nodes: NodeList,
  samples: NumberList,
  given: GivenTimes,
  isFollowed: boolean,
): DecodedProfile {
  if (samples.size === 0) return { type: 'damaged', damage: 'noSamples' };
  const positions = nodes.isDamaged ? null : positionsById(nodes.ids.values());
  if (positions === null) return { type: 'damaged', damage: 'badNodes' };
  const order = parentsFirst(parentsOf(nodes, positions));
  if (order === null) return { type: 'damaged', damage: 'cycle' };
  const timed = timedSamples(samples, given);
  if (timed.times.length === 0) return { type: 'damaged', damage: 'noSamples' };
  if (timed.implausible >= timed.times.length) return { type: 'damaged', damage: 'noTimes' };
  const { sampled, unknown } = nodesOf(timed.ids, positions, order.renumbered);
  if (unknown === sampled.length) return { type: 'damaged', damage: 'noStacks' };
  return {
    type: 'profile',
    profile: {
      parent: order.parent,
      ...framesOf(nodes, order.old),
      ticks: ticksOf(nodes, order),
      nodes: sampled,
      times: timed.times,
      end: timed.end,
      defects: {
        unknownNodes: unknown,
        unpaired: timed.unpaired,
        implausible: timed.implausible,
        endsEarly: timed.endsEarly,
        isFollowed,
      },
    },
  };
}

/** Position in the file by id; −1 of an id that no node has. */
type Positions = (id: number) => number;

/** Null where an id stands twice. */
function positionsById(ids: Int32Array | Float64Array): Positions | null {
  const most = mostOf(ids);
  return most < ids.length * 4 + 1024 ? densePositions(ids, most + 1) : sparsePositions(ids);
}

/** The largest id; `Infinity` where one is no index. A function called for each one would cost more than all the rest. */
function mostOf(ids: Int32Array | Float64Array): number {
  let most = -1;
  for (const id of ids) {
    if (!(id >= 0) || !Number.isInteger(id)) return Infinity;
    if (id > most) most = id;
  }
  return most;
}

/** Of V8's own ids, which leave hardly one out: a list by id is not long. */
function densePositions(ids: Int32Array | Float64Array, size: number): Positions | null {
  const positions = new Int32Array(size).fill(-1);
  for (let position = 0; position < ids.length; position++) {
    const id = ids[position] ?? 0;
    if (positions[id] !== -1) return null;
    positions[id] = position;
  }
  return (id) => positions[id] ?? -1;
}

function sparsePositions(ids: Int32Array | Float64Array): Positions | null {
  const positions = new Map<number, number>();
  for (let position = 0; position < ids.length; position++) positions.set(ids[position] ?? 0, position);
  return positions.size === ids.length ? (id) => positions.get(id) ?? -1 : null;
}

/** Parent per node by `children`, else by `parent`; −1 where neither names one that is there. */
function parentsOf(nodes: NodeList, positions: Positions): Int32Array {
  const parent = new Int32Array(nodes.ids.size).fill(-1);
  const named = nodes.named.toInt32();
  const namedParents = nodes.namedParents.values();
  for (let index = 0; index < named.length; index++) parent[named[index] ?? 0] = positions(namedParents[index] ?? 0);
  const children = nodes.children.values();
  const ends = nodes.childrenEnd.toInt32();
  let next = 0;
  for (let position = 0; position < parent.length; position++) {
    const end = ends[position] ?? 0;
    for (; next < end; next++) {
      const child = positions(children[next] ?? 0);
      if (child !== -1) parent[child] = position;
    }
  }
  return parent;
}

/** Frames in the order in which the nodes first have them. */
function framesOf(nodes: NodeList, old: Int32Array): Pick<CpuProfile, 'frames' | 'frame'> {
  const given = nodes.callFrames.frames;
  const numbers = new Int32Array(given.length).fill(-1);
  const first: number[] = [];
  const numberAt = nodes.frame.toInt32();
  const frame = new Int32Array(old.length);
  for (let node = 0; node < old.length; node++) {
    const number = numberAt[old[node] ?? 0] ?? 0;
    if (numbers[number] === -1) numbers[number] = first.push(number) - 1;
    frame[node] = numbers[number] ?? -1;
  }
  return { frames: first.flatMap((number) => given[number] ?? []), frame };
}

function ticksOf(nodes: NodeList, { old }: ParentsFirst): ProfileTicks {
  const [lines, counts, ends] = [nodes.tickLines.toInt32(), nodes.tickCounts.toInt32(), nodes.ticksEnd.toInt32()];
  const { length } = lines;
  const ticks = { start: new Int32Array(old.length + 1), line: new Int32Array(length), count: new Int32Array(length) };
  let next = 0;
  for (let node = 0; node < old.length; node++) {
    const position = old[node] ?? 0;
    const end = ends[position] ?? 0;
    for (let tick = ends[position - 1] ?? 0; tick < end; tick++) {
      ticks.line[next] = Math.max(0, lines[tick] ?? 0);
      ticks.count[next++] = counts[tick] ?? 0;
    }
    ticks.start[node + 1] = next;
  }
  return ticks;
}

/** Node per sample, in the memory of their ids where it has room for no more. */
function nodesOf(
  ids: Int32Array | Float64Array,
  positions: Positions,
  renumbered: Int32Array,
): { sampled: Int32Array; unknown: number } {
  const sampled = ids instanceof Int32Array ? ids : new Int32Array(ids.length);
  let unknown = 0;
  for (let sample = 0; sample < ids.length; sample++) {
    const node = renumbered[positions(ids[sample] ?? 0)] ?? -1;
    if (node === -1) unknown++;
    sampled[sample] = node;
  }
  return { sampled, unknown };
}
