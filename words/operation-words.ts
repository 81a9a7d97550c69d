import type { Analysis } from '../engine/analysis.ts';
import { placeOf } from './places.ts';
import { blameName } from './summary.ts';
import { threadName } from './thread-names.ts';

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

/** Who held the loop in an operation: loading where that is most of it, the culprit, else what is blamed. */
export function holderOf(analysis: Analysis, number: number): string {
  const { verdicts, functions } = analysis;
  const { culprit = null, blame = null } = verdicts[number] ?? {};
  if (isMostlyLoading(analysis, number)) return 'module loading';
  const fn = functions.functions[culprit?.functionId ?? -1];
  if (fn !== undefined) return fn.label;
  return blame === null ? 'not seen by the profiler' : blameName(blame);
}

/** Where the culprit of an operation holds the loop: `src/cart.ts:12`; empty where it has none, or mostly loads. */
export function holderPlace(analysis: Analysis, number: number): string {
  if (isMostlyLoading(analysis, number)) return '';
  const fn = analysis.functions.functions[analysis.verdicts[number]?.culprit?.functionId ?? -1];
  return fn === undefined ? '' : placeOf(fn, analysis);
}

/** Whether loading modules took over half of an operation: a culprit in it is then not why it was long. */
function isMostlyLoading({ verdicts, operations }: Analysis, number: number): boolean {
  const held = operations[number]?.held ?? 0;
  return held > 0 && 2 * (verdicts[number]?.load ?? 0) > held;
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
