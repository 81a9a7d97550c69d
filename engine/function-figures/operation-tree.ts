import type { BridgedSamples, Operation } from '../operations/operation.ts';
import { type CallTree, firstFunctionNode } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { firstFrom } from '../basics/lists.ts';
import { NodeSums, longestSample, type SampleCounts } from './sums.ts';
import type { FunctionInfo, FunctionFlags } from '../functions/function-table.ts';
import type { TreeFacts } from '../streams/tree-facts.ts';

/**
 * The call tree of one operation: only the nodes of the isolate's tree in which the operation was, each at a *place*.
 * Place 0 is the root and not a function; parents come before their children. Arrays are indexed by place up to `size`,
 * and reused for the next operation. They are not indexed by node, because most operations are in few nodes, which lie
 * side by side as places.
 */
export interface OperationTree {
  readonly size: number;
  /** Node of the isolate's tree, by place. */
  readonly nodes: Int32Array;
  readonly functionId: Int32Array;
  /** Place of a node in which the operation was. */
  readonly placeOf: (node: number) => number;
  /** Place of the parent, by place. */
  readonly parent: Int32Array;
  /** Sums of the samples at the node itself. */
  readonly self: NodeSums;
  /** Weight in µs of the samples at the node and below it. */
  readonly total: Float64Array;
  /**
   * The samples at the node and below it. They are counted when they are asked for: few operations are the worst of a
   * function, and only of these somebody wants to know.
   */
  readonly below: () => SampleCounts;
  /** Number of the first sample at the node or below it. */
  readonly firstSample: Int32Array;
  /**
   * Time in µs of samples that have no stack, by kind. Both are 0 where the operation has no samples, because then it
   * is not known what held the loop.
   */
  readonly collecting: number;
  readonly native: number;
  /** Time in µs of all garbage collection, whatever it interrupted. */
  readonly gc: number;
}

/**
 * The tree of one operation of an isolate after the other: it is the same object, because there may be ten thousands.
 * `collections` are the numbers of the samples that were collections, ascending.
 */
export class OperationWeigher implements OperationTree {
  size = 1;
  readonly nodes: Int32Array;
  readonly functionId: Int32Array;
  readonly parent: Int32Array;
  readonly self: NodeSums;
  readonly total: Float64Array;
  readonly firstSample: Int32Array;
  collecting = 0;
  native = 0;
  gc = 0;
  readonly #bridged: BridgedSamples;
  readonly #tree: CallTree;
  readonly #collections: Int32Array;
  /** Place by node; 0 for a node in which the operation was not. */
  readonly #places: Int32Array;
  readonly #below: SampleCounts;
  #isCounted = false;

  constructor({ tree }: SampleStream, bridged: BridgedSamples, collections: Int32Array) {
    this.#bridged = bridged;
    this.#collections = collections;
    this.#tree = tree;
    this.#places = new Int32Array(tree.size);
    this.nodes = new Int32Array(tree.size);
    this.functionId = new Int32Array(tree.size);
    this.parent = new Int32Array(tree.size);
    this.self = new NodeSums(tree.size);
    this.total = new Float64Array(tree.size);
    this.#below = { samples: new Int32Array(tree.size), longest: new Uint32Array(tree.size) };
    this.firstSample = new Int32Array(tree.size);
  }

  weigh(operation: Operation): OperationTree {
    this.#clear();
    const { nodes, weights } = this.#bridged;
    const { firstSample, lastSample, lastWeight, measured } = operation;
    const places = this.#places;
    // Sums are written here and not by a call, because there may be millions of samples.
    const { weight: times, samples: counts, longest } = this.self;
    let bare = 0;
    for (let sample = firstSample; sample < lastSample; sample++) {
      const node = nodes[sample] ?? 0;
      const weight = sample + 1 === lastSample ? lastWeight : (weights[sample] ?? 0);
      if (node < firstFunctionNode) {
        bare += weight;
        continue;
      }
      let place = places[node] ?? 0;
      if (place === 0) {
        this.#enter(node, sample);
        place = places[node] ?? 0;
      }
      times[place] = (times[place] ?? 0) + weight;
      counts[place] = (counts[place] ?? 0) + 1;
      if (measured && weight > (longest[place] ?? 0)) longest[place] = weight > longestSample ? longestSample : weight;
    }
    this.#addCollections(operation);
    this.native = bare - this.collecting;
    this.#sumUp();
    return this;
  }

