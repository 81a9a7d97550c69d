import type { CpuProfile, DecodedProfile, ProfileTicks } from './cpu-profile.ts';
import type { NodeList } from './node-list.ts';
import type { NumberList } from './number-list.ts';
import { type ParentsFirst, parentsFirst } from './parents-first.ts';
import { type GivenTimes, sampleTimes } from './sample-times.ts';

/** Makes a profile of what stood in a file. */
export function assembleProfile(nodes: NodeList, samples: NumberList, given: GivenTimes): DecodedProfile {
  if (samples.size === 0) return { type: 'damaged', damage: 'noSamples' };
  const positions = nodes.isDamaged ? null : positionsById(nodes.ids);
  if (positions === null) return { type: 'damaged', damage: 'badNodes' };
  const order = parentsFirst(parentsOf(nodes, positions));
  if (order === null) return { type: 'damaged', damage: 'cycle' };
  const timed = sampleTimes(samples.size, given);
  if (timed.times.length === 0) return { type: 'damaged', damage: 'noSamples' };
  const { sampled, unknown } = nodesOf(samples, timed.order, positions, order.renumbered);
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
      },
    },
  };
}

/** Position in the file by id; −1 of an id that no node has. */
type Positions = (id: number) => number;

/** Null where an id stands twice. */
function positionsById(ids: NumberList): Positions | null {
  return densePositions(ids) ?? sparsePositions(ids);
}

/** Of V8's own ids, which leave hardly one out; null where the list would have to be long, or an id stands twice. */
function densePositions(ids: NumberList): Positions | null {
  const positions = new Int32Array(ids.size * 4 + 1024).fill(-1);
  for (let position = 0; position < ids.size; position++) {
    const id = ids.at(position);
    if (positions[id] !== -1) return null;
    positions[id] = position;
  }
  return (id) => positions[id] ?? -1;
}

function sparsePositions(ids: NumberList): Positions | null {
  const positions = new Map<number, number>();
  for (let position = 0; position < ids.size; position++) positions.set(ids.at(position), position);
  return positions.size === ids.size ? (id) => positions.get(id) ?? -1 : null;
}

/** Parent per node by `children`, else by `parent`; −1 where neither names one that is there. */
function parentsOf(nodes: NodeList, positions: Positions): Int32Array {
  const parent = new Int32Array(nodes.ids.size).fill(-1);
  for (let index = 0; index < nodes.named.size; index++) {
    parent[nodes.named.at(index)] = positions(nodes.namedParents.at(index));
  }
  let next = 0;
  for (let position = 0; position < parent.length; position++) {
    for (; next < nodes.childrenEnd.at(position); next++) {
      const child = positions(nodes.children.at(next));
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
  const frame = old.map((position) => {
    const number = nodes.frame.at(position);
    if (numbers[number] === -1) numbers[number] = first.push(number) - 1;
    return numbers[number] ?? -1;
  });
  return { frames: first.flatMap((number) => given[number] ?? []), frame };
}

function ticksOf(nodes: NodeList, { old }: ParentsFirst): ProfileTicks {
  const size = nodes.tickLines.size;
  const ticks = { start: new Int32Array(old.length + 1), line: new Int32Array(size), count: new Int32Array(size) };
  let next = 0;
  for (let node = 0; node < old.length; node++) {
    const position = old[node] ?? 0;
    const end = nodes.ticksEnd.at(position);
    for (let tick = position === 0 ? 0 : nodes.ticksEnd.at(position - 1); tick < end; tick++) {
      ticks.line[next] = nodes.tickLines.at(tick);
      ticks.count[next++] = nodes.tickCounts.at(tick);
    }
    ticks.start[node + 1] = next;
  }
  return ticks;
}

/** Node per sample in time order. */
function nodesOf(
  samples: NumberList,
  order: Int32Array,
  positions: Positions,
  renumbered: Int32Array,
): { sampled: Int32Array; unknown: number } {
  let unknown = 0;
  const sampled = order.map((sample) => {
    const node = renumbered[positions(samples.at(sample))] ?? -1;
    if (node === -1) unknown++;
    return node;
  });
  return { sampled, unknown };
}
