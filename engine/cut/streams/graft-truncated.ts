import { once } from '../../basics/once.ts';
import {
  type CallTree,
  firstFunctionNode,
  metaNodes,
  childrenOf,
  noFunction,
  type LineTicks,
  TickList,
} from '../../read/samples/call-tree.ts';
import type { SampleStream, TruncatedSamples } from '../../read/samples/sample-stream.ts';
import { type CutNodes, cutNodes, depthsOf } from './truncated-nodes.ts';
import { type SampledNodes, withRoomFor } from '../../read/samples/cpu-profile.ts';

type Sampled = Pick<SampleStream, 'tree' | 'nodes'>;

/**
 * Gives truncated stacks (V8 keeps the innermost frames) the outer frames of the samples around them, in order of time,
 * from the nearest whole or grafted samples of the same non-idle run. It does the same for a lone innermost function,
 * where something shows that its stack was cut; else that sample is no neighbour either. Nodes keep their numbers; new
 * ones come after them. It writes to the given array: a copy would be a third of the memory. `usualFrames` limits the
 * frames looked at for each sample.
 */
export function graftTruncated(
  sampled: Sampled,
  usualFrames = usual,
): Sampled & { readonly truncated: TruncatedSamples } {
  const { tree, nodes } = sampled;
  const cut = cutNodes(tree, sampledNodes(sampled));
  if (cut === null) return { tree, nodes, truncated: noneTruncated };
  const { grown, moves, ...grafted } = graftAll(sampled, cut, mostFrames + sampled.nodes.length * usualFrames);
  const ticks = once(() => moveTicks(tree.ticks(), moves, grown.size));
  return { tree: { ...grown, ticks }, ...grafted };
}

const noneTruncated: TruncatedSamples = { samples: 0, grafted: 0, unplaced: new Set() };

/** Has 1 for nodes of samples. It uses an index: iterating over 8 million samples took five times as long. */
function sampledNodes({ tree, nodes }: Sampled): Uint8Array {
  const isSampled = new Uint8Array(tree.size);
  const { length } = nodes;
  for (let sample = 0; sample < length; sample++) isSampled[nodes[sample] ?? 0] = 1;
  return isSampled;
}

function graftAll(sampled: Sampled, cut: CutNodes, most: number) {
  const { tree } = sampled;
  let { nodes } = sampled;
  const growing = growTree(tree);
  const { graft, graftLone } = createGrafter(growing);
  const isWhole = wholeNodes(tree, cut);
  const nextWhole = wholeSamplesAhead(nodes, isWhole);
  const mayGraft = effort(growing, most);
  const moves = new Moves();
  const unplaced = new Set<number>();
  let grafted = 0;
  let before = noPlace;
  const { length } = nodes;
  for (let sample = 0; sample < length; sample++) {
    const node = nodes[sample] ?? 0;
    // Nearly all samples end here, and there may be millions.
    if (isWhole[node] === 1) {
      before = node;
      continue;
    }
    if (node === metaNodes.idle) before = noPlace;
    if (node < firstFunctionNode) continue;
    const callers = cut.lone.get(node);
    const after = nextWhole(sample);
    const place = !mayGraft(node, before, after)
      ? noPlace
      : callers === undefined
        ? graft(node, before, after)
        : graftLone(node, before, after, callers);
    moves.add(node, place === noPlace ? node : place);
    if (place !== noPlace) {
      grafted++;
      nodes = withRoomFor(place, nodes);
      nodes[sample] = place;
      before = place;
    } else if (callers === undefined) unplaced.add(sample);
  }
  const truncated = { samples: grafted + unplaced.size, grafted, unplaced };
  return { grown: growing.build(), nodes, moves, truncated };
}

/**
 * Limits the frames looked at: real stacks have hundreds, invented ones may have a million. Later stacks count as not
 * grafted.
 */
function effort(tree: GrowingTree, most: number): (node: number, before: number, after: number) => boolean {
  let frames = 0;
  return (...stacks) => {
    if (frames > most || tree.added() > mostNodes) return false;
    for (const stack of stacks) frames += tree.depthOf(stack);
    return true;
  };
}

const mostFrames = 5e8;
/** Frames of three stacks: V8 keeps 255 of each, before inlined ones are added. */
const usual = 3000;
/** Most nodes that are added: with the sampled ones they are fewer than a `Map` can hold. */
const mostNodes = 4e6;

/** Has 1 for nodes of functions whose stack lacks no outer frame. */
function wholeNodes({ size }: CallTree, { isTruncated, lone }: CutNodes): Uint8Array {
  const isWhole = isTruncated.map((truncated) => 1 - truncated);
  isWhole.fill(0, 0, Math.min(firstFunctionNode, size));
  for (const node of lone.keys()) isWhole[node] = 0;
  return isWhole;
}

