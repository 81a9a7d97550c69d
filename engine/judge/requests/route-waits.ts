import { type Microseconds, microseconds, milliseconds } from '../../../protocol/units.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { CutRun } from '../../cut/operations/cut-run.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { mainCulprit } from '../hotspots/blame.ts';
import { isBackground, type LoggedRequest, type Route } from '../../read/samples/sample-stream.ts';
import { arrivalsOf, ownedOperations, waitsBehind, waitsOf } from './waits.ts';
import { firstDifference, groupBy } from '../../basics/lists.ts';
import { once, onceEach } from '../../basics/once.ts';
import { mostSiblings } from '../../../protocol/recording-lines.ts';
import type { WaitingRoute } from '../../../protocol/time.ts';
import type { AnswerFigures, RecordedLoad } from '../../../protocol/recording.ts';

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
  /** The functions behind which they waited, by lost time; null for what no function in source files held longest. */
  readonly behind: readonly WaitedBehind[];
}

export interface WaitedBehind {
  readonly functionId: number | null;
  readonly us: number;
  /** Index of the operation behind which one of them waited longest. */
  readonly operation: number;
}

type Run = Pick<CutRun, 'streams' | 'bridged' | 'operations'>;

/** Routes; those with the most long waits come first. */
export function routeWaits(run: Run & Pick<JudgedRun, 'verdicts' | 'functions'>): readonly RouteWaits[] {
  const { verdicts, functions } = run;
  const all = servers(run).flatMap(({ requests, numbers, operations, routeOf, arrivals }) => {
    const waits = arrivals === null ? [] : waitsOf(requests, arrivals(), operations);
    return waits.map(({ total, longest }, number): RequestWait => {
      const request = requests[number];
      const operation = numbers[longest] ?? -1;
      const verdict = verdicts[operation];
      const main = verdict === undefined ? null : mainCulprit(verdict);
      const culprit = functions.functions[main?.functionId ?? -1];
      const functionId = culprit === undefined || culprit.role === 'built' ? null : culprit.id;
      return { route: request === undefined ? otherRoute : routeOf(request), us: total, functionId, operation };
    });
  });
  return [...groupBy(all, ({ route }) => `${route.method} ${route.path}`).values()]
    .flatMap((waits) => (waits[0] === undefined ? [] : [waitsOfRoute(waits[0].route, waits)]))
    .toSorted(byWaits);
}

/** One thread that logged requests. */
interface Server {
  readonly stream: number;
  readonly requests: readonly LoggedRequest[];
  /** Its operations, and their indexes. */
  readonly operations: readonly Operation[];
  readonly numbers: readonly number[];
  readonly routeOf: (request: LoggedRequest) => Route;
  /**
   * When each request reached the machine, in µs. Null where waits are not known: on background threads, and where tests
   * share the process: they hold the loop themselves, so nothing is sent while it is held.
   */
  readonly arrivals: (() => Float64Array) | null;
}

function servers({ streams, bridged, operations }: Run): readonly Server[] {
  const byStream = once(() => groupBy(operations.keys(), (number) => operations[number]?.stream));
  const grouped = groupPaths(streams.flatMap(({ requests }) => [...(requests?.routes.values() ?? [])]));
  return streams.flatMap((stream, index): readonly Server[] => {
    if (stream.requests === null) return [];
    const { requests, routes } = stream.requests;
    const numbers = byStream().get(index) ?? [];
    const routeOf = ({ route }: LoggedRequest): Route => {
      const noted = routes.get(route) ?? otherRoute;
      return grouped.get(noted) ?? noted;
    };
    const isKnown = stream.tests === null && !isBackground(stream);
    const sampled = { ...stream, nodes: bridged[index]?.nodes ?? stream.nodes };
    return [
      {
        stream: index,
        requests,
        numbers,
        operations: numbers.flatMap((number) => operations[number] ?? []),
        routeOf,
        arrivals: isKnown ? () => arrivalsOf(sampled, requests) : null,
      },
    ];
  });
}

/** A request's wait in µs, and the operation behind which it waited longest; its culprit as in `WaitedBehind`. */
interface RequestWait extends WaitedBehind {
  readonly route: Route;
}

function waitsOfRoute({ method, path }: Route, waits: readonly RequestWait[]): RouteWaits {
  const sorted = Float64Array.from(waits, ({ us }) => us).toSorted();
  const upTo = (share: number): Microseconds =>
    microseconds(Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0));
  const over = (ms: number): readonly RequestWait[] => waits.filter(({ us }) => us > milliseconds(ms));
  const behind = [...groupBy(over(10), ({ functionId }) => functionId)].map(([functionId, its]) => ({
    functionId,
    us: Math.round(its.reduce((sum, { us }) => sum + us, 0)),
    operation: its.reduce((most, one) => (one.us > most.us ? one : most)).operation,
  }));
  return {
    method,
    path,
    requests: waits.length,
    over10Ms: over(10).length,
    over100Ms: over(100).length,
    over1S: over(1000).length,
    p50: upTo(0.5),
    p99: upTo(0.99),
    behind: behind.toSorted((a, b) => b.us - a.us),
  };
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

