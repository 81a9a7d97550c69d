import { once } from '../../basics/once.ts';
import { PairTable } from '../../basics/pair-table.ts';
import type { CallTree, LineTicks } from '../../read/samples/call-tree.ts';
import { childrenOf, firstFunctionNode, metaNodes, noFunction, TickList } from '../../read/samples/call-tree.ts';
import type { SampleStream, TruncatedSamples } from '../../read/samples/sample-stream.ts';
import { type SampledNodes, withRoomFor } from '../../read/samples/cpu-profile.ts';

type Sampled = Pick<SampleStream, 'tree' | 'nodes'>;

/**
 * Gives truncated stacks (V8 keeps the innermost frames) the outer frames of the samples around them, in order of time,
 * from the nearest whole or grafted samples of the same non-idle run. It does the same for a lone innermost function,
 * where something shows that its stack was cut; else that sample is not a neighbour either. Nodes keep their numbers; new
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
  const { grown, moves, ...grafted } = graftAll(sampled, cut, MAX_FRAMES + sampled.nodes.length * usualFrames);
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
  const growing = new GrowingTree(tree);
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
    const isTried = mayGraft(node, before, after);
    const place = isTried ? placeOf({ node, before, after, callers }, growing) : noPlace;
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

/** Limits the frames looked at: invented stacks may have a million. Later stacks count as not grafted. */
function effort(tree: GrowingTree, most: number): (node: number, before: number, after: number) => boolean {
  let frames = 0;
  return (...stacks) => {
    if (frames > most || tree.added > MAX_ADDED) return false;
    for (const stack of stacks) frames += tree.depthOf(stack);
    return true;
  };
}

const MAX_FRAMES = 5e8;
/** Frames of three stacks: V8 keeps 255 of each, before inlined ones are added. */
const usual = 3000;
/** Maximum of added nodes: with the sampled ones they are fewer than a `Map` can hold. */
const MAX_ADDED = 4e6;

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

/** This many equal frames in a row are not a coincidence. */
const MIN_OVERLAP = 8;

/** A stack without its outer frames, and the nearest whole ones in time. */
interface ToGraft {
  readonly node: number;
  readonly before: number;
  readonly after: number;
  /** For a stack of one frame: the outermost functions of other stacks with its function. */
  readonly callers: ReadonlySet<number> | undefined;
}

/** Finds the node where a stack belongs among its neighbours, or adds it; `noPlace` if that is not known. */
function placeOf({ node, before, after, callers }: ToGraft, tree: GrowingTree): number {
  const pathBefore = tree.pathOf(before);
  if (callers !== undefined) return placeOfLone(node, pathBefore, after, callers, tree);
  const functionsOf = (path: Int32Array): Int32Array => path.map((at) => tree.functionOf(at));
  const frames = functionsOf(tree.pathOf(node));
  const borders = bordersOf(frames);
  const overlapWith = (path: Int32Array): Overlap => longestOverlap(frames, borders, functionsOf(path));
  /** The path down to the overlap's end, followed by the frames that come after the overlap. */
  const continued = (path: Int32Array, { length, end }: Overlap): number =>
    end === 0
      ? noPlace
      : frames.subarray(length).reduce((above, fn) => tree.child(above, fn), path[end - 1] ?? metaNodes.root);
  const overlapBefore = overlapWith(pathBefore);
  if (overlapBefore.length >= MIN_OVERLAP) return continued(pathBefore, overlapBefore);
  const pathAfter = tree.pathOf(after);
  const overlapAfter = overlapWith(pathAfter);
  if (overlapAfter.length > overlapBefore.length) return continued(pathAfter, overlapAfter);
  if (overlapBefore.length > 0) return continued(pathBefore, overlapBefore);
  return continued(pathBefore, { length: 0, end: commonLength(pathBefore, pathAfter) });
}

/** The node for a stack of one frame: below the frames both neighbours share, if many or if `callers` has the outermost. */
function placeOfLone(
  node: number,
  path: Int32Array,
  after: number,
  callers: ReadonlySet<number>,
  tree: GrowingTree,
): number {
  const length = commonLength(path, tree.pathOf(after));
  const [outermost, innermost] = [path[0], path[length - 1]];
  if (outermost === undefined || innermost === undefined) return noPlace;
  if (length < MIN_OVERLAP && !callers.has(tree.functionOf(outermost))) return noPlace;
  const fn = tree.functionOf(node);
  return tree.functionOf(innermost) === fn ? innermost : tree.child(innermost, fn);
}

