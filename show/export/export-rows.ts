import type { Analysis } from '../../engine/analysis.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { clockTimes } from '../../engine/cut/operations/held-time.ts';
import type { Operation } from '../../engine/cut/operations/operation.ts';
import { operationRoutes } from '../../engine/judge/requests/route-waits.ts';
import { ListedWeights } from '../../engine/read/samples/weights.ts';
import { metaNodes } from '../../engine/read/samples/call-tree.ts';
import { isWaitedFor } from '../../engine/read/samples/sample-stream.ts';
import { threadNames } from '../../words/thread-names.ts';
import { originsOfTicks, type Ticks } from '../../engine/judge/lines/line-shares.ts';
import { type Line1, line1, toLine1 } from '../../protocol/units.ts';
import type { SourceMapper } from '../../engine/read/sourcemap/source-mapper.ts';
import type { OriginalLine } from '../../engine/read/sourcemap/ask-map.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';

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

/** The numbers of the operations, the longest first: of those that something waits for; where there are none, of all. */
export function longestOperations({ operations, streams }: Analysis): readonly number[] {
  const waited = [...operations.entries()].filter(([, { stream }]) => isWaitedFor(streams[stream]));
  const listed = waited.length > 0 ? waited : [...operations.entries()];
  return listed.toSorted(([, a], [, b]) => b.held - a.held).map(([number]) => number);
}

/** The operation that is exported; null where all are, or there is none at its place. */
export function exportedOperation(analysis: Analysis, part: ExportedPart): Operation | null {
  return part === 'all' ? null : (analysis.operations[longestOperations(analysis)[part - 1] ?? -1] ?? null);
}

/** Sums of all samples that were not idle, thread by thread; of one operation its own. */
export function* exportRows(analysis: Analysis, part: ExportedPart): Generator<ExportRow, void> {
  const only = part === 'all' ? null : (longestOperations(analysis)[part - 1] ?? -1);
  const operation = exportedOperation(analysis, part);
  const names = threadNames(analysis.streams);
  const routes = operationRoutes(analysis);
  const numbers = groupBy(analysis.operations.keys(), (number) => analysis.operations[number]?.stream ?? -1);
  for (const stream of analysis.streams.keys()) {
    const own = (numbers.get(stream) ?? []).filter((number) => only === null || number === only);
    if (only !== null && own.length === 0) continue;
    const labels = new LabelList(names[stream]?.name ?? '');
    const labelOf = labelsBySample(analysis, stream, own, labels, routes);
    yield* rowsOfStream(analysis, { stream, only: operation, labels: labels.all, labelOf });
  }
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
): Generator<ExportRow, void> {
  const sampled = streams[stream];
  const { nodes, weights } = bridged[stream] ?? {};
  if (sampled === undefined || nodes === undefined || weights === undefined) return;
  const wall =
    sampled.turns === null ? sampled.times.lasts(sampled.end) : new ListedWeights(clockTimes(sampled, sampled.turns));
  const sums = new Map<number, { samples: number; held: number; wall: number }>();
  const count = labels.length;
  for (let sample = only?.firstSample ?? 0; sample < (only?.lastSample ?? nodes.length); sample++) {
    const node = nodes[sample] ?? 0;
    if (node === metaNodes.idle || node === metaNodes.root) continue;
    const key = node * count + (labelOf[sample] ?? 0);
    const sum = sums.get(key) ?? { samples: 0, held: 0, wall: 0 };
    sum.samples++;
    sum.held += weights.at(sample);
    sum.wall += wall.at(sample);
    sums.set(key, sum);
  }
  const [none = { thread: '', test: null, routes: [] }] = labels;
  for (const [key, { samples, held, wall: wallUs }] of sums) {
    const row = { stream, node: Math.floor(key / count), samples, heldUs: held, wallUs };
    yield { ...row, labels: labels[key % count] ?? none };
  }
}

