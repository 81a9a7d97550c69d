import type { Analysis } from '../../engine/analysis.ts';
import { type ProgramLoops, programLoops, programName } from '../../engine/cut/event-loop/program-loops.ts';
import { type RouteWaits, routeWaits, type WaitedBehind } from '../../engine/judge/requests/route-waits.ts';
import { isBackground, type SampleStream } from '../../engine/read/samples/sample-stream.ts';
import { durationClassOf } from '../../protocol/figures.ts';
import type { DetailRow } from '../../protocol/list-rows.ts';
import { microseconds } from '../../protocol/units.ts';
import { duration } from '../../words/formats/figures.ts';
import { loopTexts, programText } from '../../words/loop-texts.ts';
import { holderOf, noWaits, routeText, waitShares } from '../../words/operation-words.ts';
import { placeOf } from '../../words/places.ts';
import { threadName } from '../../words/thread-names.ts';
import { shortPlace } from './hotspot-items.ts';
import { emptyRow, noteRow } from './long-operations.ts';

/** Which routes waited behind what, worst first, then the event loop of each program, the servers' first. */
export function waitRows(analysis: Analysis): readonly DetailRow[] {
  const routes = routeWaits(analysis);
  const waited = routes.filter(({ over10Ms }) => over10Ms > 0);
  const isAnyLogged = analysis.streams.some(({ requests }) => (requests?.requests.length ?? 0) > 0);
  const why = routes.length > 0 ? noWaits.none : isAnyLogged ? noWaits.ofTests : noWaits.noRequests;
  return [
    ...(waited.length > 0 ? waited.map((route) => routeRow(analysis, route)) : [noteRow(why)]),
    ...loopRows(analysis),
  ];
}

function routeRow(analysis: Analysis, route: RouteWaits): DetailRow {
  const { method, path, p50, p99, behind } = route;
  return {
    ...emptyRow,
    kind: 'route',
    figure: `≈${duration(p99)}`,
    label: `${method} ${path}`,
    description: `p99 · ${waitShares(route)}`,
    tooltip: [
      routeText(route, analysis),
      `wait p50 ≈${duration(p50)}, p99 ≈${duration(p99)}: when requests arrived is estimated`,
    ].join('\n'),
    class: durationClassOf(p99),
    below: behind.slice(0, mostBehind).map((one) => behindRow(analysis, one)),
  };
}

/** Most functions of a route behind which its requests waited. */
const mostBehind = 10;

/** A function behind which requests waited; for what has no function of the person's, only what held the loop longest. */
function behindRow(analysis: Analysis, { functionId, us, operation }: WaitedBehind): DetailRow {
  const fn = analysis.functions.functions[functionId ?? -1];
  const place = fn === undefined ? '' : placeOf(fn, analysis);
  const name = fn?.label ?? `no function of yours, longest: ${holderOf(analysis, operation)}`;
  const figure = `≈${duration(microseconds(us))}`;
  return {
    ...emptyRow,
    kind: 'function',
    figure,
    label: name,
    description: [...(place === '' ? [] : [shortPlace(place)]), 'lost behind it'].join(' · '),
    tooltip: [name, place, `its requests lost ${figure} behind it, all together`]
      .filter((line) => line !== '')
      .join('\n'),
    class: durationClassOf(microseconds(us)),
    operation,
    functionId: fn?.id ?? -1,
    opens: fn === undefined ? 'operation' : 'line',
  };
}

function loopRows(analysis: Analysis): readonly DetailRow[] {
  const { streams } = analysis;
  return programLoops(streams).map((loops) => {
    const own = streams.filter((stream) => programName(stream.isolate) === loops.program && isWaited(stream));
    const parts = own.flatMap((stream) => programLoops([stream]).map((one) => ({ stream, one })));
    const threads = parts.map(({ stream, one }): DetailRow => {
      return { ...loopRow(analysis, one, threadName(streams, streams.indexOf(stream)), [stream]), kind: 'thread' };
    });
    const row = loopRow(analysis, loops, `Event loop of ${programText(loops)}`, own);
    return threads.length > 1 ? { ...row, below: [...row.below, ...threads] } : row;
  });
}

function isWaited(stream: SampleStream): boolean {
  return !isBackground(stream) && !stream.isolate.isTestParent;
}

/** A loop; a click shows the longest operation on it. */
function loopRow(analysis: Analysis, loops: ProgramLoops, label: string, own: readonly SampleStream[]): DetailRow {
  const { busy, delay, collections } = loopTexts(loops);
  const longest = longestOf(analysis, own);
  const facts = [
    { label: 'busy', description: busy },
    { label: 'delay', description: delay },
    { label: 'GC', description: collections },
  ].map((fact): DetailRow => ({ ...emptyRow, kind: 'fact', ...fact, tooltip: `${fact.label} ${fact.description}` }));
  return {
    ...emptyRow,
    kind: 'loop',
    figure: duration(loops.delays.p99),
    label,
    description: `p99 · busy ${busy}`,
    tooltip: `${label} busy ${busy} · delay ${delay} · GC ${collections}`,
    class: durationClassOf(loops.delays.p99),
    operation: longest,
    opens: longest === null ? null : 'operation',
    below: facts,
  };
}

/** The longest operation of these streams that is over the threshold. */
function longestOf({ operations, streams, thresholdUs }: Analysis, own: readonly SampleStream[]): number | null {
  const isOwn = streams.map((stream) => own.includes(stream));
  let longest: number | null = null;
  for (const [number, { stream, held }] of operations.entries()) {
    if (isOwn[stream] === true && held > (operations[longest ?? -1]?.held ?? thresholdUs)) longest = number;
  }
  return longest;
}
