import type { AnswerFigures, LoadFigures, RecordedLoad } from '../../protocol/recording.ts';
import { milliseconds } from '../../protocol/units.ts';
import { duration, percent, plural } from './figures.ts';

/**
 * `Load without → with the recorder: 1 240 → 1 131 req/s, p50 2 ms → 2 ms, p99 18 ms → 21 ms (…).`, and what went wrong
 * with requests. Two runs that got different shares of the CPUs are not compared.
 */
export function loadSentences(load: RecordedLoad): readonly string[] {
  const { requests, connections, rate, amount, recorded } = load;
  const difference = load.baseline === null ? null : machineDifference(load.baseline, recorded);
  const baseline = difference === null ? load.baseline : null;
  const figures = figuresOf(pairOf(baseline, recorded));
  const [only] = requests;
  const count = grouped(recorded.requests);
  const what =
    requests.length === 1
      ? `${count} × ${only?.method} ${only?.url}`
      : `${count} requests, of ${requests.length} kinds in turn,`;
  // Of more connections some would have nothing to send, and are not opened.
  const opened = Math.min(connections, rate ?? Infinity, amount ?? Infinity);
  const sent = `${what} over ${plural(opened, 'connection')}`;
  const runs = baseline === null ? 'Load with the recorder' : 'Load without → with the recorder';
  return [
    `${runs}: ${figures} (${sent}).`,
    ...(load.baseline === null || difference === null
      ? []
      : [`Without it: ${figuresOf(pairOf(null, load.baseline))}. The two cannot be compared: ${difference}.`]),
    ...(requests.length > 1 ? requestSentences({ ...load, baseline }) : []),
    ...(load.baseline === null ? [] : troubles(load.baseline, 'without the recorder')),
    ...troubles(recorded, 'with it'),
  ];
}

/** How the machine differed between two runs; null where that is not seen. */
function machineDifference(baseline: LoadFigures, recorded: LoadFigures): string | null {
  const [was, is] = [baseline.cpuShare, recorded.cpuShare];
  if (was !== undefined && is !== undefined && Math.max(was, is) > UNLIKE * Math.min(was, is))
    return `during the load the program had a CPU for ${percent(was)} of the time that it needed one without the recorder, for ${percent(is)} with it`;
  const isFaster =
    recorded.requestsPerSecond > UNLIKE * baseline.requestsPerSecond ||
    baseline.latencyUs.p50 > UNLIKE * recorded.latencyUs.p50 + milliseconds(1);
  return isFaster ? 'it was faster with the recorder, so the two differed in something else' : null;
}

/** Factor by which two runs may differ without another reason than the recorder. */
const UNLIKE = 1.2;

function figuresOf(pair: Pair<LoadFigures>): string {
  return `${pair((one) => grouped(one.requestsPerSecond))} req/s, ${latencies(pair)}`;
}

/**
 * The slowest requests by p99 with the recorder: `GET /orders: p50 2 ms → 2 ms, p99 18 ms → 21 ms (540 answers).` Those
 * without an answer come first.
 */
function requestSentences({ requests, baseline, recorded }: RecordedLoad): readonly string[] {
  const all = requests.flatMap(({ title }, at) => {
    const now = recorded.byRequest[at];
    if (now === undefined) return [];
    const text = `${title}: ${answersText(baseline?.byRequest[at] ?? null, now)}.`;
    return [{ text, p99: now.requests === 0 ? Infinity : now.latencyUs.p99 }];
  });
  const slowest = all.toSorted((a, b) => (a.p99 === b.p99 ? 0 : b.p99 - a.p99)).slice(0, MAX_NAMED);
  const left = all.length - slowest.length;
  return [...slowest.map(({ text }) => text), ...(left > 0 ? [`${plural(left, 'faster request')} in --json.`] : [])];
}

/** `p50 2 ms → 2 ms, p99 18 ms → 21 ms (540 answers)`; `no answer → p50 2 ms, p99 18 ms (1 answer)`. */
function answersText(before: AnswerFigures | null, now: AnswerFigures): string {
  const sides = [before, now].filter((one) => one !== null);
  const answered = sides.filter(({ requests }) => requests > 0);
  if (answered.length === 0)
    return `no answer${now.errors === 0 ? ' before the end of the load' : `, ${plural(now.errors, 'request')} failed`}`;
  const alone = sides.map((one) => (one.requests === 0 ? 'no answer' : latencies(pairOf(null, one)))).join(' → ');
  const figures = answered.length === sides.length ? latencies(pairOf(before, now)) : alone;
  return `${figures} (${plural(now.requests, 'answer')})`;
}

const MAX_NAMED = 8;

/** `a → b`, or `b` without a run before. */
function pairOf<Figures>(baseline: Figures | null, recorded: Figures): Pair<Figures> {
  return (figure) => (baseline === null ? figure(recorded) : `${figure(baseline)} → ${figure(recorded)}`);
}

type Pair<Figures> = (figure: (figures: Figures) => string) => string;

function latencies(pair: Pair<AnswerFigures>): string {
  return (['p50', 'p99'] as const).map((name) => `${name} ${pair((one) => duration(one.latencyUs[name]))}`).join(', ');
}

function troubles({ requests, errors, timeouts, refused }: LoadFigures, when: string): readonly string[] {
  const parts = [
    ...(refused > 0 ? [`${refused} of ${requests} answers had a status of 400 and more`] : []),
    ...(errors > 0 ? [`${plural(errors, 'request')} failed, ${timeouts} of them by time-out`] : []),
  ];
  return parts.length === 0
    ? []
    : [`${parts.join(', and ')} ${when}: the figures show a program that refuses requests.`];
}

/** `1 240`; below 100 unrounded. */
function grouped(value: number): string {
  return value < 100 ? String(value) : String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}
