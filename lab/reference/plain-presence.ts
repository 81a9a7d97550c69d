import { microseconds } from '../../protocol/units.ts';
import type { PlainFunction } from './plain-function.ts';
import { type PlainEstimate, plainEstimate, worstOf } from './plain-estimate.ts';
import type { OperationSample, PlainOperation } from './plain-operations.ts';
import { sumOf } from './plain-own-parts.ts';
import type { PlainThread } from './plain-thread.ts';
import { type DurationClass, durationClassOf, durationClasses } from '../../protocol/figures.ts';

/** Rules 8, 9 and 10, of one function. Times in µs. */
export interface PlainPresence {
  readonly worstUs: number;
  readonly worstWarmUs: number;
  readonly worstSamples: number;
  readonly estimated: boolean;
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly presences: Readonly<Record<DurationClass, number>>;
}

/** In µs: what takes longer is not warming up. */
export const longestCold = 100_000;

/** By function, over the threads that somebody waits on. */
export function plainPresences(
  threads: readonly PlainThread[],
  thresholdUs: number,
  ids: FunctionIds,
): ReadonlyMap<PlainFunction, PlainPresence> {
  const found = new Map<PlainFunction, InOperation[]>();
  for (const { thread, operation } of operationsInTime(threads)) {
    if (thread.isolate.background) continue;
    for (const [fn, samples] of samplesByFunction(operation)) {
      const weight = sumOf(samples);
      const paths = weight > thresholdUs ? longPaths(fn, samples, thresholdUs, ids) : [];
      const isCold = isFirst(thread, operation, fn) && weight <= longestCold;
      const estimate = plainEstimate(samples, operation, thread.isolate.intervalUs);
      listed(found, fn).push({ ...estimate, weight, samples: samples.length, isCold, paths });
    }
  }
  return new Map([...found].map(([fn, presences]) => [fn, figuresOf(presences, thresholdUs)]));
}

/** All operations by their start, so that "the first" of equals means the same everywhere. */
export function operationsInTime(
  threads: readonly PlainThread[],
): readonly { readonly thread: PlainThread; readonly operation: PlainOperation }[] {
  return threads
    .flatMap((thread) => thread.operations.map((operation) => ({ thread, operation })))
    .toSorted((a, b) => a.operation.start - b.operation.start);
}

/** Rule 10: the operation holds the first sample of the function in its thread. */
export function isFirst({ firstSeen }: PlainThread, { samples }: PlainOperation, fn: PlainFunction): boolean {
  return (firstSeen.get(fn) ?? -1) >= (samples[0]?.index ?? Infinity);
}

/** The list under a key, made where it is missing. */
export function listed<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** A function in one operation. */
interface InOperation extends PlainEstimate {
  /** In µs. */
  readonly weight: number;
  readonly samples: number;
  readonly isCold: boolean;
  /** Rule 9: those that count; none where it is not long. */
  readonly paths: readonly string[];
}

/** In order of time. */
function figuresOf(presences: readonly InOperation[], thresholdUs: number): PlainPresence {
  const { worstUs, samples: worstSamples, estimated } = worstOf(presences);
  const inClass = (wanted: DurationClass): number =>
    presences.filter(({ weight }) => durationClassOf(microseconds(weight)) === wanted).length;
  const [fast = 0, medium = 0, slow = 0, verySlow = 0, monster = 0] = durationClasses.map(inClass);
  return {
    worstUs,
    worstSamples,
    estimated,
    worstWarmUs: presences.reduce((most, { weight, isCold }) => (isCold ? most : Math.max(most, weight)), 0),
    longCount: presences.filter(({ weight }) => weight > thresholdUs).length,
    distinctStacks: new Set(presences.flatMap(({ paths }) => paths)).size,
    presences: { fast, medium, slow, verySlow, monster },
  };
}

/** Rule 9: the cut paths that are over the threshold themselves, and the heaviest one. */
function longPaths(
  fn: PlainFunction,
  samples: readonly OperationSample[],
  thresholdUs: number,
  ids: FunctionIds,
): readonly string[] {
  const weights = new Map<string, number>();
  for (const { stack, weight } of samples) {
    const path = cutPath(stack, fn, ids);
    weights.set(path, (weights.get(path) ?? 0) + weight);
  }
  // Sorting is stable: of equals the first in time.
  const heaviest = [...weights].toSorted(([, a], [, b]) => b - a)[0]?.[0];
  return [...weights.keys()].filter((path) => path === heaviest || (weights.get(path) ?? 0) > thresholdUs);
}

/** Recursion counts once. */
function samplesByFunction({ samples }: PlainOperation): ReadonlyMap<PlainFunction, readonly OperationSample[]> {
  const found = new Map<PlainFunction, OperationSample[]>();
  for (const sample of samples) for (const fn of new Set(sample.stack)) listed(found, fn).push(sample);
  return found;
}

/** Rule 9: the cut path of a stack to a function on it, as a text that is equal for equal paths. */
export function cutPath(stack: readonly PlainFunction[], fn: PlainFunction, ids: FunctionIds): string {
  const path = withoutLoops(stack.slice(0, stack.indexOf(fn) + 1));
  const first = path.findIndex((frame) => frame === fn || !isScaffold(frame));
  return path
    .slice(first)
    .map((frame) => ids.of(frame))
    .join(' ');
}

/** Numbers for functions, so that paths can be compared as texts. */
export class FunctionIds {
  readonly #ids = new Map<PlainFunction, number>();

  of(fn: PlainFunction): number {
    const id = this.#ids.get(fn) ?? this.#ids.size;
    this.#ids.set(fn, id);
    return id;
  }
}

/** When an own function reappears, the path is cut back to its first occurrence; any other one is left out then. */
function withoutLoops(stack: readonly PlainFunction[]): readonly PlainFunction[] {
  const path: PlainFunction[] = [];
  for (const frame of stack) {
    const first = path.indexOf(frame);
    if (first === -1) path.push(frame);
    else if (frame.kind === 'own') path.length = first + 1;
  }
  return path;
}

/** Node's, a runner's or test code: in front it does not tell stacks apart. */
function isScaffold({ kind, role }: PlainFunction): boolean {
  return kind === 'node' || kind === 'native' || kind === 'runner' || role === 'test';
}
