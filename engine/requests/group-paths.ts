import { mostSiblings } from '../../protocol/recording.ts';
import type { Route } from './request-log.ts';

/**
 * What the routes that no framework has named are shown as: those with `mostSiblings` or more different parts in one
 * place of their paths are one, with `*` there. Else each post of a blog would be a route.
 */
export function groupPaths(routes: readonly Route[]): ReadonlyMap<Route, Route> {
  const rows: readonly Row[] = routes
    .filter(({ by }) => by === 'path')
    .map((route) => ({ route, parts: [route.method, ...route.path.split('/')] }));
  const depth = rows.reduce((most, { parts }) => Math.max(most, parts.length), 0);
  for (let place = 1; place < depth; place++) for (const { parts } of crowdedAt(place, rows)) parts[place] = '*';
  return new Map(rows.map(({ route, parts }) => [route, { ...route, path: parts.slice(1).join('/') }]));
}

/** Those that are alike up to this place and have too many different parts there. */
function crowdedAt(place: number, rows: readonly Row[]): readonly Row[] {
  const crowds = new Map<string, Row[]>();
  for (const row of rows) {
    const above = row.parts.slice(0, place).join('/');
    const crowd = crowds.get(above);
    if (row.parts[place] === undefined) continue;
    if (crowd === undefined) crowds.set(above, [row]);
    else crowd.push(row);
  }
  const isCrowded = (crowd: readonly Row[]): boolean =>
    new Set(crowd.map(({ parts }) => parts[place])).size >= mostSiblings;
  return [...crowds.values()].filter(isCrowded).flat();
}

interface Row {
  readonly route: Route;
  /** The method, then the parts of the path. */
  readonly parts: string[];
}
