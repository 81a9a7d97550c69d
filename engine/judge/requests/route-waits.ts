import { type Microseconds, microseconds, milliseconds } from '../../../protocol/units.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import { isBackground, type Route } from '../../read/samples/sample-stream.ts';
import { arrivalsOf, waitsOf, ownedOperations, waitsBehind } from './waits.ts';
import { firstDifference, groupBy } from '../../basics/lists.ts';
import { once } from '../../basics/once.ts';
import { mostSiblings } from '../../../protocol/recording-lines.ts';
import type { WaitingRoute } from '../../../protocol/time.ts';
import type { CutRun } from '../../cut/operations/cut-run.ts';

/** How long the requests of one route waited, in all processes. */
export interface RouteWaits extends Pick<Route, 'method' | 'path'> {
  readonly requests: number;
  /** Number of requests that others kept waiting for longer than the time in the name. */
  readonly over10Ms: number;
  readonly over100Ms: number;
  readonly over1S: number;
  /** Half, and 99 of 100, of its requests waited no longer than this. */
  readonly p50: Microseconds;
  readonly p99: Microseconds;
  /** The functions behind which they waited, by lost time; null for operations without a culprit in source files. */
  readonly behind: readonly WaitedBehind[];
}

export interface WaitedBehind {
  readonly functionId: number | null;
  readonly us: number;
  /** Index of the operation behind which one of them waited longest. */
  readonly operation: number;
}

/** Routes; those with the most long waits come first. */
export function routeWaits({
  streams,
  bridged,
  operations,
  verdicts,
  functions: { functions },
}: Pick<JudgedRun, 'streams' | 'bridged' | 'operations' | 'verdicts' | 'functions'>): readonly RouteWaits[] {
  const routes = new Map<string, GrowingRoute>();
  const byStream = once(() => groupBy(operations.keys(), (number) => operations[number]?.stream));
  const grouped = groupPaths(streams.flatMap((stream) => [...(stream.requests?.routes.values() ?? [])]));
  for (const [index, stream] of streams.entries()) {
    // Tests that share a process with their server hold the loop themselves, so nothing is sent while it is held.
    if (stream.requests === null || stream.tests !== null || isBackground(stream)) continue;
    const numbers = byStream().get(index) ?? [];
    const own = numbers.flatMap((number) => operations[number] ?? []);
    const { requests } = stream.requests;
    const waits = waitsOf(
      requests,
      arrivalsOf({ ...stream, nodes: bridged[index]?.nodes ?? stream.nodes }, requests),
      own,
    );
    for (const [number, request] of requests.entries()) {
      const noted = stream.requests.routes.get(request.route) ?? otherRoute;
      const { method, path } = grouped.get(noted) ?? noted;
      const route = routes.get(`${method} ${path}`) ?? new GrowingRoute(method, path);
      routes.set(`${method} ${path}`, route);
      const { total, longest } = waits[number] ?? { total: 0, longest: -1 };
      const operation = numbers[longest] ?? -1;
      const culprit = verdicts[operation]?.culprit?.functionId ?? -1;
      const isWritten = functions[culprit] !== undefined && functions[culprit]?.role !== 'built';
      route.add(total, isWritten ? culprit : null, operation);
    }
  }
  return [...routes.values()].map((route) => route.waits()).toSorted(byWaits);
}

class GrowingRoute {
  readonly #route: Pick<Route, 'method' | 'path'>;
  readonly #counts = { requests: 0, over10Ms: 0, over100Ms: 0, over1S: 0 };
  readonly #waits: number[] = [];
  readonly #behind = new Map<number | null, { us: number; most: number; operation: number }>();

  constructor(method: string, path: string) {
    this.#route = { method, path };
  }

  add(us: number, functionId: number | null, operation: number): void {
    this.#counts.requests++;
    this.#waits.push(us);
    if (us > milliseconds(1000)) this.#counts.over1S++;
    if (us > milliseconds(100)) this.#counts.over100Ms++;
    if (us <= milliseconds(10)) return;
    this.#counts.over10Ms++;
    const lost = this.#behind.get(functionId) ?? { us: 0, most: 0, operation };
    lost.us += us;
    if (us > lost.most) Object.assign(lost, { most: us, operation });
    this.#behind.set(functionId, lost);
  }

