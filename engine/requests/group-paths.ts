import { mostSiblings } from '../../protocol/recording.ts';
import { groupBy } from '../basics/group-by.ts';
import type { Route } from '../samples/request-log.ts';

/**
 * What the routes that no framework has named are shown as: those with `mostSiblings` or more different parts in one
 * place of their paths are one, with `*` there. Else each post of a blog would be a route.
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

/** Those that are alike up to this place and have too many different parts there. */
function crowdedAt(place: number, rows: readonly Row[]): readonly Row[] {
  const isCrowded = (crowd: readonly Row[]): boolean =>
    new Set(crowd.map(({ parts }) => parts[place])).size >= mostSiblings;
  return [...groupBy(rows, ({ above }) => above).values()].filter(isCrowded).flat();
}

interface Row {
  readonly route: Route;
  readonly parts: string[];
  /** The number of the method and the parts before the place that is looked at, so that none is compared twice. */
  above: number;
}
