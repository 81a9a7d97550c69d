import type { AnswerFigures, LoadFigures, RecordedLoad } from '../../protocol/recording.ts';
import { duration, plural } from './figures.ts';

/** `Load without → with the recorder: 1 240 → 1 131 req/s, p50 2 ms → 2 ms, p99 18 ms → 21 ms (…).`, and what went wrong with requests. */
export function loadSentences(load: RecordedLoad): readonly string[] {
  const { requests, connections, rate, amount, baseline, recorded } = load;
  const pair = pairOf(baseline, recorded);
  const figures = `${pair((one) => grouped(one.requestsPerSecond))} req/s, ${latencies(pair)}`;
  const [only] = requests;
  const count = grouped(recorded.requests);
  const what =
    requests.length === 1
      ? `${count} × ${only?.method} ${only?.url}`
      : `${count} of ${requests.length} requests in turn,`;
  // Of more connections some would have nothing to send, and are not opened.
  const opened = Math.min(connections, rate ?? Infinity, amount ?? Infinity);
  const sent = `${what} over ${plural(opened, 'connection')}`;
  const runs = baseline === null ? 'Load with the recorder' : 'Load without → with the recorder';
  return [
    `${runs}: ${figures} (${sent}).`,
    ...(requests.length > 1 ? requestSentences(load) : []),
    ...(baseline === null ? [] : troubles(baseline, 'without the recorder')),
    ...troubles(recorded, 'with it'),
  ];
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
