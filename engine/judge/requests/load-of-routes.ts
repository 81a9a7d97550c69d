import type { AnswerFigures, RecordedLoad } from '../../../protocol/recording.ts';
import { groupBy } from '../../basics/lists.ts';
import type { Route } from '../../read/samples/sample-stream.ts';

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