/** Number of outer frames that two paths share. As nodes are merged by functions, those are the same nodes. */
function commonLength(a: Int32Array, b: Int32Array): number {
  const differs = a.findIndex((node, at) => node !== b[at]);
  return differs === -1 ? a.length : differs;
}

/** Where the outermost frames of one stack are in another one. */
interface Overlap {
  readonly length: number;
  /** Number of the other stack's frames down to the last shared one, which is included. */
  readonly end: number;
}

/** The longest prefix of `frames` in `neighbour`, outermost of equal ones. Linear (Knuth, Morris, Pratt). */
export function longestOverlap(frames: Int32Array, borders: Int32Array, neighbour: Int32Array): Overlap {
  let matched = 0;
  let longest = { length: 0, end: 0 };
  for (const [at, fn] of neighbour.entries()) {
    matched = step(frames, borders, matched, fn);
    if (matched > longest.length) longest = { length: matched, end: at + 1 };
  }
  return longest;
}

/** Entry n − 1 is the length of the longest proper prefix of the first n frames that is also their suffix. */
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

/**
 * A call tree to which paths are added. The nodes of the given tree keep their numbers. Few of them are asked for, so the
 * functions below a node are looked up there: a table of all nodes took up to a quarter of the time of a compiler's
 * profile.
 */
class GrowingTree {
  readonly #tree: CallTree;
  readonly #children: ReturnType<typeof childrenOf>;
  /** Given nodes by function, below a given node that was asked for. */
  readonly #given = new Map<number, ReadonlyMap<number, number>>();
  readonly #added = new PairTable(1024);

  constructor(tree: CallTree) {
    this.#tree = tree;
    this.#children = childrenOf(tree.parent);
  }

  get added(): number {
    return this.#added.size;
  }

  functionOf(node: number): number {
    const { size, functionId } = this.#tree;
    return node < size ? (functionId[node] ?? noFunction) : this.#added.secondOf(node - size);
  }

  /** Number of frames down to a node; 0 for −1 and meta nodes. */
  depthOf(node: number): number {
    let depth = 0;
    for (let at = node; at >= firstFunctionNode; at = this.#parentOf(at)) depth++;
    return depth;
  }

  /** Nodes from the outermost frame down to `node`; empty for −1 and meta nodes. */
  pathOf(node: number): Int32Array {
    const path = new Int32Array(this.depthOf(node));
    for (let at = path.length - 1, here = node; at >= 0; at--, here = this.#parentOf(here)) path[at] = here;
    return path;
  }

  /** The node of a function below a node. It is made where it does not exist yet. */
  child(parent: number, functionId: number): number {
    const { size } = this.#tree;
    const given = parent < size ? this.#givenBelow(parent).get(functionId) : undefined;
    return given ?? size + this.#added.numberOf(parent, functionId);
  }

  build(): Omit<CallTree, 'ticks'> {
    const { size, parent, functionId } = this.#tree;
    const { firsts, seconds } = this.#added;
    const joined = (given: Int32Array, added: Int32Array): Int32Array => {
      const all = new Int32Array(size + added.length);
      all.set(given);
      all.set(added, size);
      return all;
    };
    return { size: size + firsts.length, parent: joined(parent, firsts), functionId: joined(functionId, seconds) };
  }

  #parentOf(node: number): number {
    const { size, parent } = this.#tree;
    return node < size ? (parent[node] ?? -1) : this.#added.firstOf(node - size);
  }

  #givenBelow(node: number): ReadonlyMap<number, number> {
    const known = this.#given.get(node);
    if (known !== undefined) return known;
    const below = new Map<number, number>();
    const { first, next } = this.#children;
    for (let at = first[node] ?? -1; at !== -1; at = next[at] ?? -1) {
      const fn = this.functionOf(at);
      if (!below.has(fn)) below.set(fn, at);
    }
    this.#given.set(node, below);
    return below;
  }
}

/** Counts the nodes to which the samples of a node went, including those that stayed. */
class Moves {
  readonly #counts = new Map<number, Map<number, number>>();

  add(from: number, to: number): void {
    const targets = this.#counts.get(from) ?? new Map<number, number>();
    this.#counts.set(from, targets.set(to, (targets.get(to) ?? 0) + 1));
  }

