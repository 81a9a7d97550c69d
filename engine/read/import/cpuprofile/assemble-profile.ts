import type {
  CpuProfile,
  DecodedProfile,
  ProfileDefects,
  ProfileTicks,
  SampledNodes,
} from '../../samples/cpu-profile.ts';
import { areFew, withRoomFor } from '../../samples/cpu-profile.ts';
import type { NodeList } from './node-list.ts';
import type { NumberList, NumberMemory } from '../../../basics/number-list.ts';
import { firstDifference } from '../../../basics/lists.ts';
import { childrenOf } from '../../samples/call-tree.ts';
import { SampleTimes, MAX_PROFILE_US, plausibleTime } from '../../samples/sample-times.ts';

/** Makes a profile from what was read in a file. `isFollowed`: something else follows it in the file. */
export function assembleProfile(
  nodes: NodeList,
  samples: NumberList,
  given: GivenTimes,
  isFollowed: boolean,
): DecodedProfile {
  if (samples.size === 0) {
    const hasTotals = !nodes.isDamaged && nodes.tickCounts.toInt32().some((count) => count > 0);
    return { type: 'damaged', damage: hasTotals ? 'totalsAlone' : 'noSamples' };
  }
  const positions = nodes.isDamaged ? null : positionsById(nodes.ids.values());
  if (positions === null) return { type: 'damaged', damage: 'badNodes' };
  const order = parentsFirst(parentsOf(nodes, positions));
  if (order === null) return { type: 'damaged', damage: 'cycle' };
  const isSpread = !given.deltas.values().some((delta: number) => delta !== 0);
  const timed = isSpread ? spreadSamples(samples, given) : timedSamples(samples, given);
  if (timed === null) return { type: 'damaged', damage: 'untimed' };
  if (timed.defects.implausible >= timed.times.length) return { type: 'damaged', damage: 'noTimes' };
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
        ...timed.defects,
        isSpread,
        isFollowed,
      },
    },
  };
}

interface Positions {
  /** Position by id where V8 gave the ids, which leaves hardly a number out; −1 for an id that no node has. */
  readonly table?: Int32Array;
  /** The position of an id; −1 for one that no node has. */
  readonly positionOf: (id: number) => number;
}

/** Positions of ids; null where two nodes have the same id. */
function positionsById(ids: NumberMemory): Positions | null {
  const most = largestId(ids);
  return most < ids.length * 4 + 1024 ? densePositions(ids, most + 1) : sparsePositions(ids);
}

/** The largest id; `Infinity` where one cannot be an index. A plain loop: calls would take most of the time. */
function largestId(ids: NumberMemory): number {
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
  if (isParentsFirst(parent)) {
    const numbers = parent.map((_, node) => node);
    return { old: numbers, renumbered: numbers, parent };
  }
  const { first, next: sibling } = childrenOf(parent, 0);
  const old = new Int32Array(parent.length);
  let size = 0;
  for (const [node, above] of parent.entries()) if (above === -1) old[size++] = node;
  for (let next = 0; next < size; next++) {
    for (let child = first[old[next] ?? 0] ?? -1; child !== -1; child = sibling[child] ?? -1) {
      old[size++] = child;
    }
  }
  if (size < parent.length) return null;
  const renumbered = new Int32Array(size);
  for (const [number, node] of old.entries()) renumbered[node] = number;
  return { old, renumbered, parent: old.map((node) => renumbered[parent[node] ?? -1] ?? -1) };
}

/** Whether parents come before their children already, as V8 writes them. */
function isParentsFirst(parent: Int32Array): boolean {
  for (let node = 0; node < parent.length; node++) if ((parent[node] ?? 0) >= node) return false;
  return true;
}

interface GivenTimes {
  readonly deltas: NumberList;
  readonly startTime: unknown;
  readonly endTime: unknown;
}

export interface TimedSamples {
  readonly ids: NumberMemory;
  readonly times: SampleTimes;
  readonly end: number;
  readonly defects: TimeDefects;
}

type TimeDefects = Pick<ProfileDefects, 'untimed' | 'unpairedTimes' | 'unknownEnd' | 'implausible' | 'endsEarly'>;

/**
 * Samples with their times. `timeDeltas[i]` is the time *before* sample `i`, the first one the profiler's start-up.
 * Deltas can be negative, so samples are sorted by time, stably. Where samples or deltas are missing, the last sample
 * lasts one usual interval, and the time up to the named end is unknown. Works in the memory of the lists, which must
 * not be read afterwards: copies would be as large as half the file.
 */
