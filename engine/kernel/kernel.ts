import { once } from '../basics/once.ts';
import { kernelModule } from './kernel-module.ts';
import { kernelScript } from './kernel-script.ts';

/**
 * The loops of the analysis that run millions of times, and their memory. Their one source is `wasm/`, which is compiled
 * to WebAssembly, and to JavaScript for where that is missing. A kernel judges all isolates of a run, one after the other.
 */
export class Kernel {
  readonly calls: Calls;
  readonly #exports: Exports;
  readonly #functionCount: number;
  #functions: FunctionLists;

  constructor(functionCount: number, exports = startKernel()) {
    this.calls = exports;
    this.#exports = exports;
    this.#functionCount = functionCount;
    this.#makeRoom(exports.makeRoomForFunctions(functionCount));
    this.#functions = functionLists(exports, functionCount);
  }

  /** They are valid until there is room for another tree. */
  get functions(): FunctionLists {
    return this.#functions;
  }

  /** Makes room for a call tree of so many nodes, in place of the one before. Nobody may use the lists of that one any more. */
  beginTree(size: number): TreeLists {
    const hasGrown = this.#makeRoom(this.#exports.beginTree(size));
    if (hasGrown) this.#functions = functionLists(this.#exports, this.#functionCount);
    return treeLists(this.#exports, size);
  }

  /** Grows the memory up to this address, and says whether it had to. */
  #makeRoom(end: number): boolean {
    const { memory } = this.#exports;
    const missing = (end >>> 0) - memory.buffer.byteLength;
    if (missing <= 0) return false;
    memory.grow(Math.ceil(missing / pageSize));
    return true;
  }
}

/** Of WebAssembly, in bytes. */
const pageSize = 2 ** 16;

/** Flags of a node of the call tree: `treeFlags`. */
export const nodeFlags = {
  /** The same function is not above it. */
  outermost: 1,
  /** Samples there load modules. */
  loads: 2,
} as const;

/** The functions of `wasm/`, which describes them. */
interface Calls {
  readonly setLimits: (long: number, warmUp: number) => void;
  readonly beginOperation: () => void;
  readonly addSamples: (first: number, count: number, sample: number, lastWeight: number, isMeasured: boolean) => void;
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

/** Lists by function id, and lists of such ids; figures are by figure, two for each function. See `wasm/memory.ts`. */
export type FunctionLists = ReturnType<typeof functionLists>;
/** Lists by node of the call tree, and by place in an operation's tree. See `wasm/memory.ts`. */
export type TreeLists = ReturnType<typeof treeLists>;

function functionLists(exports: Exports, count: number) {
  const { boundCount, windowSize } = exports;
  return {
    classBounds: float64(exports, 'classBounds', boundCount.value),
    windowWeights: float64(exports, 'windowWeights', windowSize.value),
    windowNodes: int32(exports, 'windowNodes', windowSize.value),
    functionWeights: float64(exports, 'functionWeights', count),
    present: int32(exports, 'present', count),
    long: int32(exports, 'long', count),
    worst: int32(exports, 'worst', count),
    functionSamples: int32(exports, 'functionSamples', count),
    functionLongest: uint32(exports, 'functionLongest', count),
    firstSeen: int32(exports, 'firstSeen', count),
    worstWeights: float64(exports, 'worstWeights', count * 2),
    worstWarmWeights: float64(exports, 'worstWarmWeights', count * 2),
    mostWeights: float64(exports, 'mostWeights', count * 2),
    classCounts: int32(exports, 'classCounts', count * 2 * (boundCount.value + 1)),
  };
}

function treeLists(exports: Exports, size: number) {
  return {
    treeParents: int32(exports, 'treeParents', size),
    treeFunctions: int32(exports, 'treeFunctions', size),
    treeFlags: new Uint8Array(exports.memory.buffer, addressOf(exports, 'treeFlags'), size),
    placeOf: int32(exports, 'placeOf', size),
    weights: float64(exports, 'weights', size),
    totals: float64(exports, 'totals', size),
    nodes: int32(exports, 'nodes', size),
    functions: int32(exports, 'functions', size),
    parents: int32(exports, 'parents', size),
    firstSamples: int32(exports, 'firstSamples', size),
    samples: int32(exports, 'samples', size),
    longest: uint32(exports, 'longest', size),
  };
}

/** What the kernel exports. */
interface Exports extends Calls, Readonly<Record<ListName, Address>> {
  readonly memory: Pick<WebAssembly.Memory, 'buffer' | 'grow'>;
  /** Both give the address behind all that there is room for. */
  readonly makeRoomForFunctions: (count: number) => number;
  readonly beginTree: (size: number) => number;
  readonly windowSize: Address;
  readonly boundCount: Address;
}

type ListName =
  | 'classBounds'
  | 'windowWeights'
  | 'windowNodes'
  | 'functionWeights'
  | 'present'
  | 'long'
  | 'worst'
  | 'functionSamples'
  | 'functionLongest'
  | 'firstSeen'
  | 'worstWeights'
  | 'worstWarmWeights'
  | 'mostWeights'
  | 'classCounts'
  | 'treeParents'
  | 'treeFunctions'
  | 'treeFlags'
  | 'placeOf'
  | 'weights'
  | 'totals'
  | 'nodes'
  | 'functions'
  | 'parents'
  | 'firstSamples'
  | 'samples'
  | 'longest';

interface Address {
  readonly value: number;
}

function int32(exports: Exports, name: ListName, length: number): Int32Array {
  return new Int32Array(exports.memory.buffer, addressOf(exports, name), length);
}

function uint32(exports: Exports, name: ListName, length: number): Uint32Array {
  return new Uint32Array(exports.memory.buffer, addressOf(exports, name), length);
}

function float64(exports: Exports, name: ListName, length: number): Float64Array {
  return new Float64Array(exports.memory.buffer, addressOf(exports, name), length);
}

/** WebAssembly gives addresses as numbers with a sign. */
function addressOf(exports: Exports, name: ListName): number {
  return exports[name].value >>> 0;
}

const compiled = once(() => new WebAssembly.Module(Buffer.from(kernelModule, 'base64')));

/**
 * Starts a kernel in WebAssembly; in JavaScript where Node was started without it (`--jitless`) or has no addresses left
 * for it (`ulimit -v`).
 */
function startKernel(): Exports {
  try {
    if ('WebAssembly' in globalThis) return new WebAssembly.Instance(compiled()).exports as unknown as Exports;
  } catch (error) {
    // V8 reserves gigabytes of addresses for each memory.
    if (!(error instanceof RangeError)) throw error;
  }
  return startKernelScript();
}

/** Starts a kernel in JavaScript. */
export function startKernelScript(): Exports {
  return kernelScript();
}
