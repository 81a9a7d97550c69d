import { now } from '../host/clock.ts';
import { call, construct, host, internal, isFunction, isObject } from '../host/host.ts';
import type { TurnLog } from './turn-log.ts';
import type { TurnLine } from '../../../protocol/recording-lines.ts';

/** The garbage collections of this thread. */
export interface Collections {
  /** What counting them took of a long turn of so many ms, in ms: its share of those in all long turns for a while. */
  readonly costIn: (turn: number) => number;
  /** Writes those since the last time, by kind. */
  readonly sumUp: () => void;
  /** The last time. */
  readonly finish: () => void;
}

/**
 * What it takes to count one collection, in ms: V8 looks at the whole heap's sizes before and after it (measured: 40 to 55 µs
 * on Node 20 to 26, whatever the size of the heap).
 */
const collectionCost = 0.045;

/**
 * So much time of long turns is looked at together, in ms. Taking up what was counted costs half a ms in a working program,
 * even if that is nothing (measured on Node 20: 3 % of a program of turns of 20 ms, each looked at by itself).
 */
const stretch = 250;

/**
 * Counts collections by V8's own profiler of them, which sees each one. Observers of `perf_hooks` lose what a program
 * collects that blocks to its end. The profiler keeps 4 kB for each collection until it is read.
 */
export function watchCollections(log: TurnLog): Collections {
  const state: State = { profiler: started(), from: now(), long: 0, costPerMs: null };
  const sums = new Map<string, Sum>();
  const stop = (): number => {
    const { profiler } = state;
    state.profiler = null;
    return profiler === null ? 0 : addTo(sums, call(internal(profiler, 'stop'), profiler, []));
  };
  const take = (): number => {
    const count = stop();
    state.profiler = started();
    state.long = 0;
    return count;
  };
  const write = (): void => {
    const { from } = state;
    state.from = now();
    for (const [kind, sum] of sums) log.add(lineOf(kind, sum, from, state.from));
    sums.clear();
  };
  return {
    costIn: (turn) => {
      state.long += turn;
      const { long } = state;
      if (state.costPerMs === null || long >= stretch) state.costPerMs = (take() * collectionCost) / long;
      return state.costPerMs * turn;
    },
    sumUp: () => {
      take();
      write();
    },
    finish: () => {
      stop();
      write();
    },
  };
}

interface State {
  profiler: object | null;
  from: number;
  /** Time of long turns since collections were taken up, in ms. */
  long: number;
  /** Cost for each ms of long turns in the last stretch; null before the first long turn. */
  costPerMs: number | null;
}

/** V8's profiler, started; null where Node has none. */
function started(): object | null {
  if (!isFunction(host.GCProfiler)) return null;
  const profiler = construct(host.GCProfiler, [], host.GCProfiler);
  call(internal(profiler, 'start'), profiler, []);
  return profiler;
}

/** How many there are. */
function addTo(sums: Map<string, Sum>, result: unknown): number {
  const statistics = isObject(result) ? internal(result, 'statistics') : [];
  const all: readonly unknown[] = Array.isArray(statistics) ? statistics : [];
  for (const one of all.filter(isObject)) {
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
  return all.length;
}

function lineOf(kind: string, sum: Sum, from: number, to: number): TurnLine {
  const { count, time, longest, usedBefore, usedAfter } = sum;
  return ['gc', from, to, kind, count, Math.round(time), Math.round(longest), usedBefore, usedAfter];
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
