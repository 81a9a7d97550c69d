import { once } from '../../basics/once.ts';
import type { CallTree, TreeBuilder } from './call-tree.ts';
import { childrenOf, firstFunctionNode, metaNodes, noFunction, TickList, createTreeBuilder } from './call-tree.ts';
import { type CpuProfile, type ProfileFrame, type ProfileTicks, roomForNodes } from './cpu-profile.ts';
import { microseconds, milliseconds, type Column0, type Line0, column0, line0 } from '../../../protocol/units.ts';
import type { SampleStream } from './sample-stream.ts';
import { SampleTimes } from './sample-times.ts';
import type { TieredSamples } from './tiered-samples.ts';

/** One part of an isolate's profile, with the numbers of its frames in the function table. */
export interface ProfilePart {
  readonly profile: CpuProfile;
  /** Index into `FunctionTable.frames`, by frame of the profile; −1 for meta frames. */
  readonly frames: Int32Array;
}

/** The meta node of a call frame; undefined for functions. */
function metaNodeOf(frame: ProfileFrame): number | undefined {
  return frame.url === '' ? metaNodeByName.get(frame.functionName) : undefined;
}

const metaNodeByName: ReadonlyMap<string, number> = new Map([
  ['(root)', metaNodes.root],
  ['(program)', metaNodes.program],
  ['(idle)', metaNodes.idle],
  ['(garbage collector)', metaNodes.gc],
]);

/** Adds the nodes of a part to a tree; returns the tree's nodes. What is below a meta frame takes its place. */
function addNodes(builder: TreeBuilder, part: ProfilePart, functionOfFrame: Int32Array): Int32Array {
  const numbers = numberNodes(part, functionOfFrame, (parent, fn) => builder.child(parent, fn));
  eachTick(ticksOf(part, numbers), (node, frame, line, count) => builder.addTicks(node, frame, line, count));
  return numbers;
}

/** The call tree of a profile without nodes to merge (nearly all of V8's), found without look-ups; null for others. */
function unmergedTree(
  part: ProfilePart,
  functionOfFrame: Int32Array,
): { readonly tree: CallTree; readonly numbers: Int32Array } | null {
  const most = part.profile.parent.length + firstFunctionNode;
  const parents = new Int32Array(most);
  const functionIds = new Int32Array(most).fill(noFunction, 0, firstFunctionNode);
  parents[metaNodes.root] = -1;
  let size = firstFunctionNode;
  const numbers = numberNodes(part, functionOfFrame, (above, fn) => {
    parents[size] = above;
    functionIds[size] = fn;
    return size++;
  });
  const [parent, functionId] = [parents.subarray(0, size), functionIds.subarray(0, size)];
  if (hasTwins(parent, functionId, functionOfFrame.length)) return null;
  const given = ticksOf(part, numbers);
  const ticks = once(() => {
    const list = new TickList();
    eachTick(given, (node, frame, line, count) => list.add(node, frame, line, count));
    return list.build(size);
  });
  return { tree: { size, parent, functionId, ticks }, numbers };
}

/** Node of a tree, by node of the profile. `child` gives the node of a function below a node. */
function numberNodes(
  { profile, frames }: ProfilePart,
  functionOfFrame: Int32Array,
  child: (parent: number, functionId: number) => number,
): Int32Array {
  const { parent, frame } = profile;
  const { length } = parent;
  const meta = Int32Array.from(profile.frames, (frame) => metaNodeOf(frame) ?? -1);
  const numbers = new Int32Array(length);
  /** The same for nodes as parents, where only the root of the meta nodes has children. */
  const places = new Int32Array(length);
  for (let node = 0; node < length; node++) {
    const local = frame[node] ?? 0;
    const metaNode = meta[local] ?? -1;
    const above = places[parent[node] ?? -1] ?? metaNodes.root;
    const isMeta = metaNode !== -1;
    const number = isMeta ? metaNode : child(above, functionOfFrame[frames[local] ?? -1] ?? 0);
    numbers[node] = number;
    places[node] = isMeta ? above : number;
  }
  return numbers;
}

