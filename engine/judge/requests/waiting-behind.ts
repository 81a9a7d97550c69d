import type { WaitingRoute } from '../../../protocol/time.ts';
import { microseconds } from '../../../protocol/units.ts';
import { groupBy } from '../../basics/lists.ts';
import type { CutRun } from '../../cut/operations/cut-run.ts';
import { isBackground } from '../../read/samples/sample-stream.ts';
import { arrivalsOf } from './arrivals.ts';
import { groupPaths, otherRoute } from './route-waits.ts';
import { waitsBehind } from './waits.ts';

type Run = Pick<CutRun, 'streams' | 'bridged' | 'operations'>;

/**
 * The requests that waited behind one operation, by route, those with the longest wait first. Null where no waits are
 * known: nothing logged requests, they came from tests in the same process, or nobody waits for the thread.
 */
export function waitingBehind(run: Run, number: number): readonly WaitingRoute[] | null {
  const thread = threadOf(run, run.operations[number]?.stream ?? -1);
  if (thread === null) return null;
  const waits = thread.waitsOf(thread.numbers.indexOf(number));
  const waited = waits.flatMap((us, request) =>
    us >= leastWait ? [{ route: thread.routes[request] ?? '', us: Math.round(us) }] : [],
  );
  return [...groupBy(waited, ({ route }) => route)]
    .map(([route, own]) => ({
      route,
      requests: own.length,
      longestUs: microseconds(own.reduce((most, { us }) => Math.max(most, us), 0)),
    }))
    .toSorted((a, b) => b.longestUs - a.longestUs);
}

/** Shortest wait in µs that is told: less is within the distance of two samples. */
const leastWait = 1_000;

/** The requests to one thread. */
interface Thread {
  /** Indexes of its operations. */
  readonly numbers: readonly number[];
  /** `GET /users/:id`, by request. */
  readonly routes: readonly string[];
  /** Waits behind one of its operations, by request. */
  readonly waitsOf: (index: number) => readonly number[];
}

/** A cache, not state: it follows from a run, and goes when its operations do. */
const threads = new WeakMap<Run['operations'], Map<number, Thread | null>>();

function threadOf(run: Run, stream: number): Thread | null {
  const known = threads.get(run.operations) ?? new Map<number, Thread | null>();
  threads.set(run.operations, known);
  const before = known.get(stream);
  if (before !== undefined) return before;
  const made = makeThread(run, stream);
  known.set(stream, made);
  return made;
}

function makeThread({ streams, bridged, operations }: Run, index: number): Thread | null {
  const stream = streams[index];
  if (!stream?.requests || stream.tests !== null || isBackground(stream)) return null;
  const { requests, routes } = stream.requests;
  if (requests.length === 0) return null;
  const numbers = [...operations.keys()].filter((number) => operations[number]?.stream === index);
  const own = numbers.flatMap((number) => operations[number] ?? []);
  const arrivals = arrivalsOf({ ...stream, nodes: bridged[index]?.nodes ?? stream.nodes }, requests);
  const grouped = groupPaths(streams.flatMap((one) => [...(one.requests?.routes.values() ?? [])]));
  return {
    numbers,
    routes: requests.map((request) => {
      const noted = routes.get(request.route) ?? otherRoute;
      const { method, path } = grouped.get(noted) ?? noted;
      return `${method} ${path}`;
    }),
    waitsOf: waitsBehind(requests, arrivals, own),
  };
}
