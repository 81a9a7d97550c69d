import { firstDifference, groupBy } from '../../engine/basics/lists.ts';
import type { Analysis } from '../../engine/analysis.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import type { Operation } from '../../engine/cut/operations/operation.ts';
import { type CallTree, firstFunctionNode, metaNodes } from '../../engine/read/samples/call-tree.ts';
import { isBackground, type SampleStream } from '../../engine/read/samples/sample-stream.ts';
import type { ReducedFrame, ReducedIsolate, ReducedLine, ReducedSuite } from './reduced-suite.ts';

/**
 * The least of a recording from which the same findings come: measured times, names and places of functions, which
 * are those of the originals already, and which packages its tests import. It has no text of any program. Its clock runs
 * in held time. `textOf` reads the source of a file of the project.
 */
export function reducedSuite(analysis: Analysis, textOf: (path: string) => string): ReducedSuite {
  const isolates: ReducedIsolate[] = [];
  for (const [number, operations] of groupBy(keptOperations(analysis), (at) => analysis.operations[at]?.stream ?? -1)) {
    const stream = analysis.streams[number];
    if (stream !== undefined) isolates.push(reducedIsolate(analysis, stream, operations));
  }
  return { command: analysis.recording.command ?? [], isolates, imports: importsOf(analysis, textOf) };
}

/** Own sampled files that import a package whose functions were called, with the names of these packages. */
function importsOf(
  { functions: { functions } }: Analysis,
  textOf: (path: string) => string,
): NonNullable<ReducedSuite['imports']> {
  const packages = new Set(functions.flatMap(({ packageName }) => packageName ?? []));
  const paths = new Set(functions.flatMap(({ own, path }) => (own && path !== null ? [path] : [])));
  const imports = [...paths].toSorted().map((path) => {
    const named = [...textOf(path).matchAll(/from ['"]([^'"]+)['"]|require\(['"]([^'"]+)['"]\)/g)];
    const names = named.map(([, from, required]) => from ?? required ?? '').filter((name) => packages.has(name));
    return [path, [...new Set(names)]] as const;
  });
  return Object.fromEntries(imports.filter(([, names]) => names.length > 0));
}

/** Most operations with a part of a finding: the longest. */
const mostOperations = 200;

/**
 * Numbers of operations, ascending: those in which code of the program has a part of a finding, the first one of each
 * isolate in which their functions ran, and a short one, because these tell first calls from others. What is left out is
 * of tests, or of nothing but loading and garbage.
 */
function keptOperations(analysis: Analysis): readonly number[] {
  const { operations, streams, findings } = analysis;
  const { functions } = analysis.functions;
  const held = (at: number): number => operations[at]?.held ?? 0;
  const longer = (a: number, b: number): number => firstDifference(held(b) - held(a), a - b);
  const ofProgram = findings.all.filter(({ subject, closedBecause }) =>
    subject.type === 'function'
      ? functions[subject.functionId]?.role !== 'test'
      : subject.type === 'package' && closedBecause !== 'test',
  );
  const numbers = [...new Set(ofProgram.flatMap((finding) => finding.operations))].toSorted(longer);
  const long = numbers.slice(0, mostOperations);
  const inSubjects = new Set(ofProgram.flatMap(functionsOf));
  const counted = [...operations.keys()].filter((at) => {
    const stream = streams[operations[at]?.stream ?? -1];
    return stream !== undefined && !isBackground(stream) && !stream.isolate.isTestParent;
  });
  const isolates = new Set(long.map((at) => operations[at]?.stream));
  const keysOf = (at: number): readonly string[] =>
    [...ownFunctions(analysis, operations[at])]
      .filter((fn) => inSubjects.has(fn))
      .map((fn) => `${operations[at]?.stream} ${fn}`);
  const inIsolates = counted.filter((at) => isolates.has(operations[at]?.stream));
  const first = covers(inIsolates, keysOf);
  const short = inIsolates.filter((at) => held(at) <= analysis.thresholdUs && !first.includes(at)).toSorted(longer);
  return [...new Set([...long, ...first, ...covers(short, keysOf)])].toSorted((a, b) => a - b);
}

/** Ids of the functions that a finding is about. */
function functionsOf({ subject, parts }: Analysis['findings']['all'][number]): readonly number[] {
  return [...(subject.type === 'function' ? [subject.functionId] : []), ...parts.map(({ functionId }) => functionId)];
}

/** Those of the numbers that have something that no number before them has. */
function covers(numbers: readonly number[], keysOf: (number: number) => readonly string[]): readonly number[] {
  const known = new Set<string>();
  return numbers.filter((number) => {
    const before = known.size;
    for (const key of keysOf(number)) known.add(key);
    return known.size > before;
  });
}

