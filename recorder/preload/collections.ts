import type { TurnLine } from '../../protocol/recording.ts';
import { now } from './clock.ts';
import { call, construct, host, internal, isFunction, isObject } from './host.ts';
import type { TurnLog } from './turn-log.ts';

/** The garbage collections of this thread. */
export interface Collections {
  /** Writes those since the last time, by kind. */
  readonly sumUp: () => void;
  /** The last time. */
  readonly finish: () => void;
}

/**
 * By V8's own profiler of them, which counts each; observers of `perf_hooks` lose what a program collects that blocks to its
 * end. It keeps 4 kB for each collection until it is stopped.
 */
export function watchCollections(log: TurnLog): Collections {
  const state = { profiler: started(), from: now() };
  const finish = (): void => {
    const { profiler, from } = state;
    if (profiler === null) return;
    state.profiler = null;
    const result = call(internal(profiler, 'stop'), profiler, []);
    state.from = now();
    for (const line of linesOf(result, from, state.from)) log.add(line);
  };
  return {
    finish,
    sumUp: () => {
      finish();
      state.profiler = started();
    },
  };
}

/** Null where Node has none. */
function started(): object | null {
  if (!isFunction(host.GCProfiler)) return null;
  const profiler = construct(host.GCProfiler, [], host.GCProfiler);
  call(internal(profiler, 'start'), profiler, []);
  return profiler;
}

function linesOf(result: unknown, from: number, to: number): readonly TurnLine[] {
  const statistics = isObject(result) ? internal(result, 'statistics') : [];
  const sums = new Map<string, Sum>();
  for (const one of Array.isArray(statistics) ? statistics.filter(isObject) : []) {
    const kind = String(internal(one, 'gcType'));
    const before = sums.get(kind) ?? { count: 0, time: 0, longest: 0, usedBefore: 0, usedAfter: 0 };
    const cost = Number(internal(one, 'cost'));
    sums.set(kind, {
      count: before.count + 1,
      time: before.time + cost,
      longest: Math.max(before.longest, cost),
      usedBefore: Math.max(before.usedBefore, usedHeap(internal(one, 'beforeGC'))),
      usedAfter: usedHeap(internal(one, 'afterGC')),
    });
  }
  return [...sums].map(([kind, { count, time, longest, usedBefore, usedAfter }]) => [
    'gc',
    from,
    to,
    kind,
    count,
    Math.round(time),
    Math.round(longest),
    usedBefore,
    usedAfter,
  ]);
}

/** Times in µs, sizes in bytes. */
interface Sum {
  readonly count: number;
  readonly time: number;
  readonly longest: number;
  readonly usedBefore: number;
  readonly usedAfter: number;
}

function usedHeap(moment: unknown): number {
  const heap = isObject(moment) ? internal(moment, 'heapStatistics') : undefined;
  return isObject(heap) ? Number(internal(heap, 'usedHeapSize')) : 0;
}
