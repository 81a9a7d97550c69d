import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { isRecorder } from '../../read/files/file-path.ts';
import type { JudgedRun } from './judged-run.ts';
import { isBackground, type SampleStream } from '../../read/samples/sample-stream.ts';
import { type CallTree, firstFunctionNode, metaNodes, noFunction } from '../../read/samples/call-tree.ts';
import type { BridgedSamples, Operation } from '../../cut/operations/operation.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { noWeights } from '../../read/samples/weights.ts';
import { firstDifference, groupBy, sumOf } from '../../basics/lists.ts';
import type { OwnPart } from '../function-figures/function-figures.ts';

/**
 * The part that a culprit's worst shows; null for other functions. Background threads count only if it is only there.
 */
export function worstPart(
  { ownParts, operations, streams, figures }: Pick<JudgedRun, 'ownParts' | 'operations' | 'streams' | 'figures'>,
  functionId: number,
): OwnPart | null {
  const isGrey = (figures[functionId]?.culprit ?? null) === null;
  let worst = -1;
  for (let part = 0; part < ownParts.size; part++) {
    if (ownParts.functionOf(part) !== functionId) continue;
    const isHere = isBackground(streams[operations[ownParts.operationOf(part)]?.stream ?? -1]) === isGrey;
    if (isHere && (worst === -1 || ownParts.weightOf(part) > ownParts.weightOf(worst))) worst = part;
  }
  return worst === -1 ? null : ownParts.at(worst);
}

/**
 * The longest time in one operation in which each sample has the function on its stack (rule 10). Always an estimate:
 * V8 loses the calling frame of single samples. Background threads count only if the function is only there.
 */
export function longestRun(analysis: JudgedRun, functionId: number): Microseconds {
  const { operations, streams, figures } = analysis;
  const { presence, background } = figures[functionId] ?? {};
  const isOnLoop = (presence?.worst ?? 0) > 0 || (background?.worst ?? 0) === 0;
  const holding = streams.map((stream) => (isBackground(stream) === isOnLoop ? null : nodesBelow(stream, functionId)));
  let longest = 0;
  for (const operation of operations) {
    const holds = holding[operation.stream] ?? null;
    const bridged = analysis.bridged[operation.stream];
    if (holds === null || bridged === undefined) continue;
    const { nodes, weights } = bridged;
    let run = 0;
    for (let sample = operation.firstSample; sample < operation.lastSample; sample++) {
      run = holds[nodes[sample] ?? 0] === 0 ? 0 : run + weights.at(sample);
      longest = Math.max(longest, run);
    }
  }
  return microseconds(longest);
}

/** Has 1 for nodes with the function on the path to them, by node. */
function nodesBelow({ tree: { parent, functionId, size } }: SampleStream, wanted: number): Uint8Array {
  const holds = new Uint8Array(size);
  for (let node = 1; node < size; node++)
    holds[node] = functionId[node] === wanted ? 1 : (holds[parent[node] ?? 0] ?? 0);
  return holds;
}

interface Called {
  readonly functionId: number;
  /** Its time below the other one, with all that it calls itself, over the whole recording. */
  readonly us: Microseconds;
}

/** The functions, without the recorder's, that a function calls directly, by their time below it: the heaviest first. */
export function calledFunctions({ streams, bridged, functions }: JudgedRun, functionId: number): readonly Called[] {
  const found = new Map<number, number>();
  for (const [index, { tree }] of streams.entries()) {
    const { nodes, weights } = bridged[index] ?? { nodes: [], weights: noWeights };
    const totals = new Float64Array(tree.size);
    weights.addTo(totals, nodes);
    // Children come after their parents, so each node has all of its time before its parent gets it.
    for (let node = tree.size - 1; node > 0; node--) {
      const parent = tree.parent[node] ?? 0;
      const called = tree.functionId[node] ?? noFunction;
      totals[parent] = (totals[parent] ?? 0) + (totals[node] ?? 0);
      if (tree.functionId[parent] === functionId && called !== noFunction && called !== functionId)
        found.set(called, (found.get(called) ?? 0) + (totals[node] ?? 0));
    }
  }
  return [...found]
    .map(([id, us]) => ({ functionId: id, us: microseconds(Math.round(us)) }))
    .filter(({ functionId: id, us }) => us > 0 && !isRecorder(functions.functions[id]?.path ?? null))
    .toSorted((a, b) => firstDifference(b.us - a.us, a.functionId - b.functionId));
}