/** Routes (`GET /users/:id`) of the requests of operations, estimated by time. Null without recorded requests. */
export function operationRoutes(run: Run): ReadonlyMap<number, ReadonlySet<string>> | null {
  const all = servers(run);
  if (all.every(({ requests }) => requests.length === 0)) return null;
  const found = new Map<number, Set<string>>();
  for (const { requests, numbers, operations, routeOf } of all) {
    for (const [request, indexes] of ownedOperations(requests, operations)) {
      const logged = requests[request];
      if (logged === undefined) continue; // These operations belong to no request.
      const { method, path } = routeOf(logged);
      for (const number of indexes.flatMap((index) => numbers[index] ?? []))
        found.set(number, (found.get(number) ?? new Set()).add(`${method} ${path}`));
    }
  }
  return found;
}

/** The requests that waited behind one operation, by route, longest wait first; null where waits are not known. */
export function waitingBehind(run: Run, number: number): readonly WaitingRoute[] | null {
  const waitsIn = waitsByRun.get(run.operations) ?? createWaits(run);
  waitsByRun.set(run.operations, waitsIn);
  const found = waitsIn(run.operations[number]?.stream ?? -1);
  if (found === null) return null;
  const { server, behind } = found;
  const waited = behind(server.numbers.indexOf(number)).flatMap((us, at) => {
    const request = server.requests[at];
    if (us < MIN_WAIT || request === undefined) return [];
    const { method, path } = server.routeOf(request);
    return [{ route: `${method} ${path}`, us: Math.round(us) }];
  });
  return [...groupBy(waited, ({ route }) => route)]
    .map(([route, own]) => ({
      route,
      requests: own.length,
      longestUs: microseconds(own.reduce((most, { us }) => Math.max(most, us), 0)),
    }))
    .toSorted((a, b) => b.longestUs - a.longestUs);
}

/** Minimum wait in µs that is shown: less is within the distance of two samples. */
const MIN_WAIT = 1_000;

/** A cache, not state: it follows from a run, and goes when its operations do. */
const waitsByRun = new WeakMap<Run['operations'], ReturnType<typeof createWaits>>();

/** Gives the waits of one thread, by stream; null where they are not known. */
function createWaits(run: Run) {
  const all = once(() => servers(run));
  return onceEach((stream: number) => {
    const server = all().find((one) => one.stream === stream);
    const arrivals = server?.arrivals ?? null;
    if (server === undefined || arrivals === null || server.requests.length === 0) return null;
    return { server, behind: waitsBehind(server.requests, arrivals(), server.operations) };
  });
}

/** How the requests of a load were answered, by the route that a server logged for them; none for other routes. */
export function loadOfRoutes<Logged extends Pick<Route, 'method' | 'path'>>(
  { requests, recorded }: RecordedLoad,
  routes: readonly Logged[],
): ReadonlyMap<Logged, readonly AnswerFigures[]> {
  const found = requests.flatMap(({ method, url }, at) => {
    const answers = recorded.byRequest[at];
    const route = routeOf(method, pathOf(url), routes);
    return answers === undefined || route === undefined ? [] : [{ route, answers }];
  });
  return new Map(
    [...groupBy(found, ({ route }) => route)].map(([route, its]) => [route, its.map((one) => one.answers)]),
  );
}

/** The route with the most parts of the path: `/users/me` before `/users/:id`. None of several: their order is unknown. */
function routeOf<Logged extends Pick<Route, 'method' | 'path'>>(
  method: string,
  path: string,
  routes: readonly Logged[],
): Logged | undefined {
  const parts = path.split('/');
  const fitting = routes.flatMap((route) => {
    const own = route.path.split('/');
    const isFitting = own.length === parts.length && own.every((part, at) => part === parts[at] || isOpen(part));
    const same = own.filter((part, at) => part === parts[at]).length;
    return route.method === method && isFitting ? [{ route, same }] : [];
  });
  const [best, next] = fitting.toSorted((a, b) => b.same - a.same);
  return best?.same === next?.same ? undefined : best?.route;
}

/** A part of a pattern (`:id`, `{id}`) or of grouped paths (`*`). */
function isOpen(part: string): boolean {
  return part === '*' || part.startsWith(':') || part.startsWith('{');
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
