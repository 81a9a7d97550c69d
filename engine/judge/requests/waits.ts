import { milliseconds } from '../../../protocol/units.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { leastIdle } from './arrivals.ts';
import { ownedOperations } from './owned-operations.ts';
import type { LoggedRequest } from '../../read/samples/sample-stream.ts';

/** How long others kept one request waiting, in µs, and the operation that did so longest. */
export interface Wait {
  readonly total: number;
  /** Index into the given operations; −1 where there was none. */
  readonly longest: number;
}

/**
 * The time between a request's arrival and its answer in which operations of others held the loop. For a request that
 * was open for long while the loop was free (a long poll, events, a download), only what held it before it was read and
 * right before its end counts: the rest of the time it waited for something else. Time is by the clock, without the
 * share of each operation in which its thread waited for a processor, because on a quiet machine no request would have
 * waited for that. `operations` are those of one isolate, by start; `arrivals` are in µs, one for each request.
 */
export function waitsOf(
  requests: readonly LoggedRequest[],
  arrivals: Float64Array,
  operations: readonly Operation[],
  blockSize = 1024,
): readonly Wait[] {
  const blocks = blocksOf(operations, blockSize);
  return askedOf(requests, arrivals, operations).map((asked) => waitOf(asked, operations, blocks));
}

/**
 * Gives how long each request waited behind one of the operations, by its index, in µs, by the same rules; 0 for those
 * that did not.
 */
export function waitsBehind(
  requests: readonly LoggedRequest[],
  arrivals: Float64Array,
  operations: readonly Operation[],
): (index: number) => readonly number[] {
  const all = askedOf(requests, arrivals, operations);
  return (index) => {
    const { start: from, end: until } = operations[index] ?? { start: Infinity, end: -Infinity };
    return all.map(({ start, end, arrival, first, lastRun, own }) => {
      const isBetween = index < lastRun && from >= start;
      if (index < first || isBetween || arrival >= until || end <= from || own.includes(index)) return 0;
      return (Math.min(end, until) - Math.max(arrival, from)) * heldShare(operations[index]);
    });
  };
}

function askedOf(
  requests: readonly LoggedRequest[],
  arrivals: Float64Array,
  operations: readonly Operation[],
): readonly Asked[] {
  const owned = ownedOperations(requests, operations);
  const heldUntil = holding(operations);
  const runs = startsOfRuns(operations);
  return requests.map(({ start, end }, number) => {
    const arrival = arrivals[number] ?? end;
    const first = firstEndingAfter(operations, arrival);
    const free = end - arrival - (heldUntil(end) - heldUntil(arrival));
    const lastRun = free > mostFree ? startOfRun(operations, runs, end) : first;
    return { start, end, arrival, first, lastRun, own: owned.get(number) ?? [] };
  });
}

/**
 * What is asked about one request. The operations from `first` on held it up, except those after its start and before
 * `lastRun`.
 */
interface Asked {
  readonly start: number;
  readonly end: number;
  readonly arrival: number;
  readonly first: number;
  readonly lastRun: number;
  /** Its own operations, ascending. */
  readonly own: readonly number[];
}

/**
 * How long the request waited. Where a thousand operations in a row all count in full, their sum is used: requests may
 * be open for hours.
 */
function waitOf(
  { start, end, arrival, first, lastRun, own }: Asked,
  operations: readonly Operation[],
  blocks: Blocks,
): Wait {
  const wait = { total: 0, longest: -1, most: 0 };
  const add = (time: number, longest: number, most: number): void => {
    wait.total += time;
    if (most > wait.most) Object.assign(wait, { longest, most });
  };
  let nextOwn = 0;
  for (let index = first; (operations[index]?.start ?? end) < end;) {
    const { start: from, end: until } = operations[index] ?? { start, end };
    while ((own[nextOwn] ?? Infinity) < index) nextOwn++;
    const block = index % blocks.size === 0 ? blocks.of[index / blocks.size] : undefined;
    const isBetween = index < lastRun && from >= start;
    if (isBetween) index = lastRun;
    else if (
      block !== undefined &&
      from >= arrival &&
      block.end <= end &&
      (own[nextOwn] ?? Infinity) >= index + blocks.size &&
      (index >= lastRun || block.lastStart < start)
    ) {
      add(block.time, block.longest, block.most);
      index += blocks.size;
    } else {
      const overlap = (Math.min(end, until) - Math.max(arrival, from)) * heldShare(operations[index]);
      if (own[nextOwn] !== index) add(overlap, index, overlap);
      index++;
    }
  }
  return { total: wait.total, longest: wait.longest };
}

interface Blocks {
  /** Number of operations in each block. */
  readonly size: number;
  /** The blocks that are full. */
  readonly of: readonly Block[];
}

/** Sums over a fixed number of operations in a row. */
interface Block {
  /** Held time in µs. */
  readonly time: number;
  /** Index of the longest, of equal ones the first, and its time. */
  readonly longest: number;
  readonly most: number;
  readonly lastStart: number;
  readonly end: number;
}

function blocksOf(operations: readonly Operation[], size: number): Blocks {
  const of = Array.from({ length: Math.floor(operations.length / size) }, (_, number): Block => {
    const sum = { time: 0, longest: -1, most: 0, lastStart: 0, end: 0 };
    for (let index = number * size; index < (number + 1) * size; index++) {
      const { start = 0, end = 0 } = operations[index] ?? {};
      const time = (end - start) * heldShare(operations[index]);
      if (time > sum.most) Object.assign(sum, { longest: index, most: time });
      Object.assign(sum, { time: sum.time + time, lastStart: start, end });
    }
    return sum;
  });
  return { size, of };
}

/** Held share of an operation's clock time. */
function heldShare(operation: Operation | undefined): number {
  const { start, end, held } = operation ?? { start: 0, end: 0, held: 0 };
  return end > start ? held / (end - start) : 1;
}

/** Gives for how long operations had held the loop up to a time, in µs. */
function holding(operations: readonly Operation[]): (time: number) => number {
  const before = new Float64Array(operations.length + 1);
  for (const [index, { start, end }] of operations.entries()) before[index + 1] = (before[index] ?? 0) + end - start;
  return (time) => {
    const index = firstEndingAfter(operations, time);
    return (before[index] ?? 0) + Math.max(0, time - (operations[index]?.start ?? time));
  };
}

/** Index of the first of the operations that held the loop, one right after the other, until `time`. */
function startOfRun(operations: readonly Operation[], runs: Int32Array, time: number): number {
  const index = firstEndingAfter(operations, time);
  const since = Math.min(time, operations[index]?.start ?? time);
  return (operations[index - 1]?.end ?? -Infinity) >= since - leastIdle ? (runs[index - 1] ?? index) : index;
}

/**
 * Index of the first of the operations that held the loop, one right after the other, up to an operation, by operation.
 */
function startsOfRuns(operations: readonly Operation[]): Int32Array {
  const runs = new Int32Array(operations.length);
  for (const [index, { start }] of operations.entries()) {
    const isOneRun = (operations[index - 1]?.end ?? -Infinity) >= start - leastIdle;
    runs[index] = isOneRun ? (runs[index - 1] ?? index) : index;
  }
  return runs;
}

/** The first operation that ends after `time`. Operations of one isolate do not overlap, so their ends ascend, too. */
function firstEndingAfter(operations: readonly Operation[], time: number): number {
  let low = 0;
  let high = operations.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((operations[middle]?.end ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A request that is open for longer than this (in µs) while the loop is free waits for something other than the loop.
 */
const mostFree = milliseconds(1000);