/** Id of the function that ran before over half of the collections in some operations; for built-in ones their caller. */
export function mostCollected(run: JudgedRun, numbers: readonly number[]): number | null {
  const isCollection = (node: number): boolean => node === metaNodes.gc;
  return mostOf(run, numbers, isCollection, (path) => path.find((fn) => !isBuiltIn(fn)));
}

/** Id of the module body that asked for over half of the loading in some operations (rule 13). */
export function mostLoaded(run: JudgedRun, numbers: readonly number[]): number | null {
  const asker = (path: readonly FunctionInfo[]): FunctionInfo | undefined => {
    const loader = path.findIndex((fn) => fn.loader);
    return loader === -1 ? undefined : path.slice(loader).find((fn) => fn.moduleBody);
  };
  return mostOf(run, numbers, () => true, asker);
}

/**
 * Id of the function that has over half of the time for which one is chosen. `isCounted` is given the node as sampled;
 * a path begins with the innermost function.
 */
function mostOf(
  { operations, streams, bridged, functions: { functions } }: JudgedRun,
  numbers: readonly number[],
  isCounted: (node: number) => boolean,
  choose: (path: readonly FunctionInfo[]) => FunctionInfo | undefined,
): number | null {
  const sums = new Map<number, number>();
  const their = numbers.flatMap((number) => operations[number] ?? []);
  for (const [number, its] of groupBy(their, ({ stream }) => stream)) {
    const tree = streams[number]?.tree;
    for (const [node, us] of timesByNode(its, bridged[number] ?? noSamples, isCounted)) {
      const { id } = choose(functionsTo(node, tree, functions)) ?? { id: noFunction };
      if (id !== noFunction) sums.set(id, (sums.get(id) ?? 0) + us);
    }
  }
  const all = sumOf(sums.values(), (us) => us);
  return [...sums].find(([, us]) => us * 2 > all)?.[0] ?? null;
}

/** Time of the samples of operations of one stream in µs, by node. */
function timesByNode(
  operations: readonly Operation[],
  { nodes, sampled, weights }: Pick<BridgedSamples, 'nodes' | 'sampled' | 'weights'>,
  isCounted: (node: number) => boolean,
): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const { firstSample, lastSample } of operations)
    for (let sample = firstSample; sample < lastSample; sample++) {
      const node = nodes[sample] ?? 0;
      if (isCounted(sampled[sample] ?? 0)) times.set(node, (times.get(node) ?? 0) + weights.at(sample));
    }
  return times;
}

const noSamples = { nodes: new Int32Array(0), sampled: new Int32Array(0), weights: noWeights };

/** The functions on the path to a node, the innermost first. */
function functionsTo(
  node: number,
  tree: CallTree | undefined,
  functions: readonly FunctionInfo[],
): readonly FunctionInfo[] {
  const path: FunctionInfo[] = [];
  for (let at = node; at >= firstFunctionNode; at = tree?.parent[at] ?? 0) {
    const fn = functions[tree?.functionId[at] ?? -1];
    if (fn !== undefined) path.push(fn);
  }
  return path;
}

function isBuiltIn({ url }: FunctionInfo): boolean {
  return url === '' || url.startsWith('node:');
}

/** One call path to a culprit, with the operations that took it. */
interface HeavyStack {
  /** Functions from the outermost to the culprit itself, without leading runner, test and Node frames. */
  readonly functionIds: readonly number[];
  /** The largest own part by this path in one operation. */
  readonly worst: Microseconds;
  /** Number of operations with an own part by this path. */
  readonly longCount: number;
}

/** The `most` heaviest call paths to a culprit, by worst, then by count; empty for other functions. */
export function heaviestStacks(
  { ownParts, paths }: JudgedRun,
  functionId: number,
  most: number,
): readonly HeavyStack[] {
  const { places } = ownParts;
  const found = new Map<number, { worst: number; longCount: number }>();
  for (const part of ownParts.numbersOf((number) => ownParts.functionOf(number) === functionId)) {
    for (const [path, own] of groupBy(ownParts.placesOf(part), (place) => places.pathOf(place))) {
      const weight = sumOf(own, (place) => places.weightOf(place));
      const { worst, longCount } = found.get(path) ?? { worst: 0, longCount: 0 };
      found.set(path, { worst: Math.max(worst, weight), longCount: longCount + 1 });
    }
  }
  return [...found]
    .toSorted(([, a], [, b]) => firstDifference(b.worst - a.worst, b.longCount - a.longCount))
    .slice(0, most)
    .map(([path, { worst, longCount }]) => ({
      functionIds: paths.functionsOf(path),
      worst: microseconds(worst),
      longCount,
    }));
}