  placeOf(node: number): number {
    return this.#places[node] ?? 0;
  }

  below(): SampleCounts {
    const { samples, longest } = this.#below;
    if (this.#isCounted) return this.#below;
    this.#isCounted = true;
    for (let place = 0; place < this.size; place++) {
      samples[place] = this.self.samples[place] ?? 0;
      longest[place] = this.self.longest[place] ?? 0;
    }
    for (let place = this.size - 1; place > 0; place--) {
      const above = this.parent[place] ?? 0;
      samples[above] = (samples[above] ?? 0) + (samples[place] ?? 0);
      longest[above] = Math.max(longest[above] ?? 0, longest[place] ?? 0);
    }
    return this.#below;
  }

  /** Adds up the collections of an operation, and those without a stack. There are few. */
  #addCollections({ firstSample, lastSample, lastWeight }: Operation): void {
    const { nodes, weights } = this.#bridged;
    for (let at = firstFrom(this.#collections, firstSample); at < this.#collections.length; at++) {
      const sample = this.#collections[at] ?? 0;
      if (sample >= lastSample) break;
      const weight = sample + 1 === lastSample ? lastWeight : (weights[sample] ?? 0);
      this.gc += weight;
      if ((nodes[sample] ?? 0) < firstFunctionNode) this.collecting += weight;
    }
  }

  #clear(): void {
    const { size, nodes } = this;
    const places = this.#places;
    for (let place = 1; place < size; place++) places[nodes[place] ?? 0] = 0;
    this.size = 1;
    this.#isCounted = false;
    this.self.clear(0);
    this.total[0] = 0;
    [this.collecting, this.native, this.gc] = [0, 0, 0];
  }

  /** Gives places to all nodes on the path to this one that have none yet, outermost first. */
  #enter(leaf: number, sample: number): void {
    const { parent, functionId } = this.#tree;
    const places = this.#places;
    const known = this.size;
    let outside = leaf;
    for (; outside >= firstFunctionNode && places[outside] === 0; outside = parent[outside] ?? 0) this.size++;
    let node = leaf;
    for (let place = this.size - 1; place >= known; place--) {
      places[node] = place;
      this.nodes[place] = node;
      this.functionId[place] = functionId[node] ?? 0;
      this.parent[place] = place - 1;
      this.firstSample[place] = sample;
      this.self.clear(place);
      this.total[place] = 0;
      node = parent[node] ?? 0;
    }
    this.parent[known] = outside < firstFunctionNode ? 0 : (places[outside] ?? 0);
  }

  #sumUp(): void {
    const { total, parent, self } = this;
    for (let place = this.size - 1; place > 0; place--) {
      const weight = (total[place] ?? 0) + (self.weight[place] ?? 0);
      total[place] = weight;
      const above = parent[place] ?? 0;
      total[above] = (total[above] ?? 0) + weight;
    }
  }
}

/** One isolate, with what is known before its operations are looked at. */
export interface PreparedStream {
  readonly stream: SampleStream;
  readonly facts: TreeFacts;
  readonly bridged: BridgedSamples;
  readonly functions: readonly FunctionInfo[];
  readonly flags: FunctionFlags;
  /** Number of the cut path to a node. */
  readonly cutPathOf: (node: number) => number;
  /** Number of the first sample in this isolate whose stack has the function, by function id; −1 where none has. */
  readonly firstSeen: Int32Array;
}
