import type { FunctionInfo } from '../engine/read/functions/function-table.ts';
import { blameName, unseenWork } from './summary.ts';
import { threadName } from './thread-names.ts';
import type { Analysis } from '../engine/analysis.ts';
import { mainCulprit } from '../engine/judge/hotspots/blame.ts';
import { loadOfRoutes, type RouteWaits, routeWaits } from '../engine/judge/requests/route-waits.ts';
import type { AnswerFigures } from '../protocol/recording.ts';
import { durationRange, plural, labelWithPlace } from './formats/figures.ts';
import { placeOf } from './places.ts';

/** `in test "adds up"`, with the innermost title; empty if unknown. */
export function inTest({ operations }: Pick<Analysis, 'operations'>, number: number): readonly string[] {
  const test = operations[number]?.test ?? null;
  return test === null ? [] : [`in test "${splitTitle(test.name).title}"`];
}

/** The innermost title of a test, and its suites: `cart > totals`. */
export function splitTitle(name: string): { readonly title: string; readonly suites: string } {
  const at = name.lastIndexOf(' > ');
  return at === -1 ? { title: name, suites: '' } : { title: name.slice(at + 3), suites: name.slice(0, at) };
}

/** Who held the loop in an operation: loading where that is most of it, else the larger of culprit and blame. */
export function holderOf(analysis: Analysis, number: number): string {
  if (isMostlyLoading(analysis, number)) return 'module loading';
  const blame = analysis.verdicts[number]?.blame ?? null;
  return holdingFunction(analysis, number)?.label ?? (blame === null ? unseenWork : blameName(blame));
}

/** Where your function that held the loop does so: `src/cart.ts:12`; empty where something else did. */
export function holderPlace(analysis: Analysis, number: number): string {
  const fn = holdingFunction(analysis, number);
  return fn === undefined ? '' : placeOf(fn, analysis);
}

/** Your function that held the loop; undefined where something else did. */
export function holdingFunction(analysis: Analysis, number: number): FunctionInfo | undefined {
  const verdict = analysis.verdicts[number];
  if (verdict === undefined || isMostlyLoading(analysis, number)) return undefined;
  return analysis.functions.functions[mainCulprit(verdict)?.functionId ?? -1];
}

/** Whether loading modules took over half of an operation: a culprit in it is then not why it was long. */
function isMostlyLoading({ verdicts, operations }: Analysis, number: number): boolean {
  const held = operations[number]?.held ?? 0;
  return held > 0 && 2 * (verdicts[number]?.load ?? 0) > held;
}

/** The thread of an operation, `cart.test.ts`; empty if there is only one. */
export function inThread({ operations, streams }: Analysis, number: number): readonly string[] {
  const stream = operations[number]?.stream ?? -1;
  return streams[stream] === undefined || streams.length === 1 ? [] : [threadName(streams, stream)];
}

export const nothingToGroupBy = {
  test: 'No tests are known in this recording: they are of node:test, Mocha, Jest and Vitest.',
  process: 'Nothing was over the threshold in any process.',
  route: 'No requests were recorded: use Profile App, and send requests to your server.',
} as const;

/** If no test, process or request was long. */
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

export const ofRouteWhy =
  'An operation counts for the requests that were read in it, else for the open request that was answered first: an estimate.';

/** A note for several runs. */
export function ofOneRun({ several }: Pick<Analysis, 'several'>): readonly string[] {
  return several?.takenFor === 'runs' ? ['Of one run alone: the one in the middle'] : [];
}

/** A route as the views show it. */
export interface ShownRoute {
  readonly route: RouteWaits;
  /** How the requests of a load to it were answered; empty where it got none. */
  readonly answers: readonly AnswerFigures[];
}

/** Routes whose requests waited, and those that Hotspan sent a load to; worst first. */
export function shownRoutes(analysis: Analysis): readonly ShownRoute[] {
  const routes = routeWaits(analysis);
  const { load } = analysis.recording;
  const ofLoad = load === undefined ? null : loadOfRoutes(load, routes);
  const shown = routes.map((route) => ({ route, answers: ofLoad?.get(route) ?? [] }));
  return shown.filter(({ route, answers }) => route.over10Ms > 0 || answers.length > 0);
}

/**
 * `GET /autocomplete: p50 2 ms, p99 540 ms for 800 answers to the load; 12 % of all 900 requests, warm-up included, wait
 * > 10 ms for others, 5.1 % > 100 ms, behind parseQuery src/q.ts:31`. `placeText` writes the place; without it, it is
 * relative to the project.
 */
export function routeText(
  { route, answers }: ShownRoute,
  analysis: Analysis,
  placeText = (fn: FunctionInfo): string => placeOf(fn, analysis),
): string {
  const behind = route.behind.slice(0, 1).map(({ functionId, operation }) => {
    const fn = analysis.functions.functions[functionId ?? -1];
    if (fn === undefined) return `, longest behind ${holderOf(analysis, operation)}`;
    return `, behind ${labelWithPlace(fn.label, placeText(fn), ' ')}`;
  });
  const all = (analysis.recording.load?.warmUpS ?? 0) > 0 ? ', warm-up included,' : '';
  const waits = answers.length === 0 ? waitShares(route) : `${answersText(answers)}; ${waitShares(route, all)}`;
  return `${route.method} ${route.path}: ${waits}${behind.join('')}`;
}

/** `p50 2 ms, p99 540 ms for 800 answers to the load`; ranges, where several requests have one route. */
function answersText(answers: readonly AnswerFigures[]): string {
  const all = answers.filter(({ requests }) => requests > 0);
  if (all.length === 0) return 'no answers under load';
  const [p50, p99] = (['p50', 'p99'] as const).map((name) => durationRange(all.map((one) => one.latencyUs[name])));
  const count = all.reduce((sum, { requests }) => sum + requests, 0);
  const requests = answers.length === 1 ? '' : `${answers.length} requests of `;
  return `p50 ${p50}, p99 ${p99} for ${plural(count, 'answer')} to ${requests}the load`;
}

/** `12 % of 800 wait > 10 ms, 5.1 % > 100 ms`. `all`: what is said of them beside figures of other requests. */
export function waitShares({ requests, over10Ms, over100Ms, over1S }: RouteWaits, all?: string): string {
  const [of, behind] = all === undefined ? [requests, ''] : [`all ${plural(requests, 'request')}${all}`, ' for others'];
  if (over10Ms === 0) return `none of ${of} waits > 10 ms${behind}`;
  const classes = [
    { count: over10Ms, text: `of ${of} wait > 10 ms${behind}` },
    { count: over100Ms, text: '> 100 ms' },
    { count: over1S, text: '> 1 s' },
  ];
  return classes
    .filter(({ count }) => count > 0)
    .map(({ count, text }) => {
      const share = 100 * (count / requests);
      return `${share < 0.05 ? '< 0.1' : share < 10 ? share.toFixed(1) : Math.round(share)} % ${text}`;
    })
    .join(', ');
}

export const noWaits = {
  none: 'No request waited for more than 10 ms behind others.',
  ofTests:
    'No waits are known: the requests came from tests in the process of the server, which cannot send while it is busy.',
  noRequests: 'No requests were recorded: use Profile App, and send requests to your server.',
} as const;
