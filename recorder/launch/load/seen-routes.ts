import { type LeftOut, methods, type PlannedRequest } from './request-plan.ts';

/** A route of an earlier recording: `GET /orders/:id`, or a path with `*`. */
export interface SeenRoute {
  readonly method: string;
  readonly path: string;
}

/** Requests for the routes of an earlier recording: those by GET without parameters, since recordings keep no urls. */
export function requestsOfRoutes(routes: readonly SeenRoute[]): {
  readonly requests: readonly PlannedRequest[];
  readonly leftOut: readonly LeftOut[];
} {
  const found = routes.map(({ method, path }): PlannedRequest | LeftOut => {
    const title = `${method} ${path}`;
    const known = methods.find((one) => one === method);
    if (known !== 'GET') return { title, reason: 'is no GET, and may change data: write it into a .http file' };
    const part = /:\w+|[*(){}[\]+]/.exec(path);
    if (part !== null || !path.startsWith('/'))
      return { title, reason: `needs an address instead of ${part?.[0] ?? path}: write it into a .http file` };
    return { name: null, method: known, url: path, headers: {}, body: null };
  });
  return { requests: found.filter((one) => 'url' in one), leftOut: found.filter((one) => 'reason' in one) };
}
