import type { WaitingRoute } from '../../protocol/time.ts';
import { microseconds } from '../../protocol/units.ts';
import { groupBy } from '../basics/lists.ts';
import type { CutRun } from '../operations/cut-run.ts';
import { isBackground } from '../samples/sample-stream.ts';
import { arrivalsOf } from './arrivals.ts';
import { groupPaths, otherRoute } from './route-waits.ts';
import { waitsBehind } from './waits.ts';

/**
 * The requests that waited behind one operation, by route, those with the longest wait first. Null where no waits are
 * known: nothing logged requests, they came from tests in the same process, or nobody waits for the thread.
 */
export function waitingBehind(
  { streams, bridged, operations }: Pick<CutRun, 'streams' | 'bridged' | 'operations'>,
  number: number,
): readonly WaitingRoute[] | null {
  const index = operations[number]?.stream ?? -1;
  const stream = streams[index];
  if (!stream?.requests || stream.tests !== null || isBackground(stream)) return null;
  const { requests, routes } = stream.requests;
  if (requests.length === 0) return null;
  const numbers = [...operations.keys()].filter((one) => operations[one]?.stream === index);
  const all = numbers.flatMap((one) => operations[one] ?? []);
  const arrivals = arrivalsOf({ ...stream, nodes: bridged[index]?.nodes ?? stream.nodes }, requests);
  const waits = waitsBehind(requests, arrivals, all, numbers.indexOf(number));
  const grouped = groupPaths(streams.flatMap((one) => [...(one.requests?.routes.values() ?? [])]));
  const waited = requests.flatMap((request, at) => {
    const noted = routes.get(request.route) ?? otherRoute;
    const { method, path } = grouped.get(noted) ?? noted;
    const us = waits[at] ?? 0;
    return us >= leastWait ? [{ route: `${method} ${path}`, us }] : [];
  });
  return [...groupBy(waited, ({ route }) => route)]
    .map(([route, own]) => ({
      route,
      requests: own.length,
      longestUs: microseconds(Math.round(own.reduce((most, { us }) => Math.max(most, us), 0))),
    }))
    .toSorted((a, b) => b.longestUs - a.longestUs);
}

/** Shortest wait in µs that is told: less is within the distance of two samples. */
const leastWait = 1_000;
