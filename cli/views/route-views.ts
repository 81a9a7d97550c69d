import type { Analysis } from '../../engine/analysis.ts';
import { placeOf } from '../../words/places.ts';
import { type RouteWaits, routeWaits } from '../../engine/requests/route-waits.ts';
import { plainText } from './terminal-text.ts';

/**
 * Who waited, by route, worst first: `GET /autocomplete: 12 % of 800 wait > 10 ms, 5.1 % > 100 ms, behind parseQuery
 * src/q.ts:31`. Routes without a request that waited are left out.
 */
export function routeViews(analysis: Analysis): readonly string[] {
  return routeWaits(analysis)
    .filter(({ over10Ms }) => over10Ms > 0)
    .map((route) => plainText(`${route.method} ${route.path}: ${sharesOf(route)}${behindOf(route, analysis)}`));
}

function sharesOf({ requests, over10Ms, over100Ms, over1S }: RouteWaits): string {
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
