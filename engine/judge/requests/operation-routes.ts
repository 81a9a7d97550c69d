import { groupBy } from '../../basics/lists.ts';
import type { CutRun } from '../../cut/operations/cut-run.ts';
import { ownedOperations } from './owned-operations.ts';
import { groupPaths, otherRoute } from './route-waits.ts';

/**
 * The routes of the requests that operations belong to, such as `GET /users/:id`, by index of the operation. Which
 * request an operation belongs to is told by time (`ownedOperations`), so this is an estimate. Null where no requests
 * were recorded.
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
