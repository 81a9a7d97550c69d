import { Heap } from '../../basics/heap.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import type { LoggedRequest } from '../../read/samples/sample-stream.ts';

/**
 * Indexes of a request's operations, ascending, by number of the request. An operation belongs to the requests that
 * were read in it. If none was read in it, it belongs to the open request that is answered first. Only asynchronous
 * contexts would show the real one, and following them costs too much. Both lists are sorted by start.
 */
export function ownedOperations(
  requests: readonly LoggedRequest[],
  operations: readonly Operation[],
): ReadonlyMap<number, readonly number[]> {
  const owned = new Map<number, number[]>();
  const open = new OpenRequests(requests);
  let next = 0;
  for (const [index, { start, end }] of operations.entries()) {
    const read: number[] = [];
    for (; (requests[next]?.start ?? Infinity) < end; next++) {
      if ((requests[next]?.start ?? 0) >= start) read.push(next);
      else open.add(next);
    }
    const first = open.firstAnswered(start);
    for (const number of read) open.add(number);
    for (const number of read.length > 0 ? read : [first]) {
      const own = owned.get(number);
      if (own === undefined) owned.set(number, [index]);
      else own.push(index);
    }
  }
  return owned;
}

/** The open requests. Thousands may be open at a time, so they are not all looked at for each operation. */
class OpenRequests {
  readonly #requests: readonly LoggedRequest[];
  readonly #byEnd = new Heap();

  constructor(requests: readonly LoggedRequest[]) {
    this.#requests = requests;
  }

  add(number: number): void {
    this.#byEnd.push(number, -this.#endOf(number));
  }

  /**
   * The first answered of those that are not answered before `time`; −1 where there is none. Times must be asked in
   * ascending order.
   */
  firstAnswered(time: number): number {
    while (this.#byEnd.top !== undefined && this.#endOf(this.#byEnd.top) < time) this.#byEnd.pop();
    return this.#byEnd.top ?? -1;
  }

  #endOf(number: number): number {
    return this.#requests[number]?.end ?? 0;
  }
}
