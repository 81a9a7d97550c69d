import { blameName } from './summary.ts';
import { threadName } from './thread-names.ts';
import type { Analysis } from '../engine/analysis.ts';
import type { RouteWaits } from '../engine/judge/requests/route-waits.ts';
import { placeOf } from './places.ts';

/** The test of an operation, as `in test "adds up"`, with the innermost title alone; empty where none is known. */
export function inTest({ operations }: Pick<Analysis, 'operations'>, number: number): readonly string[] {
  const test = operations[number]?.test ?? null;
  return test === null ? [] : [`in test "${splitTitle(test.name).title}"`];
}

/** The innermost title of a test, and the suites that it is in: `cart > totals`. */
export function splitTitle(name: string): { readonly title: string; readonly suites: string } {
  const at = name.lastIndexOf(' > ');
  return at === -1 ? { title: name, suites: '' } : { title: name.slice(at + 3), suites: name.slice(0, at) };
}

/** Who held the loop in an operation: the culprit, else what is blamed. */
export function holderOf({ verdicts, functions }: Analysis, number: number): string {
  const { culprit = null, blame = null } = verdicts[number] ?? {};
  const fn = functions.functions[culprit?.functionId ?? -1];
  if (fn !== undefined) return fn.label;
  return blame === null ? 'not seen by the profiler' : blameName(blame);
}

/** Where the culprit of an operation holds the loop: `src/cart.ts:12`; empty where it has none. */
export function holderPlace(analysis: Analysis, number: number): string {
  const fn = analysis.functions.functions[analysis.verdicts[number]?.culprit?.functionId ?? -1];
  return fn === undefined ? '' : placeOf(fn, analysis);
}

/** The thread of an operation, as `cart.test.ts`; empty where there is only one. */
export function inThread({ operations, streams }: Analysis, number: number): readonly string[] {
  const stream = operations[number]?.stream ?? -1;
  return streams[stream] === undefined || streams.length === 1 ? [] : [threadName(streams, stream)];
}

/** Why there is nothing to group by, and what to do. */
export const nothingToGroupBy = {
  test: 'No tests are known in this recording: they are of node:test, Mocha, Jest and Vitest.',
  process: 'Nothing was over the threshold in any process.',
  route: 'No requests were recorded: use Profile App, and send requests to your server.',
} as const;

/** Said where there are tests, processes or requests, and none of them was long. */
export const noneWasLong = {
  test: 'Nothing was over the threshold in any test.',
  process: nothingToGroupBy.process,
  route: 'Nothing was over the threshold in any request.',
} as const;

export const noGroup = {
  test: 'Outside of tests',
  process: '',
  route: 'Outside of requests',
} as const;

/** How an operation comes to a route. */
export const ofRouteWhy =
  'An operation counts for the requests that were read in it, else for the open request that was answered first: an estimate.';

/** Said over operations where several runs are shown together; empty else. */
export function ofOneRun({ several }: Pick<Analysis, 'several'>): readonly string[] {
  return several?.takenFor === 'runs' ? ['Of one run alone: the one in the middle'] : [];
}

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
