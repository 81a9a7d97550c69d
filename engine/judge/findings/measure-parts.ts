import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { Operation, BridgedSamples } from '../../cut/operations/operation.ts';
import { type CallTree, firstFunctionNode, metaNodes } from '../../read/samples/call-tree.ts';
import type { FunctionFlags } from '../../read/functions/function-table.ts';
import { eachRun } from '../../basics/lists.ts';
import { onceEach } from '../../basics/once.ts';
import { Sums } from '../function-figures/operation-tree.ts';

/** `numbers` of own parts ascend, so that those of one operation are neighbours. */
export function measureParts(run: JudgedRun, numbers: Int32Array): PartMeasures {
  const { ownParts, operations, streams, bridged, flags } = run;
  const measures = new PartMeasures(ownParts.size);
  const isRegex = Uint8Array.from(run.functions.functions, ({ kind, name }) =>
    Number(kind === 'native' && name.startsWith('RegExp: ')),
  );
  // These are made only where they are needed, because there may be ten thousand isolates.
  const ownersOf = onceEach((stream: number) => {
    const tree = streams[stream]?.tree;
    return tree === undefined ? null : new OwnersInOperation(tree, flags, ownParts, measures.reentered);
  });
  const operationOf = (part: number): number => ownParts.operationOf(part);
  eachRun(numbers, operationOf, (number, parts) => {
    const operation = operations[number];
    const samples = bridged[operation?.stream ?? -1];
    const owners = ownersOf(operation?.stream ?? -1);
    if (operation === undefined || samples === undefined || owners === null) return;
    owners.begin(parts);
    measures.add(operation, samples, owners, isRegex);
  });
  return measures;
}

/** What the samples of own parts show, by number of the part. */
export class PartMeasures {
  /** Garbage collections within the part, in µs. */
  readonly gc: Sums;
  /** Sleep within collections that was taken out of `gc`, in µs, by number of the operation. */
  readonly asleepInGc = new Map<number, number>();
  /** Number of separate collections among them. */
  readonly pauses: Sums;
  /** Samples that were not collections. */
  readonly samples: Sums;
  /** Time in V8's `RegExp: …` nodes, in µs. */
  readonly regex: Sums;
  /** Number of uninterrupted runs of samples. Samples without a part interrupt nothing. */
  readonly stretches: Sums;
  /** Time in µs in which the function of the part is on the stack twice. */
  readonly nested: Sums;
  /** 1 for parts whose function is called again below itself, by another own function. */
  readonly reentered: Uint8Array;
  /** Pairs of parts of one operation between which the loop went back and forth. */
  readonly alternating: (readonly [number, number])[] = [];
  /** Time in µs in functions of packages and Node, by id of the outermost one since the innermost own function. */
  readonly called = new Map<number, Map<number, number>>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
    const sums = (): Sums => new Sums(size);
    [this.gc, this.pauses, this.samples, this.regex, this.stretches] = [sums(), sums(), sums(), sums(), sums()];
    this.nested = sums();
    this.reentered = new Uint8Array(size);
  }

  /** Adds an operation. Neighbouring samples of one node are added at once: there may be millions of samples. */
  add(
    operation: Operation,
    { nodes, sampled, weights }: BridgedSamples,
    owners: OwnersInOperation,
    isRegex: Uint8Array,
  ): void {
    const lastSample = Math.min(operation.lastSample, weights.length);
    const switches = new Switches(this.#size);
    let isCollecting = false;
    for (let first = operation.firstSample, end = first; first < lastSample; first = end) {
      const node = nodes[first] ?? 0;
      const collects = sampled[first] === metaNodes.gc;
      let weight = 0;
      for (; end < lastSample && nodes[end] === node && (sampled[end] === metaNodes.gc) === collects; end++)
        weight += weights.at(end);
      const part = owners.ownerOf(node);
      const isPause = collects && !isCollecting;
      isCollecting = collects;
      if (part === -1) continue;
      if (owners.isNested(node)) this.nested.add(part, weight);
      if (collects) {
        this.gc.add(part, weight);
        this.pauses.add(part, Number(isPause));
      } else {
        this.samples.add(part, end - first);
        const called = owners.calledAt(node);
        if (called >= 0) this.#addCalled(part, called, weight);
        if (isRegex[owners.tree.functionId[node] ?? 0] === 1) this.regex.add(part, weight);
      }
      if (switches.goTo(part)) this.stretches.add(part, 1);
    }
    for (const pair of switches.alternating()) this.alternating.push(pair);
  }

  #addCalled(part: number, called: number, weight: number): void {
    const times = this.called.get(part) ?? new Map<number, number>();
    this.called.set(part, times.set(called, (times.get(called) ?? 0) + weight));
  }
}

/** How the loop goes from part to part in one operation. Most have one part, and make no map. */
class Switches {
  /** Number of parts: a pair of them is one number. */
  readonly #size: number;
  #counts: Map<number, number> | null = null;
  #before = -1;

  constructor(size: number) {
    this.#size = size;
  }

  /** False if the loop is still in this part. */
  goTo(part: number): boolean {
    const before = this.#before;
    if (part === before) return false;
    this.#before = part;
    if (before === -1) return true;
    const pair = Math.min(part, before) * this.#size + Math.max(part, before);
    this.#counts ??= new Map();
    this.#counts.set(pair, (this.#counts.get(pair) ?? 0) + 1);
    return true;
  }