/** The lines of an innermost frame by their part of its samples: where V8 has ticks. Others have their function's line. */
export type LeafLines = (stream: number, node: number) => readonly { readonly line: number; readonly share: number }[];

/** V8 knows lines of innermost frames alone. A tick whose line is not certain has the line of its function. */
export async function leafLines(
  { streams, functions }: Analysis,
  mapper: Pick<SourceMapper, 'lines'> | null,
): Promise<LeafLines> {
  const ticks = streams.map(({ tree }) => tree.ticks());
  const every = new Map<string, Ticks>();
  for (const { frame, line } of ticks)
    for (const [index, of] of frame.entries()) {
      const at = line1(line[index] ?? 0);
      every.set(`${of}:${at}`, { frame: of, line: at, count: 1 });
    }
  const origins = await originsOfTicks(every.values(), functions, mapper);
  return (stream, node) => {
    const { start, frame, line, count } = ticks[stream] ?? {};
    const fn = functions.functions[streams[stream]?.tree.functionId[node] ?? -1];
    if (fn === undefined) return [];
    const counts = new Map<number, number>();
    for (let tick = start?.[node] ?? 0; tick < (start?.[node + 1] ?? 0); tick++) {
      const url = functions.frames[frame?.[tick] ?? -1]?.url ?? '';
      const at = line1(line?.[tick] ?? 0);
      const places = origins.has(url) ? (origins.get(url)?.get(at) ?? []) : [{ url, line: at, isGuess: false }];
      const of = certainLine(places, fn) ?? toLine1(fn.line);
      counts.set(of, (counts.get(of) ?? 0) + (count?.[tick] ?? 0));
    }
    const all = [...counts.values()].reduce((sum, one) => sum + one, 0);
    return [...counts].map(([of, one]) => ({ line: of, share: one / all }));
  };
}

/** Null for a guess, for one of several lines, and outside of the function, where the code of another was inlined. */
function certainLine([place, ...others]: readonly OriginalLine[], fn: FunctionInfo): Line1 | null {
  if (place === undefined || others.length > 0 || place.isGuess || fn.byName || fn.line < 0) return null;
  return place.url === fn.url && place.line > fn.line ? place.line : null;
}

/** The texts of an export: unchanged, or scrubbed of what identifies the user. */
export interface ExportTexts {
  readonly name: (text: string) => string;
  /** A path or a url. */
  readonly place: (text: string) => string;
  readonly route: (text: string) => string;
  /** What was run; null where that stays here. */
  readonly title: string | null;
}

/** What other tools show of a function. */
export interface ExportFrame {
  readonly name: string;
  /** Path, or the url of code that is in no file; `''` for native code. */
  readonly file: string;
  /** From 1; 0 where it is unknown. */
  readonly line: number;
}

/** The frames by function id; last the two of time outside of functions. */
export function exportFrames({ functions: { functions } }: Analysis, texts: ExportTexts): readonly ExportFrame[] {
  const frameOf = ({ label, path, url, line }: FunctionInfo): ExportFrame => {
    const file = path ?? url;
    return {
      name: texts.name(label === '' ? '(anonymous)' : label),
      file: texts.place(file),
      line: Math.max(0, line + 1),
    };
  };
  const outside = ['(program)', '(garbage collector)'].map((name): ExportFrame => ({ name, file: '', line: 0 }));
  return [...functions.map(frameOf), ...outside];
}

/** Indices of the frames of a stack, the innermost first. */
export function framesOf(
  { streams, functions: { functions } }: Analysis,
  stream: number,
  node: number,
): readonly number[] {
  const { parent, functionId } = streams[stream]?.tree ?? {};
  const stack: number[] = [];
  for (let at = node; at > metaNodes.gc; at = parent?.[at] ?? 0) stack.push(functionId?.[at] ?? 0);
  if (node === metaNodes.gc) return [functions.length + 1];
  return stack.length === 0 ? [functions.length] : stack;
}