/** Node of the next whole sample of the same run. Ask for samples in ascending order: each is looked at once. */
function wholeSamplesAhead(nodes: SampledNodes, isWhole: Uint8Array): (sample: number) => number {
  let ahead = 0;
  return (sample) => {
    ahead = Math.max(ahead, sample + 1);
    let node = nodes[ahead] ?? metaNodes.idle;
    while (node !== metaNodes.idle && isWhole[node] === 0) node = nodes[++ahead] ?? metaNodes.idle;
    return node === metaNodes.idle ? noPlace : node;
  };
}

/** A missing neighbour, or an unknown place of a stack. */
const noPlace = -1;

/** So many equal frames in a row are not a coincidence. */
const enoughFrames = 8;

/** Finds the node where a stack belongs among its neighbours. It is made where it does not exist yet. */
interface Grafter {
  /** The node for a truncated stack. */
  readonly graft: (node: number, before: number, after: number) => number;
  /**
   * The node for a stack of one frame: below the frames both neighbours share, if many or if `callers` has the
   * outermost.
   */
  readonly graftLone: (node: number, before: number, after: number, callers: ReadonlySet<number>) => number;
}

function createGrafter(tree: GrowingTree): Grafter {
  const functionsOf = (path: Int32Array): Int32Array => path.map(tree.functionOf);
  const graftLone: Grafter['graftLone'] = (node, before, after, callers) => {
    if (before === noPlace) return noPlace;
    const path = tree.pathOf(before);
    const length = commonLength(path, tree.pathOf(after));
    const [outermost = noPlace, innermost = noPlace] = [path[0], path[length - 1]];
    const isKnown = length >= enoughFrames || callers.has(tree.functionOf(outermost));
    if (innermost === noPlace || !isKnown) return noPlace;
    const fn = tree.functionOf(node);
    return tree.functionOf(innermost) === fn ? innermost : tree.child(innermost, fn);
  };
  const graft: Grafter['graft'] = (node, before, after) => {
    const frames = functionsOf(tree.pathOf(node));
    const borders = bordersOf(frames);
    const overlapWith = (path: Int32Array): Overlap => longestOverlap(frames, borders, functionsOf(path));
    const pathBefore = tree.pathOf(before);
    const overlapBefore = overlapWith(pathBefore);
    if (overlapBefore.length >= enoughFrames) return continued(pathBefore, overlapBefore, frames, tree);
    const pathAfter = tree.pathOf(after);
    const overlapAfter = overlapWith(pathAfter);
    if (overlapAfter.length > overlapBefore.length) return continued(pathAfter, overlapAfter, frames, tree);
    if (overlapBefore.length > 0) return continued(pathBefore, overlapBefore, frames, tree);
    return continued(pathBefore, { length: 0, end: commonLength(pathBefore, pathAfter) }, frames, tree);
  };
  return { graft, graftLone };
}

/** The path down to the overlap's end, followed by the frames that come after the overlap. */
function continued(path: Int32Array, { length, end }: Overlap, frames: Int32Array, tree: GrowingTree): number {
  if (end === 0) return noPlace;
  return frames.subarray(length).reduce(tree.child, path[end - 1] ?? metaNodes.root);
}

/** Number of outer frames that two paths share. As nodes are merged by functions, those are the same nodes. */
function commonLength(a: Int32Array, b: Int32Array): number {
  const differs = a.findIndex((node, at) => node !== b[at]);
  return differs === -1 ? a.length : differs;
}

/** Where the outermost frames of one stack are in another one. */
interface Overlap {
  /** Number of frames. */
  readonly length: number;
  /** Number of the other stack's frames down to the last shared one, which is included. */
  readonly end: number;
}

/**
 * The longest prefix of `frames` that is in `neighbour`, the outermost of equal ones; both outermost first. Linear
 * (Knuth, Morris, Pratt).
 */
export function longestOverlap(frames: Int32Array, borders: Int32Array, neighbour: Int32Array): Overlap {
  let matched = 0;
  let longest = { length: 0, end: 0 };
  for (const [at, fn] of neighbour.entries()) {
    matched = step(frames, borders, matched, fn);
    if (matched > longest.length) longest = { length: matched, end: at + 1 };
  }
  return longest;
}

/**
 * Border table (Knuth, Morris, Pratt): entry n − 1 is the length of the longest proper prefix of the first n frames
 * that is also their suffix.
 */
export function bordersOf(frames: Int32Array): Int32Array {
  const borders = new Int32Array(frames.length);
  for (let at = 1; at < frames.length; at++) {
    borders[at] = step(frames, borders, borders[at - 1] ?? 0, frames[at] ?? -1);
  }
  return borders;
}

/** Number of first frames that match up to and including `fn`, after `matched` of them one frame earlier. */
function step(frames: Int32Array, borders: Int32Array, matched: number, fn: number): number {
  let length = matched;
  while (length > 0 && frames[length] !== fn) length = borders[length - 1] ?? 0;
  return frames[length] === fn ? length + 1 : 0;
}

