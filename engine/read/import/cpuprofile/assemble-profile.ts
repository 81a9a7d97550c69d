import type { CpuProfile, DecodedProfile, ProfileTicks } from '../../samples/cpu-profile.ts';
import type { NodeList } from './node-list.ts';
import type { NumberList, NumberMemory } from '../../../basics/number-list.ts';
import { type SampledNodes, areFew, withRoomFor } from '../../samples/sampled-nodes.ts';
import { type GivenTimes, timedSamples } from './sample-times.ts';

/** Makes a profile from what was read in a file. `isFollowed`: something else follows it in the file. */
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

/** Positions of nodes in the file, by their ids. */
interface Positions {
  /** Position by id where V8 gave the ids, which leaves hardly a number out; −1 for an id that no node has. */
  readonly table?: Int32Array;
  /** The position of an id; −1 for one that no node has. */
  readonly positionOf: (id: number) => number;
}

/** Positions of ids; null where two nodes have the same id. */
function positionsById(ids: NumberMemory): Positions | null {
  const most = mostOf(ids);
  return most < ids.length * 4 + 1024 ? densePositions(ids, most + 1) : sparsePositions(ids);
}

/**
 * The largest id; `Infinity` where an id cannot be an index. It is a plain loop, because a function call for each id
 * would take longer than all the rest.
 */
function mostOf(ids: NumberMemory): number {
  let most = -1;
  for (const id of ids) {
    if (!(id >= 0) || !Number.isInteger(id)) return Infinity;
    if (id > most) most = id;
  }
  return most;
}

function densePositions(ids: NumberMemory, size: number): Positions | null {
  const table = new Int32Array(size).fill(-1);
  for (let position = 0; position < ids.length; position++) {
    const id = ids[position] ?? 0;
    if (table[id] !== -1) return null;
    table[id] = position;
  }
  return { table, positionOf: (id) => table[id] ?? -1 };
}

function sparsePositions(ids: NumberMemory): Positions | null {
  const positions = new Map<number, number>();
  for (let position = 0; position < ids.length; position++) positions.set(ids[position] ?? 0, position);
  return positions.size === ids.length ? { positionOf: (id) => positions.get(id) ?? -1 } : null;
}

/** Parent by node, from `children`, else from `parent`; −1 where neither names an existing node. */
function parentsOf(nodes: NodeList, { positionOf }: Positions): Int32Array {
  const parent = new Int32Array(nodes.ids.size).fill(-1);
  const named = nodes.named.toInt32();
  const namedParents = nodes.namedParents.values();
  for (let index = 0; index < named.length; index++) parent[named[index] ?? 0] = positionOf(namedParents[index] ?? 0);
  const children = nodes.children.values();
  const ends = nodes.childrenEnd.toInt32();
  let next = 0;
  for (let position = 0; position < parent.length; position++) {
    const end = ends[position] ?? 0;
    for (; next < end; next++) {
      const child = positionOf(children[next] ?? 0);
      if (child !== -1) parent[child] = position;
    }
  }
  return parent;
}

/** Frames in the order in which nodes have them first. */
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

/** Node by sample, in the memory of the ids where that is the right size. */
function nodesOf(
  ids: NumberMemory,
  { table, positionOf }: Positions,
  renumbered: Int32Array,
): { sampled: SampledNodes; unknown: number } {
  const isWide = ids instanceof Float64Array || (ids instanceof Uint16Array && !areFew(renumbered.length));
  let sampled: SampledNodes = isWide ? new Int32Array(ids.length) : ids;
  const byId = table?.map((position) => renumbered[position] ?? -1);
  const { length } = ids;
  let unknown = 0;
  for (let sample = 0; sample < length; sample++) {
    const id = ids[sample] ?? 0;
    const node = (byId === undefined ? renumbered[positionOf(id)] : byId[id]) ?? -1;
    if (node === -1) {
      unknown++;
      sampled = withRoomFor(2 ** 16, sampled); // A node that does not exist is −1, which needs 4 bytes.
    }
    sampled[sample] = node;
  }
  return { sampled, unknown };
}

interface ParentsFirst {
  /** Old number, by new number. */
  readonly old: Int32Array;
  /** New number, by old number. */
  readonly renumbered: Int32Array;
  /** New number of the parent, by new number; −1 for a root. */
  readonly parent: Int32Array;
}

/** Renumbers nodes so that parents come before their children; null where nodes are their own ancestors. */
export function parentsFirst(parent: Int32Array): ParentsFirst | null {
  if (isParentsFirst(parent)) return unchanged(parent);
  const children = childrenOf(parent);
  const old = new Int32Array(parent.length);
  let size = 0;
  for (const [node, above] of parent.entries()) if (above === -1) old[size++] = node;
  for (let next = 0; next < size; next++) {
    for (let child = children.first[old[next] ?? 0] ?? -1; child !== -1; child = children.sibling[child] ?? -1) {
      old[size++] = child;
    }
  }
  if (size < parent.length) return null;
  const renumbered = new Int32Array(size);
  for (const [number, node] of old.entries()) renumbered[node] = number;
  return { old, renumbered, parent: old.map((node) => above(parent[node] ?? -1, renumbered)) };
}

/** Whether parents come before their children already, as V8 writes them. */
function isParentsFirst(parent: Int32Array): boolean {
  for (let node = 0; node < parent.length; node++) if ((parent[node] ?? 0) >= node) return false;
  return true;
}

function unchanged(parent: Int32Array): ParentsFirst {
  const numbers = new Int32Array(parent.length);
  for (let node = 0; node < numbers.length; node++) numbers[node] = node;
  return { old: numbers, renumbered: numbers, parent };
}

function above(node: number, renumbered: Int32Array): number {
  return node === -1 ? -1 : (renumbered[node] ?? -1);
}

/**
 * Linked lists of children in the order of their numbers: the first child of each node, and the next sibling of each
 * child; −1 is the end.
 */
function childrenOf(parent: Int32Array): { first: Int32Array; sibling: Int32Array } {
  const first = new Int32Array(parent.length).fill(-1);
  const sibling = new Int32Array(parent.length).fill(-1);
  for (let node = parent.length - 1; node >= 0; node--) {
    const above = parent[node] ?? -1;
    if (above === -1) continue;
    sibling[node] = first[above] ?? -1;
    first[above] = node;
  }
  return { first, sibling };
}
