import { milliseconds } from '../../../protocol/units.ts';
import { Heap, lastUpTo } from '../../basics/lists.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import type { LoggedRequest, SampleStream } from '../../read/samples/sample-stream.ts';
import { metaNodes } from '../../read/samples/call-tree.ts';

/** How long others kept one request waiting, in µs, and the operation that did so longest. */
export interface Wait {
  readonly total: number;
  /** Index into the given operations; −1 where there was none. */
  readonly longest: number;
}

/**
 * The time between a request's arrival and its answer in which operations of others held the loop. For a request that
 * was open long while the loop was free (a long poll, events, a download), only what held it before it was read and
 * right before its end counts. Waits for a CPU are excluded: on a quiet machine no request would have had them.
 * `operations` are of one isolate, by start; `arrivals` in µs by request.
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

/** How long each request waited behind one operation (by index), in µs, by the same rules; 0 if it did not. */
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

/** Requests. The operations from `first` on delayed each, except those between its start and `lastRun`. */
function askedOf(requests: readonly LoggedRequest[], arrivals: Float64Array, operations: readonly Operation[]) {
  const owned = ownedOperations(requests, operations);
  const ends = endsOf(operations);
  const lastRuns = lastRunsOf(requests, operations);
  return requests.map(({ start, end }, number) => {
    const arrival = arrivals[number] ?? end;
    const [first, lastRun] = [lastUpTo(ends, arrival) + 1, lastRuns[number] ?? 0];
    return { start, end, arrival, first, lastRun, own: owned.get(number) ?? [] };
  });
}

/**
 * For a request that is open long while the loop is free, the first of the operations right before its end; else 0. It
 * waits for something else in between.
 */
function lastRunsOf(requests: readonly LoggedRequest[], operations: readonly Operation[]): Int32Array {
  const ends = endsOf(operations);
  const heldUntil = holding(operations, ends);
  const runs = startsOfRuns(operations);
  return Int32Array.from(requests, ({ start, end }) => {
    const free = end - start - (heldUntil(end) - heldUntil(start));
    return free > MAX_FREE ? startOfRun(operations, runs, lastUpTo(ends, end) + 1, end) : 0;
  });
}

/** They ascend: operations of one isolate do not overlap. */
function endsOf(operations: readonly Operation[]): Float64Array {
  return Float64Array.from(operations, ({ end }) => end);
}

