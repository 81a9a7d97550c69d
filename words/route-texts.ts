import type { Analysis } from '../engine/analysis.ts';
import type { RouteWaits } from '../engine/judge/requests/route-waits.ts';
import { placeOf } from './places.ts';

/** How it reads that requests waited, in the terminal and in the editor. */

/**
 * A route in one sentence: `GET /autocomplete: 12 % of 800 wait > 10 ms, 5.1 % > 100 ms, behind parseQuery src/q.ts:31`.
 */
export function routeText(route: RouteWaits, analysis: Analysis): string {
  return `${route.method} ${route.path}: ${waitShares(route)}${behindOf(route, analysis)}`;
}

/** How many of its requests waited for how long: `12 % of 800 wait > 10 ms, 5.1 % > 100 ms`. */
export function waitShares({ requests, over10Ms, over100Ms, over1S }: RouteWaits): string {
  const classes = [
    { count: over10Ms, text: `of ${requests} wait > 10 ms` },
    { count: over100Ms, text: '> 100 ms' },
    { count: over1S, text: '> 1 s' },
  ];
  return classes
    .filter(({ count }) => count > 0)
    .map(({ count, text }) => `${percent(count / requests)} ${text}`)
    .join(', ');
}

function behindOf({ behind }: RouteWaits, analysis: Analysis): string {
  const first = behind.find(({ functionId }) => functionId !== null);
  const fn = analysis.functions.functions[first?.functionId ?? -1];
  return fn === undefined ? '' : `, behind ${fn.label} ${placeOf(fn, analysis)}`;
}

function percent(share: number): string {
  return `${share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;
}

/** Why no route is listed. */
export const noWaits = {
  none: 'No request waited for more than 10 ms behind others.',
  ofTests:
    'No waits are known: the requests came from tests in the process of the server, which cannot send while it is busy.',
  noRequests: 'No requests were recorded: use Profile App, and send requests to your server.',
} as const;
