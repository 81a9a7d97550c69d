import { classBounds, durationClasses } from '../../../protocol/figures.ts';
import { once } from '../once.ts';
import { kernelModule } from './kernel-module.ts';
import { kernelScript } from './kernel-script.ts';
import { bytesOfBase64 } from '../bytes.ts';

/**
 * The loops of the analysis that run millions of times, and their memory. Source: `wasm/`, compiled to WebAssembly and
 * to JavaScript. One kernel judges all isolates of a run in turn, and has room for the largest call tree.
 */
export class Kernel {
  readonly calls: Calls;
  /** The samples that are looked at, so many at once. */
  readonly window: Views<typeof windowLists>;
  readonly functions: Views<typeof functionLists>;
  /** By function id of event loops, and behind all of these by function id of background threads. */
  readonly figures: Views<typeof figureLists>;
  /** Number of presences, by figure and class of duration: those of a figure side by side, the shortest first. */
  readonly classCounts: Int32Array;
  readonly #exports: Exports;

  constructor(functions: number, maxNodes: number, start = startKernel) {
    this.#exports = start(functions, maxNodes);
    this.calls = this.#exports;
    this.window = viewsOf(this.#exports, windowLists, this.#exports.windowSize.value);
    this.functions = viewsOf(this.#exports, functionLists, functions);
    this.figures = viewsOf(this.#exports, figureLists, functions * 2);
    this.classCounts = viewsOf(this.#exports, classLists, functions * 2 * durationClasses.length).classCounts;
    viewsOf(this.#exports, boundLists, classBounds.length).classBounds.set(classBounds);
  }

  /** Room for the call tree of the next isolate, in the place of the one before. */
  beginTree(size: number): TreeLists {
    this.calls.beginTree(size);
    return viewsOf(this.#exports, treeLists, size);
  }
}

/** Flags of a node of the call tree: `treeFlags`. */
export const nodeFlags = {
  /** The same function is not above it. */
  outermost: 1,
  /** Samples there load modules. */
  loads: 2,
} as const;

// The lists of `wasm/memory.ts`, which describes them, by what they have an item for.
const windowLists = { windowWeights: Float64Array, windowNodes: Int32Array } as const;
const functionLists = {
  functionWeights: Float64Array,
  present: Int32Array,
  long: Int32Array,
  worst: Int32Array,
  functionSamples: Int32Array,
  functionLongest: Uint32Array,
  firstSeen: Int32Array,
} as const;
const figureLists = { worstWeights: Float64Array, worstWarmWeights: Float64Array, mostWeights: Float64Array } as const;
const classLists = { classCounts: Int32Array } as const;
const boundLists = { classBounds: Float64Array } as const;
const treeLists = {
  treeParents: Int32Array,
  treeFunctions: Int32Array,
  treeFlags: Uint8Array,
  placeOf: Int32Array,
  weights: Float64Array,
  totals: Float64Array,
  nodes: Int32Array,
  functions: Int32Array,
  parents: Int32Array,
  firstSamples: Int32Array,
  samples: Int32Array,
  longest: Uint32Array,
} as const;

/** Lists by node of the call tree, and by place in an operation's tree. */
export type TreeLists = Views<typeof treeLists>;

type Kind = Float64ArrayConstructor | Int32ArrayConstructor | Uint32ArrayConstructor | Uint8ArrayConstructor;
type Kinds = Readonly<Record<string, Kind>>;
type Views<Lists extends Kinds> = { readonly [Name in keyof Lists]: InstanceType<Lists[Name]> };

/** The functions of `wasm/`. True there is 1 here, else 0. */
interface Calls {
  readonly setLimits: (long: number, warmUp: number) => void;
  readonly beginTree: (size: number) => number;
  readonly beginOperation: () => void;
  readonly addSamples: (first: number, count: number, sample: number, isMeasured: boolean) => void;
  readonly sumUp: () => number;
  readonly weightOfBare: () => number;
  readonly flagsOfPlaces: () => number;
  readonly countPresences: (
    start: number,
    held: number,
    firstSample: number,
    lastSample: number,
    firstFigure: number,
  ) => number;
  readonly numberOfPresent: () => number;
  readonly numberOfLong: () => number;
  readonly numberOfWorst: () => number;
  readonly countSamples: () => void;
}

/** All that the kernel exports: addresses of lists, too. */
interface Exports extends Calls {
  readonly memory: Pick<WebAssembly.Memory, 'buffer' | 'grow'>;
  /** This and `beginTree` make room, and give the address behind all that there is room for. */
  readonly makeRoomForFunctions: (count: number) => number;
  readonly windowSize: Address;
}

interface Address {
  readonly value: number;
}

function viewsOf<Lists extends Kinds>(exports: Exports, lists: Lists, length: number): Views<Lists> {
  const addresses = exports as unknown as Readonly<Record<string, Address>>;
  // WebAssembly gives addresses as numbers with a sign.
  const startOf = (name: string): number => (addresses[name]?.value ?? 0) >>> 0;
  const views = Object.entries(lists).map(([name, List]) => [
    name,
    new List(exports.memory.buffer, startOf(name), length),
  ]);
  return Object.fromEntries(views) as Views<Lists>;
}

/** Starts it in WebAssembly, or in JavaScript if that is missing, does not compile, or has no room (`ulimit -v`). */
function startKernel(functions: number, maxNodes: number): Exports {
  try {
    if ('WebAssembly' in globalThis)
      return withRoom(new WebAssembly.Instance(compiled()).exports as unknown as Exports, functions, maxNodes);
  } catch (error) {
    // V8 reserves gigabytes of addresses for each memory.
    if (!(error instanceof RangeError || error instanceof WebAssembly.CompileError)) throw error;
  }
  return startKernelScript(functions, maxNodes);
}

export function startKernelScript(functions: number, maxNodes: number): Exports {
  return withRoom(kernelScript(), functions, maxNodes);
}

const compiled = once(() => new WebAssembly.Module(bytesOfBase64(kernelModule)));

/** Makes all room at once, because views of a memory that grows cannot be used any more. */
function withRoom(exports: Exports, functions: number, maxNodes: number): Exports {
  exports.makeRoomForFunctions(functions);
  const bytes = exports.beginTree(maxNodes) >>> 0;
  exports.memory.grow(Math.ceil(bytes / pageSize) - exports.memory.buffer.byteLength / pageSize);
  return exports;
}

/** Of WebAssembly, in bytes. */
const pageSize = 2 ** 16;
