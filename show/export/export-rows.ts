import type { Analysis } from '../../engine/analysis.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { type Operation, weightIn } from '../../engine/cut/operations/operation.ts';
import { operationRoutes } from '../../engine/judge/requests/route-waits.ts';
import { metaNodes } from '../../engine/read/samples/call-tree.ts';
import { threadNames } from '../../words/thread-names.ts';

/** What one stack took on one thread, in one test and for one set of routes. */
export interface ExportRow {
  /** Index into `Analysis.streams`. */
  readonly stream: number;
  /** Node of that stream's tree: the innermost frame. */
  readonly node: number;
  readonly samples: number;
  /** Held time, and time by the clock, in µs. */
  readonly heldUs: number;
  readonly wallUs: number;
  readonly labels: Labels;
}

export interface Labels {
  readonly thread: string;
  /** Titles of its suites and its own; null outside of a test. */
  readonly test: string | null;
  readonly routes: readonly string[];
}

/** Which part of a recording is exported: all of it, or one operation, by its place among the longest, from 1. */
export type ExportedPart = 'all' | number;

/** The operation at a place among the longest on event loops; undefined where there are not so many. */
export function longestOperation({ operations }: Analysis, place: number): number | undefined {
  return [...operations.keys()].toSorted((a, b) => heldIn(operations, b) - heldIn(operations, a))[place - 1];
}

function heldIn(operations: readonly Operation[], number: number): number {
  return operations[number]?.held ?? 0;
}

/** Sums of all samples that were not idle, thread by thread; of one operation its own. */
export function* exportRows(analysis: Analysis, part: ExportedPart): Generator<ExportRow, undefined> {
  const only = part === 'all' ? null : (longestOperation(analysis, part) ?? -1);
  const names = threadNames(analysis.streams);
  const routes = operationRoutes(analysis);
  const numbers = groupBy(analysis.operations.keys(), (number) => analysis.operations[number]?.stream ?? -1);
  for (const stream of analysis.streams.keys()) {
    const own = (numbers.get(stream) ?? []).filter((number) => only === null || number === only);
    if (only !== null && own.length === 0) continue;
    const labels = new LabelList(names[stream]?.name ?? '');
    const labelOf = labelsBySample(analysis, stream, own, labels, routes);
    const operation = only === null ? null : (analysis.operations[only] ?? null);
    yield* rowsOfStream(analysis, { stream, only: operation, labels: labels.all, labelOf });
  }
  return undefined;
}

/** The different labels of a thread, by number. */
class LabelList {
  readonly all: Labels[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #thread: string;

  constructor(thread: string) {
    this.#thread = thread;
    this.numberOf(null, []);
  }

  numberOf(test: string | null, routes: readonly string[]): number {
    const key = JSON.stringify([test, routes]);
    const known = this.#numbers.get(key) ?? this.all.push({ thread: this.#thread, test, routes }) - 1;
    this.#numbers.set(key, known);
    return known;
  }
}

/** The number of its label by sample; 0 outside of operations. */
function labelsBySample(
  { operations, bridged }: Analysis,
  stream: number,
  numbers: readonly number[],
  labels: LabelList,
  routes: ReadonlyMap<number, ReadonlySet<string>> | null,
): Uint32Array {
  const labelOf = new Uint32Array(bridged[stream]?.nodes.length ?? 0);
  for (const number of numbers) {
    const operation = operations[number];
    if (operation === undefined) continue;
    const label = labels.numberOf(operation.test?.name ?? null, [...(routes?.get(number) ?? [])].toSorted());
    labelOf.fill(label, operation.firstSample, operation.lastSample);
  }
  return labelOf;
}

interface Exported {
  readonly stream: number;
  /** Null for all operations. */
  readonly only: Operation | null;
  readonly labels: readonly Labels[];
  /** Index into `labels` by sample. */
  readonly labelOf: Uint32Array;
}

function* rowsOfStream(
  { streams, bridged }: Analysis,
  { stream, only, labels, labelOf }: Exported,
): Generator<ExportRow, undefined> {
  const sampled = streams[stream];
  const { nodes, weights } = bridged[stream] ?? {};
  if (sampled === undefined || nodes === undefined || weights === undefined) return undefined;
  const wall = sampled.times.lasts(sampled.end);
  const sums = new Map<number, { samples: number; held: number; wall: number }>();
  const count = labels.length;
  for (let sample = only?.firstSample ?? 0; sample < (only?.lastSample ?? nodes.length); sample++) {
    const node = nodes[sample] ?? 0;
    if (node === metaNodes.idle || node === metaNodes.root) continue;
    const key = node * count + (labelOf[sample] ?? 0);
    const sum = sums.get(key) ?? { samples: 0, held: 0, wall: 0 };
    sum.samples++;
    sum.held += only === null ? weights.at(sample) : weightIn(only, sample, weights);
    sum.wall += wall.at(sample);
    sums.set(key, sum);
  }
  const [none = { thread: '', test: null, routes: [] }] = labels;
  for (const [key, { samples, held, wall: wallUs }] of sums) {
    const row = { stream, node: Math.floor(key / count), samples, heldUs: held, wallUs };
    yield { ...row, labels: labels[key % count] ?? none };
  }
  return undefined;
}
