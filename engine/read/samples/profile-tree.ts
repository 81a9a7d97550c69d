import { once } from '../../basics/once.ts';
import {
  type CallTree,
  childrenOf,
  firstFunctionNode,
  metaNodes,
  noFunction,
  TickList,
  type TreeBuilder,
} from './call-tree.ts';
import type { CpuProfile, ProfileFrame, ProfileTicks } from './cpu-profile.ts';

/** One part of an isolate's profile, with the numbers of its frames in the function table. */
export interface ProfilePart {
  readonly profile: CpuProfile;
  /** Index into `FunctionTable.frames`, by frame of the profile; −1 for meta frames. */
  readonly frames: Int32Array;
}

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

/**
 * Adds all nodes of a part to a tree, and gives the node of the tree by node of the profile. Functions below a meta frame
 * are placed where that frame is.
 */
export function addNodes(builder: TreeBuilder, part: ProfilePart, functionOfFrame: Int32Array): Int32Array {
  const numbers = numberNodes(part, functionOfFrame, (parent, fn) => builder.child(parent, fn));
  eachTick(ticksOf(part, numbers), (node, frame, line, count) => builder.addTicks(node, frame, line, count));
  return numbers;
}

/**
 * The call tree of a profile of which no two nodes are to be merged, as in nearly all profiles of V8; null for others. To
 * look for each node among those that are there took as long as all that is before and after it.
 */
export function unmergedTree(
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
  const meta = metaNodesOf(profile);
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

/** The ticks of a part, with what tells whose they are. The rest of the part is not kept for them. */
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

/** The meta node of each frame; −1 for functions. */
function metaNodesOf({ frames }: CpuProfile): Int32Array {
  return Int32Array.from(frames, (given) => metaNodeOf(given) ?? -1);
}

/** Whether two children of a node are the same function. */
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