function timedSamples(samples: NumberList, given: GivenTimes): TimedSamples {
  const ids = samples.values().subarray(0, given.deltas.size);
  const deltas = given.deltas.values().subarray(0, ids.length);
  const start = plausibleTime(given.startTime, 0);
  const short = deltas instanceof Int32Array && Number.isInteger(start) ? shortTimes(ids, deltas) : null;
  const isShort = short?.done === ids.length;
  const { implausible, ...timed } = isShort ? { ...short, implausible: 0 } : longTimes(ids, deltas, start, short);
  const sorted = timed.isSorted ? { ids, times: timed.times } : sortedByTime(ids, timed.times);
  const times = new SampleTimes(sorted.times, isShort ? start : 0);
  const last = times.last ?? 0;
  const named = plausibleTime(given.endTime, last);
  const whole = Math.abs(named - start) < MAX_PROFILE_US ? Math.round(named) : last;
  const untimed = Math.max(0, samples.size - given.deltas.size);
  const unpairedTimes = Math.max(0, given.deltas.size - samples.size);
  const known = untimed + unpairedTimes === 0 ? whole : Math.min(whole, last + times.durations(last).median);
  const defects = { untimed, unpairedTimes, unknownEnd: whole - known, implausible, endsEarly: whole < last };
  return { ids: sorted.ids, times, end: Math.max(known, last), defects };
}

/** Samples without any times, spread evenly from the start to the end; null where these are unknown. */
function spreadSamples(samples: NumberList, { startTime, endTime }: GivenTimes): TimedSamples | null {
  const start = plausibleTime(startTime, Number.NaN);
  const end = Math.round(plausibleTime(endTime, Number.NaN));
  if (!(end > start && end - start < MAX_PROFILE_US)) return null;
  const ids = samples.values();
  const each = (end - start) / ids.length;
  const times = new SampleTimes(Float64Array.from(ids, (_, sample) => Math.round(start + sample * each)));
  return {
    ids,
    times,
    end,
    defects: { untimed: 0, unpairedTimes: 0, unknownEnd: 0, implausible: 0, endsEarly: false },
  };
}

/** Times from the start on, in the memory of the deltas. */
interface ShortTimes {
  readonly times: Uint32Array;
  /** Number of samples that have their time; the first that has not needs more than 4 bytes. */
  readonly done: number;
  /** Time of the last sample in the file that has one. */
  readonly now: number;
  /** False where the times are still to be sorted. */
  readonly isSorted: boolean;
}

function shortTimes(ids: NumberMemory, deltas: Int32Array): ShortTimes {
  const { length } = deltas;
  const times = new Uint32Array(deltas.buffer, deltas.byteOffset, length);
  const order = new TimeOrder(ids, times);
  let now = 0;
  let latest = 0;
  for (let sample = 0; sample < length; sample++) {
    const next = now + (deltas[sample] ?? 0);
    if (next < 0 || next >= 2 ** 32) return { times, done: sample, now, isSorted: order.isSorted };
    now = next;
    times[sample] = now;
    if (now >= latest) latest = now;
    else order.putBack(sample);
  }
  return { times, done: length, now, isSorted: order.isSorted };
}

/** All times, 8 bytes each. Those that have one in `short` keep it. */
function longTimes(ids: NumberMemory, deltas: NumberMemory, start: number, short: ShortTimes | null) {
  const times = deltas instanceof Float64Array ? deltas : new Float64Array(deltas.length);
  const order = new TimeOrder(ids, times);
  const done = short?.done ?? 0;
  for (let sample = 0; sample < done; sample++) times[sample] = start + (short?.times[sample] ?? 0);
  let now = start + (short?.now ?? 0);
  let latest = times[done - 1] ?? -Infinity;
  let implausible = 0;
  for (let sample = done; sample < deltas.length; sample++) {
    const next = now + (deltas[sample] ?? 0);
    if (Math.abs(next - start) < MAX_PROFILE_US) now = next;
    else implausible++;
    const time = Math.round(now);
    times[sample] = time;
    if (time >= latest) latest = time;
    else order.putBack(sample);
  }
  return { times, implausible, isSorted: order.isSorted && short?.isSorted !== false };
}

/** Sorts samples by time as they come. Times are nearly sorted. */
class TimeOrder {
  readonly #ids: NumberMemory;
  readonly #times: Uint32Array | Float64Array;
  /** Remaining steps: a clock that jumps again and again would need one for each pair of samples. */
  #steps: number;

  constructor(ids: NumberMemory, times: Uint32Array | Float64Array) {
    this.#ids = ids;
    this.#times = times;
    this.#steps = times.length * 4 + 1024;
  }

  /** False where the steps were not enough, and all are to be sorted at once. */
  get isSorted(): boolean {
    return this.#steps > 0;
  }

  /** Puts a sample back past the few that are later. */
  putBack(sample: number): void {
    const [ids, times] = [this.#ids, this.#times];
    const id = ids[sample] ?? 0;
    const time = times[sample] ?? 0;
    let at = sample;
    for (; at > 0 && (times[at - 1] ?? 0) > time && this.#steps > 0; at--, this.#steps--) {
      times[at] = times[at - 1] ?? 0;
      ids[at] = ids[at - 1] ?? 0;
    }
    times[at] = time;
    ids[at] = id;
  }
}

function sortedByTime(ids: NumberMemory, times: Uint32Array | Float64Array) {
  const order = Int32Array.from(times, (_, sample) => sample).toSorted((a, b) =>
    firstDifference((times[a] ?? 0) - (times[b] ?? 0), a - b),
  );
  return {
    ids: Float64Array.from(order, (sample) => ids[sample] ?? 0),
    times: Float64Array.from(order, (sample) => times[sample] ?? 0),
  };
}