  alternating(): readonly (readonly [number, number])[] {
    if (this.#counts === null) return [];
    const often = [...this.#counts].filter(([, count]) => count >= MIN_SWITCHES);
    return often.map(([pair]) => [Math.floor(pair / this.#size), pair % this.#size]);
  }
}

/** Minimum switches between two parts that alternate: there, back, and there again. */
const MIN_SWITCHES = 3;

/**
 * Which own part has the samples of a node: that of the nearest culprit above. Below a loader frame, culprits that are
 * module bodies are skipped (docs/definition.md, rule 13). Used for one operation of an isolate after the other.
 */
class OwnersInOperation {
  readonly tree: CallTree;
  readonly #flags: FunctionFlags;
  /** By node, valid for the current stamp: number of the part that is placed at it. */
  readonly #placed: Int32Array;
  /** Number of the part that has its samples. */
  readonly #owner: Int32Array;
  /** The same, without module bodies. */
  readonly #ownerOutsideBodies: Int32Array;
  /** Id of the function of a package or of Node in which the node is, without own code in between; −1 for none. */
  readonly #called: Int32Array;
  /** Id of the nearest own function, the node's own one first; −1 for none. */
  readonly #ownAt: Int32Array;
  /** 1 where the function of the part that has the node is on the stack twice. */
  readonly #nested: Uint8Array;
  readonly #ownParts: JudgedRun['ownParts'];
  readonly #reentered: Uint8Array;
  readonly #placedIn: Int32Array;
  readonly #ownedIn: Int32Array;
  #stamp = 0;

  /** `reentered`: `ownerOf` sets it for each part whose function is called again below it. */
  constructor(tree: CallTree, flags: FunctionFlags, ownParts: JudgedRun['ownParts'], reentered: Uint8Array) {
    this.tree = tree;
    this.#flags = flags;
    this.#ownParts = ownParts;
    this.#reentered = reentered;
    const list = (): Int32Array => new Int32Array(tree.size);
    [this.#placed, this.#owner, this.#ownerOutsideBodies] = [list(), list(), list()];
    [this.#called, this.#ownAt, this.#placedIn, this.#ownedIn] = [list(), list(), list(), list()];
    this.#nested = new Uint8Array(tree.size);
  }

  /** Begins an operation with these own parts. */
  begin(parts: Int32Array): void {
    const ownParts = this.#ownParts;
    this.#stamp++;
    for (const part of parts)
      for (const place of ownParts.placesOf(part)) {
        const node = ownParts.places.nodeOf(place);
        this.#placed[node] = part;
        this.#placedIn[node] = this.#stamp;
      }
  }

  /** Number of the part that has the samples of a node; −1 for none. */
  ownerOf(node: number): number {
    if (node < firstFunctionNode) return -1;
    if (this.#ownedIn[node] !== this.#stamp) this.#find(node);
    return this.#owner[node] ?? -1;
  }

  /** What `ownerOf` has found for the node: the outermost function of a package or of Node since own code; −1 for none. */
  calledAt(node: number): number {
    return this.#called[node] ?? -1;
  }

  /** Whether the function of the part that `ownerOf` has found for the node is on the stack twice. */
  isNested(node: number): boolean {
    return this.#nested[node] === 1;
  }

  #find(node: number): void {
    const { parent, functionId } = this.tree;
    const missing: number[] = [];
    for (let at = node; at >= firstFunctionNode && this.#ownedIn[at] !== this.#stamp; at = parent[at] ?? 0)
      missing.push(at);
    for (let at = missing.pop(); at !== undefined; at = missing.pop()) {
      const above = parent[at] ?? 0;
      const isTop = above < firstFunctionNode;
      const fn = functionId[at] ?? 0;
      const caller = isTop ? -1 : (this.#ownerOutsideBodies[above] ?? -1);
      const owner = isTop ? -1 : (this.#owner[above] ?? -1);
      const place = this.#placedIn[at] === this.#stamp ? (this.#placed[at] ?? -1) : -1;
      this.#owner[at] = place !== -1 ? place : this.#flags.loader[fn] === 1 ? caller : owner;
      this.#ownerOutsideBodies[at] = place !== -1 && this.#flags.moduleBody[fn] === 0 ? place : caller;
      const ownAbove = isTop ? -1 : (this.#ownAt[above] ?? -1);
      if (this.#ownedIn[at] === 0) this.#noteCalled(at, isTop ? -1 : above);
      if (place === -1 && owner !== -1 && fn !== ownAbove && fn === this.#ownParts.functionOf(owner))
        this.#reentered[owner] = 1;
      const isAgain = place === -1 ? fn === this.#functionOf(this.#owner[at] ?? -1) : this.#isOn(above, fn);
      const isBelow = place === -1 && owner === this.#owner[at] && this.#nested[above] === 1;
      this.#nested[at] = Number(!isTop && (isAgain || isBelow));
      this.#ownedIn[at] = this.#stamp;
    }
  }

  /** Id of the function of a part; −1 for no part. */
  #functionOf(part: number): number {
    return part === -1 ? -1 : this.#ownParts.functionOf(part);
  }

  /** Whether a function is on the stack of a node. */
  #isOn(node: number, fn: number): boolean {
    const { parent, functionId } = this.tree;
    let at = node;
    while (at >= firstFunctionNode && functionId[at] !== fn) at = parent[at] ?? 0;
    return at >= firstFunctionNode;
  }

  /** Notes what no operation changes. `above`: the caller's node, of which it is noted already; −1 for none. */
  #noteCalled(node: number, above: number): void {
    const fn = this.tree.functionId[node] ?? 0;
    const isOwn = this.#flags.own[fn] === 1;
    const called = this.#called[above] ?? -1;
    this.#ownAt[node] = isOwn ? fn : (this.#ownAt[above] ?? -1);
    this.#called[node] = isOwn ? -1 : called === -1 && this.#flags.native[fn] === 0 ? fn : called;
  }
}
