import { runClock } from '../../show/flame/part-of-run.ts';
import type { Operation } from '../../engine/cut/operations/operation.ts';
import { durationClassOf, type WorstFigure } from '../../protocol/figures.ts';
import type { DetailRow, OperationsParams } from '../../protocol/list-rows.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { duration, plural, pointInTime, worstTime } from '../../words/formats/figures.ts';
import {
  holderOf,
  holderPlace,
  holdingFunction,
  inTest,
  inThread,
  ofOneRun,
  noWaits,
  routeText,
  type ShownRoute,
  shownRoutes,
  waitShares,
} from '../../words/operation-words.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { loopName, type ProgramLoops, programLoops } from '../../engine/cut/event-loop/program-loops.ts';
import { operationRoutes, routeWaits, type WaitedBehind } from '../../engine/judge/requests/route-waits.ts';
import { isWaitedFor, type SampleStream } from '../../engine/read/samples/sample-stream.ts';
import { loopTexts, programText } from '../../words/loop-texts.ts';
import { placeOf } from '../../words/places.ts';
import { threadName } from '../../words/thread-names.ts';
import { shortPlace } from './hotspot-items.ts';

/** Long operations, those that the person can change first, in time order. A row stands for each lot of later ones. */
export function longOperations(analysis: Analysis, { from, count }: OperationsParams): readonly DetailRow[] {
  const list = listOf(analysis);
  const { numbers, ownCount } = list;
  const rowsIn = (start: number, end: number): readonly DetailRow[] =>
    numbers.slice(start, end).map((number) => operationRow(analysis, list, number));
  if (from > 0) return rowsIn(from, from + count);
  if (numbers.length === 0)
    return [noteRow(`No operation held an event loop for more than ${duration(analysis.thresholdUs)}.`)];
  const rows = ownCount === 0 ? [noteRow(noneOfYours)] : rowsIn(0, Math.min(count, ownCount));
  const lots = Math.min(MAX_LOTS, Math.ceil((ownCount - count) / count));
  const later = Array.from({ length: Math.max(0, lots) }, (_, lot) => {
    const start = count * (lot + 1);
    return laterRow(analysis, list, start, Math.min(count, ownCount - start));
  });
  const others = numbers.length - ownCount;
  const rest = others === 0 ? [] : [{ ...laterRow(analysis, list, ownCount, others), description: ofOthers }];
  return [...ofOneRun(analysis).map((text) => noteRow(text)), ...rows, ...later, ...rest];
}

const noneOfYours = 'No long operation is of your code, or of a package that it calls.';
/** Operations of the runner, of loading and of Node.js. */
const ofOthers = 'of the test runner, loading and Node.js';

/** Limit of rows for later operations. With 300 operations each, this is more than two hours can hold. */
const MAX_LOTS = 300;

interface OperationList {
  /** Operations over the threshold: those that the person can change, then the others, in time order. */
  readonly numbers: readonly number[];
  readonly ownCount: number;
  /** Zero on the clock of each stream, in µs. */
  readonly zeros: readonly number[];
  readonly routes: ReadonlyMap<number, ReadonlySet<string>>;
}

/** A cache: a list depends on its analysis alone, and goes with it. */
const lists = new WeakMap<Analysis, OperationList>();

function listOf(analysis: Analysis): OperationList {
  const known = lists.get(analysis);
  if (known !== undefined) return known;
  const { zeros } = runClock(analysis);
  const numbers = analysis.operations
    .flatMap((operation, number) =>
      operation.held > analysis.thresholdUs ? [{ at: beganAt(operation, zeros), number }] : [],
    )
    .toSorted((a, b) => a.at - b.at)
    .map(({ number }) => number);
  const own = numbers.filter((number) => canChange(analysis, number));
  const list = {
    numbers: [...own, ...numbers.filter((number) => !canChange(analysis, number))],
    ownCount: own.length,
    zeros,
    routes: operationRoutes(analysis) ?? new Map<number, ReadonlySet<string>>(),
  };
  lists.set(analysis, list);
  return list;
}

/** When it began, on the clock of the run. */
function beganAt({ start, stream }: Operation, zeros: readonly number[]): Microseconds {
  return microseconds(Math.max(0, start - (zeros[stream] ?? 0)));
}

/** Whether own code or a package held a loop that requests or users wait for. */
function canChange({ verdicts, operations, streams }: Analysis, number: number): boolean {
  const { culprit = null, blame = null } = verdicts[number] ?? {};
  const stream = streams[operations[number]?.stream ?? -1];
  if (!isWaitedFor(stream)) return false;
  return culprit !== null || blame?.kind === 'package' || blame?.kind === 'own';
}