/** Full blocks of operations count by their sum: requests may be open for hours. */
function waitOf(
  { start, end, arrival, first, lastRun, own }: ReturnType<typeof askedOf>[number],
  operations: readonly Operation[],
  blocks: ReturnType<typeof blocksOf>,
): Wait {
  const wait = { total: 0, longest: -1, most: 0 };
  const add = (time: number, longest: number, most: number): void => {
    wait.total += time;
    if (most <= wait.most) return;
    wait.longest = longest;
    wait.most = most;
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

/** Sums over full blocks of operations in a row. */
function blocksOf(operations: readonly Operation[], size: number) {
  const of = Array.from({ length: Math.floor(operations.length / size) }, (_, number) => {
    /** `time`: held time in µs. `longest`: index of the longest, of equal ones the first; `most`: its time. */
    const sum = { time: 0, longest: -1, most: 0, lastStart: 0, end: 0 };
    for (let index = number * size; index < (number + 1) * size; index++) {
      const { start = 0, end = 0 } = operations[index] ?? {};
      const time = (end - start) * heldShare(operations[index]);
      if (time > sum.most) {
        sum.longest = index;
        sum.most = time;
      }
      sum.time += time;
      sum.lastStart = start;
      sum.end = end;
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
function holding(operations: readonly Operation[], ends: Float64Array): (time: number) => number {
  const before = new Float64Array(operations.length + 1);
  for (const [index, { start, end }] of operations.entries()) before[index + 1] = (before[index] ?? 0) + end - start;
  return (time) => {
    const index = lastUpTo(ends, time) + 1;
    return (before[index] ?? 0) + Math.max(0, time - (operations[index]?.start ?? time));
  };
}

/** Index of the first of the operations that held the loop, one right after the other, until `time`; `index` ends after it. */
function startOfRun(operations: readonly Operation[], runs: Int32Array, index: number, time: number): number {
  const since = Math.min(time, operations[index]?.start ?? time);
  return (operations[index - 1]?.end ?? -Infinity) >= since - MIN_IDLE ? (runs[index - 1] ?? index) : index;
}

/** Index of the first operation of the back-to-back run that ends with an operation, by operation. */
function startsOfRuns(operations: readonly Operation[]): Int32Array {
  const runs = new Int32Array(operations.length);
  for (const [index, { start }] of operations.entries()) {
    const isOneRun = (operations[index - 1]?.end ?? -Infinity) >= start - MIN_IDLE;
    runs[index] = isOneRun ? (runs[index - 1] ?? index) : index;
  }
  return runs;
}

/** A request that is open longer than this (µs) while the loop is free waits for something else. */
const MAX_FREE = milliseconds(1000);

/**
 * Indexes of a request's operations, ascending, by request. An operation belongs to the requests read in it, else to
 * the open one that is answered first; one that is open long while the loop is free has only those right before its end.
 * Only asynchronous contexts would show the real one, which costs too much. Both lists are sorted by start.
 */
export function ownedOperations(
  requests: readonly LoggedRequest[],
  operations: readonly Operation[],
): ReadonlyMap<number, readonly number[]> {
  const owned = new Map<number, number[]>();
  const endOf = (number: number): number => requests[number]?.end ?? 0;
  const lastRuns = lastRunsOf(requests, operations);
  const lastRunOf = (number: number): number => lastRuns[number] ?? 0;
  /** The open requests, the first answered on top: thousands may be open at a time. */
  const open = new Heap();
  /** Those of them whose last operations have not begun, the next on top. */
  const early = new Heap();
  let next = 0;
  for (const [index, { start, end }] of operations.entries()) {
    const read: number[] = [];
    for (; (requests[next]?.start ?? Infinity) < end; next++) {
      if ((requests[next]?.start ?? 0) >= start) read.push(next);
      else early.push(next, -lastRunOf(next));
    }
    while (early.top !== undefined && lastRunOf(early.top) <= index) {
      const number = early.pop() ?? 0;
      open.push(number, -endOf(number));
    }
    while (open.top !== undefined && endOf(open.top) < start) open.pop();
    const owners = read.length > 0 ? read : [open.top ?? -1];
    for (const number of read) early.push(number, -lastRunOf(number));
    for (const number of owners) {
      const own = owned.get(number);
      if (own === undefined) owned.set(number, [index]);
      else own.push(index);
    }
  }
  return owned;
}

/**
 * When each request reached the machine, in µs: an estimate, because what comes while the loop is held is read
 * afterwards. An idle loop reads at once. Else, where clients ask again right after an answer (most load generators),
 * it came right after the previous answer on its connection. Others are spread evenly over the busy time, or the first
 * part of it that so many usually take: clients that wait for an answer do not send more.
 */
export function arrivalsOf(stream: SampleStream, requests: readonly LoggedRequest[]): Float64Array {
  const busySince = busyStarts(stream, requests);
  const isFree = requests.map(({ start }, number) => start - (busySince[number] ?? start) < MIN_WAIT);
  const free = requests.filter((_, number) => isFree[number]);
  const pauses = free.filter(({ since }) => since >= 0).map(({ since, start }) => start - since);
  /** How long after an answer the next request on its connection comes: the median, in µs. */
  const pause = pauses.toSorted((a, b) => a - b)[pauses.length >> 1] ?? Infinity;
  const usualDistance = idleTime(stream, requests) / free.length;
  const arrivals = Float64Array.from(requests, ({ start }) => start);
  const spread = new Map<number, number[]>();
  for (const [number, { since, start }] of requests.entries()) {
    const from = busySince[number] ?? start;
    if (isFree[number] === true) continue;
    if (pause < MIN_WAIT && since + pause >= from - MIN_WAIT) arrivals[number] = Math.min(start, since + pause);
    else if (spread.get(from)?.push(number) === undefined) spread.set(from, [number]);
  }
  for (const [from, numbers] of spread) {
    const last = requests[numbers.at(-1) ?? 0]?.start ?? from;
    const span = spanOf(numbers.length, last - from, usualDistance);
    for (const [rank, number] of numbers.entries()) {
      const even = from + (span * (rank + 0.5)) / numbers.length;
      const { since = even, start = even } = requests[number] ?? {};
      arrivals[number] = Math.min(start, Math.max(even, since));
    }
  }
  return arrivals;
}

/** The time since which the loop had not been idle when a request was read, by request. */
function busyStarts({ times, nodes, end }: SampleStream, requests: readonly LoggedRequest[]): Float64Array {
  let sample = 0;
  let busySince = times.at(0) ?? 0;
  let idleSince = Infinity;
  return Float64Array.from(requests, ({ start }) => {
    for (; (times.at(sample) ?? Infinity) < start; sample++) {
      const time = times.at(sample) ?? end;
      const isIdle = nodes[sample] === metaNodes.idle;
      if (!isIdle && time - idleSince >= MIN_IDLE) busySince = time;
      idleSince = isIdle ? Math.min(idleSince, time) : Infinity;
    }
    return start - idleSince >= MIN_IDLE ? start : Math.min(busySince, start);
  });
}

/** The time over which requests read together are spread, in µs: shorter only if they are far fewer than usual. */
function spanOf(count: number, busy: number, usualDistance: number): number {
  const isFew = (count + 2 * Math.sqrt(count)) * usualDistance < busy;
  return isFew ? count * usualDistance : busy;
}

/** Idle time from the first request to the last, in µs. */
function idleTime({ times, nodes, end }: SampleStream, requests: readonly LoggedRequest[]): number {
  const from = requests[0]?.start ?? end;
  const until = requests.at(-1)?.start ?? end;
  let idle = 0;
  for (let sample = Math.max(0, times.firstFrom(from) - 1); (times.at(sample) ?? until) < until; sample++) {
    const time = Math.max(from, times.at(sample) ?? end);
    if (nodes[sample] === metaNodes.idle) idle += Math.min(until, times.at(sample + 1) ?? end) - time;
  }
  return idle;
}

/** Minimum wait in µs: less is within the distance of two samples. */
const MIN_WAIT = 2_000;
/** Minimum idle time in µs: between two turns of a busy loop, one or two samples find it idle. */
const MIN_IDLE = 5_000;