/** A call tree to which paths are added. */
export interface GrowingTree {
  /** Nodes from the outermost frame down to `node`; empty for −1 and meta nodes. */
  readonly pathOf: (node: number) => Int32Array;
  readonly functionOf: (node: number) => number;
  /** Number of frames down to a node; 0 for −1 and meta nodes. */
  readonly depthOf: (node: number) => number;
  /** Number of nodes that were added. */
  readonly added: () => number;
  /** The node of a function below a node. It is made where it does not exist yet. */
  readonly child: (parent: number, functionId: number) => number;
  /** The nodes, with the added ones at the end. */
  readonly build: () => Omit<CallTree, 'ticks'>;
}

function growTree(tree: CallTree): GrowingTree {
  const { size, parent, functionId } = tree;
  const depths = depthsOf(tree);
  const newParents: number[] = [];
  const newFunctionIds: number[] = [];
  const newDepths: number[] = [];
  const find = childFinder(tree);
  const parentOf = (node: number): number => (node < size ? parent[node] : newParents[node - size]) ?? -1;
  const depthOf = (node: number): number => (node < size ? depths[node] : newDepths[node - size]) ?? 0;
  return {
    depthOf,
    added: () => newParents.length,
    functionOf: (node) => (node < size ? functionId[node] : newFunctionIds[node - size]) ?? noFunction,
    pathOf: (node) => {
      const path = new Int32Array(depthOf(node));
      for (let at = path.length - 1, here = node; at >= 0; at--, here = parentOf(here)) path[at] = here;
      return path;
    },
    child: (above, fn) =>
      find(above, fn, () => {
        newFunctionIds.push(fn);
        newDepths.push(depthOf(above) + 1);
        return size + newParents.push(above) - 1;
      }),
    build: () => ({
      size: size + newParents.length,
      parent: extended(parent, newParents),
      functionId: extended(functionId, newFunctionIds),
    }),
  };
}

type ChildFinder = (parent: number, functionId: number, make: () => number) => number;

/** Finds children of a node. It looks at them only when one is asked for, because few nodes are ever asked. */
function childFinder({ size, parent, functionId }: CallTree): ChildFinder {
  const { first, next } = childrenOf(parent);
  const known = new Map<number, number>();
  const lookUpChildren = (node: number): void => {
    for (let child = first[node] ?? -1; child !== -1; child = next[child] ?? -1) {
      known.set(childKey(node, functionId[child] ?? noFunction), child);
    }
    first[node] = -1;
  };
  return (above, fn, make) => {
    if (above < size) lookUpChildren(above);
    const key = childKey(above, fn);
    const found = known.get(key) ?? make();
    known.set(key, found);
    return found;
  };
}

/** One number for a function below a node. */
function childKey(parent: number, functionId: number): number {
  return parent * mostFunctions + functionId;
}

/** More functions than any profile has. A node times this number is still a whole number. */
const mostFunctions = 2 ** 26;

function extended(values: Int32Array, more: readonly number[]): Int32Array {
  const all = new Int32Array(values.length + more.length);
  all.set(values);
  all.set(more, values.length);
  return all;
}

/** Counts the nodes to which the samples of a node went, including those that stayed. */
class Moves {
  readonly #counts = new Map<number, Map<number, number>>();

  add(from: number, to: number): void {
    const targets = this.#counts.get(from) ?? new Map<number, number>();
    this.#counts.set(from, targets.set(to, (targets.get(to) ?? 0) + 1));
  }

  /** Shares of a node, which add up to 1. */
  sharesOf(node: number): readonly Share[] {
    const targets = this.#counts.get(node);
    if (targets === undefined) return [{ target: node, share: 1 }];
    let samples = 0;
    for (const count of targets.values()) samples += count;
    return Array.from(targets, ([target, count]) => ({ target, share: count / samples }));
  }
}

/** A node where samples of another node, or of itself, are now, and which part of them, from 0 to 1. */
interface Share {
  readonly target: number;
  readonly share: number;
}

/**
 * The line ticks after samples moved: each target gets its share of the node's ticks, rounded up, so no line is lost.
 */
function moveTicks(ticks: LineTicks, moves: Moves, size: number): LineTicks {
  const moved = new TickList();
  for (let node = 0; node + 1 < ticks.start.length; node++) {
    if (ticks.start[node] === ticks.start[node + 1]) continue;
    const shares = moves.sharesOf(node);
    for (let at = ticks.start[node] ?? 0; at < (ticks.start[node + 1] ?? 0); at++) {
      const count = ticks.count[at] ?? 0;
      const [frame, line] = [ticks.frame[at] ?? 0, ticks.line[at] ?? 0];
      for (const { target, share } of shares) moved.add(target, frame, line, Math.ceil(count * share));
    }
  }
  return moved.build(size);
}