function operationRow(analysis: Analysis, { zeros, routes }: OperationList, number: number): DetailRow {
  const operation = analysis.operations[number];
  if (operation === undefined) return noteRow('');
  const { stream, held, test } = operation;
  const figure = worstTime(figureOf(operation));
  const at = `at ${pointInTime(beganAt(operation, zeros), held)}`;
  const holder = holderOf(analysis, number);
  const ofRoutes = [...(routes.get(number) ?? [])].slice(0, MAX_ROUTES);
  const place = holderPlace(analysis, number);
  const where = [...inTest(analysis, number), ...ofRoutes, ...inThread(analysis, number)];
  const shortPlaces = place === '' ? [] : [shortPlace(place)];
  const isGrey = !isWaitedFor(analysis.streams[stream]);
  return {
    ...emptyRow,
    kind: 'operation',
    figure,
    label: at,
    description: [holder, ...where, ...shortPlaces].join(' · '),
    tooltip: [`${figure} ${at}`, holder, place, test?.name ?? '', ...ofRoutes, ...inThread(analysis, number)]
      .filter((line) => line !== '')
      .join('\n'),
    class: durationClassOf(held),
    tone: isGrey ? 'background' : 'plain',
    operation: number,
    functionId: holdingFunction(analysis, number)?.id ?? -1,
    opens: 'operation',
  };
}

/** An operation that read many requests belongs to all of their routes. */
const MAX_ROUTES = 2;

function figureOf({ held, measured, doubt }: Operation): WorstFigure {
  return { worstUs: held, estimated: !measured || doubt !== null };
}

/** A row for later operations, with the longest of them. */
function laterRow(analysis: Analysis, { numbers, zeros }: OperationList, from: number, count: number): DetailRow {
  const lot = numbers.slice(from, from + count).flatMap((number) => analysis.operations[number] ?? []);
  const [first] = lot;
  if (first === undefined) return noteRow('');
  const figure = worstTime(figureOf(lot.reduce((most, one) => (one.held > most.held ? one : most), first)));
  const [begin, end] = [beganAt(first, zeros), beganAt(lot.at(-1) ?? first, zeros)];
  const step = Math.max(end - begin, first.held);
  const between = `at ${pointInTime(begin, step)} to ${pointInTime(end, step)}`;
  return {
    ...emptyRow,
    kind: 'more',
    figure,
    label: `+${lot.length} more`,
    description: between,
    tooltip: `${plural(lot.length, 'long operation')} ${between}, the longest ${figure}`,
    later: { from, count: lot.length },
  };
}

function noteRow(text: string): DetailRow {
  return { ...emptyRow, label: text, tooltip: text };
}

const emptyRow: DetailRow = {
  kind: 'note',
  figure: '',
  label: '',
  description: '',
  tooltip: '',
  class: 'medium',
  tone: 'plain',
  operation: null,
  functionId: -1,
  opens: null,
  below: [],
};

/** Which routes waited behind what, worst first; then the event loop of each program, servers first. */
export function waitRows(analysis: Analysis): readonly DetailRow[] {
  const routes = shownRoutes(analysis);
  const isAnyLogged = analysis.streams.some(({ requests }) => (requests?.requests.length ?? 0) > 0);
  const why = routeWaits(analysis).length > 0 ? noWaits.none : isAnyLogged ? noWaits.ofTests : noWaits.noRequests;
  return [
    ...(routes.length > 0 ? routes.map((route) => routeRow(analysis, route)) : [noteRow(why)]),
    ...loopRows(analysis),
  ];
}

function routeRow(analysis: Analysis, shown: ShownRoute): DetailRow {
  const { method, path, p50, p99, behind } = shown.route;
  return {
    ...emptyRow,
    kind: 'route',
    figure: `≈${duration(p99)}`,
    label: `${method} ${path}`,
    description: `p99 · ${waitShares(shown.route)}`,
    tooltip: [
      routeText(shown, analysis),
      `wait p50 ≈${duration(p50)}, p99 ≈${duration(p99)}: when requests arrived is estimated`,
    ].join('\n'),
    class: durationClassOf(p99),
    below: behind.slice(0, MAX_BEHIND).map((one) => behindRow(analysis, one)),
  };
}

/** Limit of functions of a route. */
const MAX_BEHIND = 10;

/** A function that requests waited behind; without own code, what held the loop longest. */
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
    const own = streams.filter((stream) => loopName(stream.isolate) === loops.program && isWaitedFor(stream));
    const parts = own.flatMap((stream) => programLoops([stream]).map((one) => ({ stream, one })));
    const threads = parts.map(({ stream, one }): DetailRow => {
      return { ...loopRow(analysis, one, threadName(streams, streams.indexOf(stream)), [stream]), kind: 'thread' };
    });
    const row = loopRow(analysis, loops, `Event loop of ${programText(loops)}`, own);
    return threads.length > 1 ? { ...row, below: [...row.below, ...threads] } : row;
  });
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

function longestOf({ operations, streams, thresholdUs }: Analysis, own: readonly SampleStream[]): number | null {
  const isOwn = streams.map((stream) => own.includes(stream));
  let longest: number | null = null;
  for (const [number, { stream, held }] of operations.entries()) {
    if (isOwn[stream] === true && held > (operations[longest ?? -1]?.held ?? thresholdUs)) longest = number;
  }
  return longest;
}