  waits(): RouteWaits {
    const sorted = Float64Array.from(this.#waits).toSorted();
    const upTo = (share: number): Microseconds =>
      microseconds(Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0));
    const behind = [...this.#behind].map(([functionId, { us, operation }]) => {
      return { functionId, us: Math.round(us), operation };
    });
    return {
      ...this.#route,
      ...this.#counts,
      ...{ p50: upTo(0.5), p99: upTo(0.99) },
      behind: behind.toSorted((a, b) => b.us - a.us),
    };
  }
}

const otherRoute: Route = { method: '*', path: '(others)', by: 'path' };

function byWaits(a: RouteWaits, b: RouteWaits): number {
  return firstDifference(
    b.over1S / b.requests - a.over1S / a.requests,
    b.over100Ms / b.requests - a.over100Ms / a.requests,
    b.over10Ms / b.requests - a.over10Ms / a.requests,
    `${a.method} ${a.path}` < `${b.method} ${b.path}` ? -1 : 1,
  );
}

/**
 * Groups routes that no framework named: at `mostSiblings` or more different parts in one place, they become one route
 * with `*` there. Otherwise each post of a blog would be a route.
 */
export function groupPaths(routes: readonly Route[]): ReadonlyMap<Route, Route> {
  const numbers = new Map<string, number>();
  const numberOf = (key: string): number => numbers.get(key) ?? numbers.set(key, numbers.size).size - 1;
  const rows: readonly Row[] = routes
    .filter(({ by }) => by === 'path')
    .map((route) => ({ route, parts: route.path.split('/'), above: numberOf(route.method) }));
  let open = rows;
  for (let place = 0; open.length > 0; place++) {
    for (const { parts } of crowdedAt(place, open)) parts[place] = '*';
    for (const row of open) row.above = numberOf(`${row.above}/${row.parts[place] ?? ''}`);
    open = open.filter(({ parts }) => parts.length > place + 1);
  }
  return new Map(rows.map(({ route, parts }) => [route, { ...route, path: parts.join('/') }]));
}

/** Routes that are alike up to this place, and have too many different parts there. */
function crowdedAt(place: number, rows: readonly Row[]): readonly Row[] {
  const isCrowded = (crowd: readonly Row[]): boolean =>
    new Set(crowd.map(({ parts }) => parts[place])).size >= mostSiblings;
  return [...groupBy(rows, ({ above }) => above).values()].filter(isCrowded).flat();
}

interface Row {
  readonly route: Route;
  readonly parts: string[];
  /** Number of the method and the parts before the current place, so that none is compared twice. */
  above: number;
}

/**
 * Routes of the requests that operations belong to, such as `GET /users/:id`, by operation. Estimated by time
 * (`ownedOperations`). Null without recorded requests.
 */
export function operationRoutes({
  streams,
  operations,
}: Pick<CutRun, 'streams' | 'operations'>): ReadonlyMap<number, ReadonlySet<string>> | null {
  const logs = streams.flatMap(({ requests }, stream) => (requests === null ? [] : [{ stream, requests }]));
  if (logs.every(({ requests }) => requests.requests.length === 0)) return null;
  const byStream = groupBy([...operations.keys()], (number) => operations[number]?.stream);
  const grouped = groupPaths(logs.flatMap(({ requests }) => [...requests.routes.values()]));
  const found = new Map<number, Set<string>>();
  for (const { stream, requests } of logs) {
    const numbers = byStream.get(stream) ?? [];
    const own = numbers.flatMap((number) => operations[number] ?? []);
    for (const [request, indexes] of ownedOperations(requests.requests, own)) {
      const logged = requests.requests[request];
      if (logged === undefined) continue; // These operations are of no request.
      const noted = requests.routes.get(logged.route) ?? otherRoute;
      const { method, path } = grouped.get(noted) ?? noted;
      for (const number of indexes.flatMap((index) => numbers[index] ?? [])) {
        const routes = found.get(number) ?? new Set();
        found.set(number, routes.add(`${method} ${path}`));
      }
    }
  }
  return found;
}

type Run = Pick<CutRun, 'streams' | 'bridged' | 'operations'>;

/**
 * The requests that waited behind one operation, by route, longest wait first. Null without logged requests, if tests
 * in the same process sent them, or for background threads.
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

/** Minimum wait in µs that is shown: less is within the distance of two samples. */
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
