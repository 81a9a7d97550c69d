import type { BridgedSamples, Operation } from '../../cut/operations/operation.ts';
import { firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import { type Kernel, nodeFlags, type TreeLists } from '../../basics/kernel/kernel.ts';
import type { FunctionInfo, FunctionFlags } from '../../read/functions/function-table.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';

/**
 * The call tree of one operation of an isolate after the other, in order of their samples: only the nodes it ran in,
 * each at a *place*, which lie side by side in memory. Place 0 is the root; parents come before their children. Arrays
 * are indexed by place up to `size`, and reused for the next operation.
 */
export class OperationTree {
  size = 1;
  /** Node of the isolate's tree, by place. */
  readonly nodes: Int32Array;
  readonly functionId: Int32Array;
  /** Place of the parent, by place. */
  readonly parent: Int32Array;
  /** Sums of the samples at the node itself. */
  readonly self: SampleSums;
  /** Weight in µs of the samples at the node and below it. */
  readonly total: Float64Array;
  /** Number of the first sample at the node or below it. */
  readonly firstSample: Int32Array;
  /** Time in µs of collections without a stack. */
  collecting = 0;
  /** Time in µs of all garbage collection, whatever it interrupted. */
  gc = 0;
  readonly #kernel: Kernel;
  readonly #bridged: BridgedSamples;
  readonly #collections: Int32Array;
  readonly #placeOf: Int32Array;
  /** The samples from `#first` up to, but not including, `#end` are in the kernel's window. */
  #first = 0;
  #end = 0;
  /** Index of the first collection that is not before the last operation. */
  #next = 0;

  /** `collections`: numbers of the samples that were collections, ascending. */
  constructor(kernel: Kernel, tree: TreeLists, bridged: BridgedSamples, collections: Int32Array) {
    this.#kernel = kernel;
    this.#bridged = bridged;
    this.#collections = collections;
    this.#placeOf = tree.placeOf;
    this.nodes = tree.nodes;
    this.functionId = tree.functions;
    this.parent = tree.parents;
    this.self = { weight: tree.weights, samples: tree.samples, longest: tree.longest };
    this.total = tree.totals;
    this.firstSample = tree.firstSamples;
  }

  /** Time in µs of native samples without a stack; 0 for an operation without samples. */
  get native(): number {
    return this.#kernel.calls.weightOfBare() - this.collecting;
  }

  /** False where no node of the operation loads modules. */
  get mayLoad(): boolean {
    return (this.#kernel.calls.flagsOfPlaces() & nodeFlags.loads) !== 0;
  }

  weigh(operation: Operation): void {
    const { weights } = this.#bridged;
    const { firstSample, measured } = operation;
    const lastSample = Math.min(operation.lastSample, weights.length);
    const { calls } = this.#kernel;
    calls.beginOperation();
    for (let from = firstSample; from < lastSample; from = this.#end) {
      if (from < this.#first || lastSample > this.#end) this.#moveWindow(from);
      const end = Math.min(lastSample, this.#end);
      calls.addSamples(from - this.#first, end - from, from, measured);
    }
    this.size = calls.sumUp();
    this.#addCollections(operation);
  }

  /** Index of the node in this operation's tree; 0 if it did not run. */
  placeOf(node: number): number {
    return this.#placeOf[node] ?? 0;
  }

  #moveWindow(first: number): void {
    const { nodes, weights } = this.#bridged;
    const { windowNodes, windowWeights } = this.#kernel.window;
    const end = Math.min(nodes.length, first + windowNodes.length);
    windowNodes.set(nodes.subarray(first, end));
    weights.copyTo(windowWeights, first, end);
    this.#first = first;
    this.#end = end;
  }

  /** Adds up the collections of an operation, and those without a stack. There are few. */
  #addCollections(operation: Operation): void {
    const { firstSample, lastSample } = operation;
    this.collecting = 0;
    this.gc = 0;
    const collections = this.#collections;
    const { length } = collections;
    while (this.#next < length && (collections[this.#next] ?? 0) < firstSample) this.#next++;
    const { nodes, weights } = this.#bridged;
    for (let at = this.#next; at < length; at++) {
      const sample = collections[at] ?? 0;
      if (sample >= lastSample) break;
      const weight = weights.at(sample);
      this.gc += weight;
      if ((nodes[sample] ?? 0) < firstFunctionNode) this.collecting += weight;
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
  readonly cutPathOf: (node: number) => number;
  /** Number of the first sample in this isolate whose stack has the function, by function id; −1 where none has. */
  readonly firstSeen: Int32Array;
}

/** Sums of samples by place in an operation's tree. */
export interface SampleSums {
  /** Sum of the weights in µs. */
  readonly weight: Float64Array;
  readonly samples: Int32Array;
  /** Longest sample in µs, at most 2³² − 1. 0 in inferred operations, whose figures are estimates anyway. */
  readonly longest: Uint32Array;
}

/** Sums by index, in the unit of what is added. */
export class Sums extends Float64Array {
  add(index: number, value: number): void {
    this[index] = (this[index] ?? 0) + value;
  }
}
