import { metaNodes } from '../../read/samples/call-tree.ts';
import type { SampleStream, LoggedRequest } from '../../read/samples/sample-stream.ts';

/**
 * When each request reached the machine, in µs. This is an estimate, because a process cannot know it: what comes while
 * the loop is held lies in the system's buffers until it is read, so all of it seems to come when the loop is free
 * again.
 * - A loop that was idle before reads at once.
 * - Else the request came since the loop was last idle. Where clients ask again as soon as they have an answer, as most
 *   load generators do, it came right after the answer before on its connection.
 * - Others are spread evenly over the time for which the loop was busy, or the first part of it that so many usually
 *   take: clients that wait for an answer do not send more.
 */
export function arrivalsOf(stream: SampleStream, requests: readonly LoggedRequest[]): Float64Array {
  const busySince = busyStarts(stream, requests);
  const isFree = requests.map(({ start }, number) => start - (busySince[number] ?? start) < leastWait);
  const free = requests.filter((_, number) => isFree[number]);
  const pause = usualPause(free);
  const usualDistance = idleTime(stream, requests) / free.length;
  const arrivals = Float64Array.from(requests, ({ start }) => start);
  const spread = new Map<number, number[]>();
  for (const [number, { since, start }] of requests.entries()) {
    const from = busySince[number] ?? start;
    if (isFree[number] === true) continue;
    if (pause < leastWait && since + pause >= from - leastWait) arrivals[number] = Math.min(start, since + pause);
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
      if (!isIdle && time - idleSince >= leastIdle) busySince = time;
      idleSince = isIdle ? Math.min(idleSince, time) : Infinity;
    }
    return start - idleSince >= leastIdle ? start : Math.min(busySince, start);
  });
}

/**
 * The time over which requests that were read together are spread, in µs. Chance alone makes them fewer, too, so it is
 * shorter than the busy time only where they are far fewer than usual.
 */
function spanOf(count: number, busy: number, usualDistance: number): number {
  const isFew = (count + 2 * Math.sqrt(count)) * usualDistance < busy;
  return isFew ? count * usualDistance : busy;
}

/** How long after an answer the next request on its connection comes: the median, in µs. */
function usualPause(requests: readonly LoggedRequest[]): number {
  const again = requests.filter(({ since }) => since >= 0);
  const pauses = Float64Array.from(again, ({ since, start }) => start - since).toSorted();
  return pauses[pauses.length >> 1] ?? Infinity;
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

/** Shortest wait in µs: less is within the distance of two samples. */
const leastWait = 2_000;
/** Shortest idle time in µs: between two turns of a busy loop, one or two samples find it idle for a moment. */
export const leastIdle = 5_000;