/** Ids of the own functions in an operation that are not tests. */
function ownFunctions(
  { streams, bridged, functions: { functions } }: Pick<Analysis, 'streams' | 'bridged' | 'functions'>,
  operation: Operation | undefined,
): ReadonlySet<number> {
  const found = new Set<number>();
  const tree = streams[operation?.stream ?? -1]?.tree;
  const nodes = bridged[operation?.stream ?? -1]?.nodes;
  if (operation === undefined || tree === undefined || nodes === undefined) return found;
  for (let sample = operation.firstSample; sample < operation.lastSample; sample++)
    for (let at = nodes[sample] ?? 0; at >= firstFunctionNode; at = tree.parent[at] ?? 0) {
      const fn = functions[tree.functionId[at] ?? -1];
      if (fn?.own === true && fn.role !== 'test') found.add(fn.id);
    }
  return found;
}

/** Time between operations, in µs. */
const gap = 2_000;

function reducedIsolate(analysis: Analysis, stream: SampleStream, numbers: readonly number[]): ReducedIsolate {
  const samples = new SampleList();
  const turns: ReducedLine[] = [];
  const tests: ReducedLine[] = [];
  const testNames = new Map<string, string>();
  let clock = gap;
  for (const number of numbers) {
    const operation = analysis.operations[number];
    const bridged = analysis.bridged[operation?.stream ?? -1];
    if (operation === undefined || bridged === undefined) continue;
    const start = clock;
    for (let at = operation.firstSample; at < operation.lastSample; at++) {
      samples.add(bridged.sampled[at] ?? metaNodes.program, clock);
      clock += bridged.weights.at(at);
    }
    const turn = turnOf(operation, start);
    turns.push(turn);
    samples.add(metaNodes.idle, start + operation.held);
    if (operation.test !== null) {
      const name = testNames.get(operation.test.name) ?? `test ${testNames.size + 1}`;
      testNames.set(operation.test.name, name);
      tests.push(['begin', start - gap / 4, number, '', [name], -1], ['end', turn[2] + gap / 4, number]);
    }
    clock = Math.max(clock, turn[2]) + gap;
  }
  const { nodeVersion } = stream.isolate;
  return { nodeVersion, end: clock, ...samples.table(stream.tree, analysis.functions.functions), turns, tests };
}

type WrittenTurn = readonly ['turn', start: number, end: number, run: number, own: number, wait: number];

/** Its time by the clock is its held time, and the recorder's part where that was much. */
function turnOf({ held, thread, doubt }: Operation, start: number): WrittenTurn {
  const slept = thread.slept;
  const own = doubt === 'recorder' ? Math.ceil(held / 4) : 0;
  return ['turn', start, start + held + own, slept === null ? -1 : held - slept, own, slept === null ? -1 : 0];
}

/** Samples of a profile that is being written. */
class SampleList {
  readonly #nodes: number[] = [];
  readonly #times: number[] = [];

  add(node: number, time: number): void {
    this.#nodes.push(node);
    this.#times.push(Math.round(time));
  }

  table(
    { parent, functionId }: CallTree,
    functions: readonly FunctionInfo[],
  ): Pick<ReducedIsolate, 'frames' | 'frameOf' | 'parentOf' | 'samples' | 'deltas'> {
    const used = new Set<number>(Object.values(metaNodes));
    for (const node of this.#nodes) for (let at = node; at > 0 && !used.has(at); at = parent[at] ?? 0) used.add(at);
    const nodes = [...used].toSorted((a, b) => a - b);
    const numbers = new Map(nodes.map((node, at) => [node, at]));
    const frames = new Map<number, number>();
    const frameOf = nodes.map((node) => {
      const key = node < firstFunctionNode ? -1 - node : (functionId[node] ?? 0);
      const known = frames.get(key) ?? frames.size;
      frames.set(key, known);
      return known;
    });
    return {
      frames: [...frames.keys()].map(
        (key) => (key < 0 ? metaFrames[-1 - key] : frameOfFunction(functions[key])) ?? noFrame,
      ),
      frameOf,
      parentOf: nodes.map((node, at) => at - (numbers.get(parent[node] ?? 0) ?? 0)),
      samples: this.#nodes.map((node) => numbers.get(node) ?? 0),
      deltas: this.#times.map((time, at) => time - (this.#times[at - 1] ?? 0)),
    };
  }
}

const noFrame: ReducedFrame = ['', '', -1, -1];
const metaFrames = ['(root)', '(program)', '(idle)', '(garbage collector)'].map((name): ReducedFrame => [
  name,
  '',
  -1,
  -1,
]);

function frameOfFunction(fn: FunctionInfo | undefined): ReducedFrame {
  if (fn === undefined) return noFrame;
  return fn.moduleBody ? ['', fn.url, 0, 0] : [fn.name, fn.url, fn.line, fn.column];
}
