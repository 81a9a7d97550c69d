import { type PlainEstimate, plainEstimate, worstOf } from './plain-estimate.ts';
import type { PlainFunction } from './plain-function.ts';
import type { PlainOperation } from './plain-operations.ts';
import { type PlainParts, isLoading, sumOf } from './plain-own-parts.ts';
import { type FunctionIds, cutPath, isFirst, listed, longestCold } from './plain-presence.ts';
import type { PlainThread } from './plain-thread.ts';

/** Rule 12, of one function. Times in µs. */
export interface PlainCulprit {
  readonly worstUs: number;
  readonly worstWarmUs: number;
  readonly longCount: number;
  readonly distinctStacks: number;
  /** Those behind the worst. */
  readonly samples: number;
  readonly estimated: boolean;
}

export interface JudgedOperation extends PlainParts {
  readonly thread: PlainThread;
  readonly operation: PlainOperation;
}

/** By function, over the threads that somebody waits on; operations in order of time. */
export function plainCulprits(
  judged: readonly JudgedOperation[],
  ids: FunctionIds,
): ReadonlyMap<PlainFunction, PlainCulprit> {
  const found = new Map<PlainFunction, InOperation[]>();
  for (const { thread, operation, parts } of judged) {
    if (thread.isolate.background) continue;
    for (const { fn, weight, places } of parts) {
      const samples = places.flatMap((place) => place.samples);
      listed(found, fn).push({
        ...plainEstimate(samples, operation, thread.isolate.intervalUs),
        weight,
        samples: samples.length,
        isCold: isFirst(thread, operation, fn) && (weight <= longestCold || isLoadingAll(places, weight)),
        paths: places.map(({ path }) => cutPath(path, fn, ids)),
      });
    }
  }
  return new Map([...found].map(([fn, parts]) => [fn, figuresOf(parts)]));
}

/** Rule 10: whether under half of the threads with a cold own part have another presence. */
export function isMostlyAlone(fn: PlainFunction, judged: readonly JudgedOperation[]): boolean {
  const cold = judged.filter(({ thread, operation, parts }) => {
    const part = parts.find((one) => one.fn === fn);
    if (part === undefined || thread.isolate.background || !isFirst(thread, operation, fn)) return false;
    return part.weight <= longestCold || isLoadingAll(part.places, part.weight);
  });
  const threads = [...new Set(cold.map(({ thread }) => thread))];
  const hasFunction = ({ samples }: PlainOperation): boolean => samples.some(({ stack }) => stack.includes(fn));
  return threads.filter(({ operations }) => operations.filter(hasFunction).length > 1).length * 2 < threads.length;
}

/** Loading modules is nothing but a first time, however long. */
function isLoadingAll(places: PlainParts['parts'][number]['places'], weight: number): boolean {
  const loading = places.map(({ path, samples }) =>
    sumOf(samples.filter(({ stack }) => isLoading(stack, path.length - 1))),
  );
  return loading.reduce((sum, us) => sum + us, 0) >= 0.9 * weight;
}

/** The own part of a function in one operation. */
interface InOperation extends PlainEstimate {
  /** In µs. */
  readonly weight: number;
  readonly samples: number;
  readonly isCold: boolean;
  readonly paths: readonly string[];
}

/** In order of time; each of them is over the threshold. */
function figuresOf(parts: readonly InOperation[]): PlainCulprit {
  return {
    ...worstOf(parts),
    worstWarmUs: parts.reduce((most, { weight, isCold }) => (isCold ? most : Math.max(most, weight)), 0),
    longCount: parts.length,
    distinctStacks: new Set(parts.flatMap(({ paths }) => paths)).size,
  };
}
