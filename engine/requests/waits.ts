import { milliseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';
import { leastIdle } from './arrivals.ts';
import type { LoggedRequest } from './request-log.ts';

/** Of one request: how long others kept it waiting, in µs, and the operation of theirs that did so longest. */
export interface Wait {
  readonly total: number;
  /** Index into the given operations; −1 where there was none. */
  readonly longest: number;
}

/**
 * The time from its arrival to its answer that was taken by operations of others. Of one that was open for long while
 * the loop was free (a long poll, events, a download), only what held it before it was read and right before it ended:
 * the rest of the time it waited for something else. By the clock, less the share of each operation in which its thread waited
 * for a processor: on a quiet machine nobody would have waited for that. `operations`: of one isolate, by start. `arrivals`: in µs, one for
 * each request.
 */
export function waitsOf(
  requests: readonly LoggedRequest[],
  arrivals: Float64Array,
  operations: readonly Operation[],
): readonly Wait[] {
  const owners = ownersOf(requests, operations);
  const heldUntil = holding(operations);
  return requests.map(({ start, end }, number) => {
    const arrival = arrivals[number] ?? end;
    const first = firstEndingAfter(operations, arrival);
    const free = end - arrival - (heldUntil(end) - heldUntil(arrival));
    const lastRun = free > mostFree ? startOfRun(operations, end) : first;
    const wait = { total: 0, longest: -1, most: 0 };
    for (let index = first; index < operations.length; index++) {
      const operation = operations[index];
      if (operation === undefined || operation.start >= end) break;
      const isBetween = index < lastRun && operation.start >= start;
      if (isBetween || owners[index]?.has(number) === true) continue;
      const overlap = (Math.min(end, operation.end) - Math.max(arrival, operation.start)) * heldShare(operation);
      wait.total += overlap;
      if (overlap > wait.most) Object.assign(wait, { longest: index, most: overlap });
    }
    return { total: wait.total, longest: wait.longest };
  });
}

/** Of its time by the clock. */
function heldShare({ start, end, held }: Operation): number {
  return end > start ? held / (end - start) : 1;
}

/** For how long operations had held the loop by a time, in µs. */
function holding(operations: readonly Operation[]): (time: number) => number {
  const before = new Float64Array(operations.length + 1);
  for (const [index, { start, end }] of operations.entries()) before[index + 1] = (before[index] ?? 0) + end - start;
  return (time) => {
    const index = firstEndingAfter(operations, time);
    return (before[index] ?? 0) + Math.max(0, time - (operations[index]?.start ?? time));
  };
}

/** Index of the first of the operations that held the loop, one right after the other, until `time`. */
function startOfRun(operations: readonly Operation[], time: number): number {
  let index = firstEndingAfter(operations, time);
  let since = Math.min(time, operations[index]?.start ?? time);
  while ((operations[index - 1]?.end ?? -Infinity) >= since - leastIdle) {
    index--;
    since = operations[index]?.start ?? since;
  }
  return index;
}

/**
 * Whose an operation is: the requests' that were read in it; where none was, of those that are open the one's that is
 * answered first. Which one it really is only its asynchronous context would tell, and following that costs too much.
 */
function ownersOf(
  requests: readonly LoggedRequest[],
  operations: readonly Operation[],
): readonly ReadonlySet<number>[] {
  let next = 0;
  let open: readonly number[] = [];
  const endOf = (number: number): number => requests[number]?.end ?? 0;
  return operations.map(({ start, end }) => {
    const read: number[] = [];
    const before: number[] = [];
    for (; (requests[next]?.start ?? Infinity) < end; next++) {
      if ((requests[next]?.start ?? 0) >= start) read.push(next);
      else before.push(next);
    }
    open = [...open, ...before].filter((number) => endOf(number) >= start);
    const [first, ...others] = open;
    const owner = others.reduce((least, number) => (endOf(number) < endOf(least) ? number : least), first ?? -1);
    open = [...open, ...read];
    return new Set(read.length > 0 ? read : [owner]);
  });
}

/** Operations of one isolate do not overlap: their ends ascend too. */
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

/** In µs: a request that is open for longer while the loop is free waits for something else than the loop. */
const mostFree = milliseconds(1000);