/** The ticks of a part and their nodes, without the rest of the part, which need not stay in memory. */
interface GivenTicks {
  readonly ticks: ProfileTicks;
  readonly numbers: Int32Array;
  /** Frame of the profile, by node of the profile. */
  readonly frame: Int32Array;
  /** Frame of all profiles, by frame of the profile; −1 for meta frames. */
  readonly frames: Int32Array;
}

function ticksOf({ profile: { ticks, frame }, frames }: ProfilePart, numbers: Int32Array): GivenTicks {
  return { ticks, numbers, frame, frames };
}

/** Calls for each line's ticks of each function's node. */
function eachTick(
  { ticks, numbers, frame, frames }: GivenTicks,
  call: (node: number, frame: number, line: number, count: number) => void,
): void {
  for (let node = 0; node < numbers.length; node++) {
    const number = numbers[node] ?? 0;
    if (number < firstFunctionNode) continue;
    const end = ticks.start[node + 1] ?? 0;
    for (let tick = ticks.start[node] ?? 0; tick < end; tick++) {
      call(number, frames[frame[node] ?? 0] ?? -1, ticks.line[tick] ?? 0, ticks.count[tick] ?? 0);
    }
  }
}

function hasTwins(parent: Int32Array, functionId: Int32Array, functions: number): boolean {
  const { first, next } = childrenOf(parent);
  /** The last node below which the function was seen. */
  const lastParent = new Int32Array(functions).fill(-1);
  for (let node = 0; node < parent.length; node++) {
    for (let child = first[node] ?? -1; child !== -1; child = next[child] ?? -1) {
      const fn = functionId[child] ?? 0;
      if (lastParent[fn] === node) return true;
      lastParent[fn] = node;
    }
  }
  return false;
}

/**
 * Joins the rotated parts of one isolate, in order. Samples of a part before the last sample of earlier parts are
 * dropped; the last sample of a part lasts until the next part's first one. Where a part is missing, it lasts until the
 * end of its own part, and the gap counts as `(idle)`. The arrays of a single part become the stream's: copies would be
 * half of the memory.
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
    if (next > 0 && (times.at(0) ?? 0) - end > MAX_GAP_US) {
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

/** Parts overlap; with a longer gap, a part was lost. */
const MAX_GAP_US = milliseconds(1000);

/** What a log has beyond its stream; null for a profile. `numbers`: the stream's node by node of the log. */
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

/** A call frame exactly as in a profile. */
export interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly line: Line0;
  readonly column: Column0;
  readonly functionId: number;
}

export type UnnamedFrame = Omit<Frame, 'functionId'>;

/** Numbers the distinct call frames of all profiles. */
export interface FrameTable {
  readonly frames: readonly UnnamedFrame[];
  /** Numbers of the profile's frames; −1 for meta frames. `urls` replaces the urls of some of its scripts. */
  readonly add: (profile: CpuProfile, urls?: ReadonlyMap<string, string>) => Int32Array;
}

export function createFrameTable(): FrameTable {
  const frames: UnnamedFrame[] = [];
  const known = new Map<string, number>();
  /** Numbers of the very objects, which the profiles of one run share: a key for each takes longer. */
  const shared = new Map<ProfileFrame, number>();
  const numberOf = (frame: ProfileFrame, url: string): number => {
    if (metaNodeOf(frame) !== undefined) return -1;
    const key = `${frame.line}:${frame.column}:${frame.functionName}\n${url}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const { functionName } = frame;
    const number = frames.push({ functionName, url, line: line0(frame.line), column: column0(frame.column) }) - 1;
    known.set(key, number);
    return number;
  };
  return {
    frames,
    add: (profile, urls) =>
      Int32Array.from(profile.frames, (frame) => {
        const url = urls?.get(frame.url);
        if (url !== undefined) return numberOf(frame, url);
        const number = shared.get(frame) ?? numberOf(frame, frame.url);
        shared.set(frame, number);
        return number;
      }),
  };
}