  /** The nodes where the samples of a node are now, with shares that add up to 1. */
  sharesOf(node: number): readonly { readonly target: number; readonly share: number }[] {
    const targets = this.#counts.get(node);
    if (targets === undefined) return [{ target: node, share: 1 }];
    let samples = 0;
    for (const count of targets.values()) samples += count;
    return Array.from(targets, ([target, count]) => ({ target, share: count / samples }));
  }
}

/** The line ticks after samples moved, in their shares, rounded up so that no line is lost. */
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

/** Minimum depth of a truncated stack: V8 keeps the innermost 255 *raw* frames, at least 128 of them JavaScript. */
const MIN_TRUNCATED = 100;

/** Nodes whose stacks may lack outer frames. */
interface CutNodes {
  /** Has 1 for nodes with a truncated stack: ≥ 100 frames, and the outermost function is not an entry. */
  readonly isTruncated: Uint8Array;
  /** Nodes of a single frame that is not an entry, with the outermost functions of other stacks with that function. */
  readonly lone: ReadonlyMap<number, ReadonlySet<number>>;
}

/**
 * Finds such nodes; null if there are none. An *entry* is outermost in a sample of 2 to 99 frames; not of one frame,
 * because V8 gives the innermost function alone in a few samples of a long run (Node 24 and 26: 7 to 12 of 18,000 in
 * `tsc`). `isSampled` has 1 for the nodes of samples.
 */
function cutNodes(tree: CallTree, isSampled: Uint8Array): CutNodes | null {
  const depth = depthsOf(tree);
  const outermost = outermostFunctions(tree);
  const isEntry = new Set<number>();
  const single: number[] = [];
  for (let node = 0; node < tree.size; node++) {
    if (isSampled[node] === 0) continue;
    const frames = depth[node] ?? 0;
    if (frames > 1 && frames < MIN_TRUNCATED) isEntry.add(outermost[node] ?? 0);
    if (frames === 1) single.push(node);
  }
  const isTruncated = new Uint8Array(tree.size);
  for (let node = 0; node < tree.size; node++) {
    if ((depth[node] ?? 0) >= MIN_TRUNCATED && !isEntry.has(outermost[node] ?? 0)) isTruncated[node] = 1;
  }
  const suspects = single.filter((node) => !isEntry.has(outermost[node] ?? 0));
  const lone = loneFunctions(tree, isSampled, suspects, outermost);
  return lone.size > 0 || isTruncated.includes(1) ? { isTruncated, lone } : null;
}

function outermostFunctions({ parent, functionId, size }: CallTree): Int32Array {
  const outermost = functionId.slice();
  for (let node = 0; node < size; node++) {
    const above = parent[node] ?? metaNodes.root;
    if (above > metaNodes.root) outermost[node] = outermost[above] ?? 0;
  }
  return outermost;
}

/** Number of frames down to each node, itself included; 0 for meta nodes. */
function depthsOf({ parent, functionId, size }: CallTree): Int32Array {
  const depth = new Int32Array(size);
  for (let node = 0; node < size; node++) {
    if ((functionId[node] ?? -1) >= 0) depth[node] = (depth[parent[node] ?? 0] ?? 0) + 1;
  }
  return depth;
}

/** By suspect (a node of one frame), the outermost functions of longer sampled stacks with its function. */
function loneFunctions(
  { size, parent, functionId }: CallTree,
  isSampled: Uint8Array,
  suspects: readonly number[],
  outermost: Int32Array,
): ReadonlyMap<number, ReadonlySet<number>> {
  const callers = new Map(suspects.map((node) => [functionId[node] ?? -1, new Set<number>()]));
  if (callers.size === 0) return new Map();
  /** Has 1 where the node or one below it has a sample. */
  const isReached = isSampled.slice();
  // The loop goes from the leaves up, so all nodes below a node come before it and have marked it.
  for (let node = size - 1; node >= 0; node--) {
    const above = parent[node] ?? -1;
    if (isReached[node] === 0 || above < 0) continue;
    isReached[above] = 1;
    if ((functionId[above] ?? -1) >= 0) callers.get(functionId[node] ?? -1)?.add(outermost[node] ?? -1);
  }
  return new Map(suspects.map((node) => [node, callers.get(functionId[node] ?? -1) ?? new Set()]));
}
