import type { ComparedSide, Comparison } from '../../protocol/comparison.ts';
import { median } from '../../protocol/median.ts';
import type { AnswerFigures, LoadFigures, RecordedLoad } from '../../protocol/recording.ts';
import { microseconds } from '../../protocol/units.ts';
import { recordUnderLoad } from '../../recorder/launch/load/record-under-load.ts';
import type { RecordOptions } from '../../recorder/launch/run/record.ts';
import { timesText } from '../../words/formats/change-texts.ts';
import { duration, plural } from '../../words/formats/figures.ts';
import type { LoadArguments } from '../arguments/load-arguments.ts';
import { type Ending, type Output, refuse, showProgress } from '../views/terminal.ts';
import { manifestOf } from './find-recording.ts';
import { planLoad, progressAt } from './load-plan.ts';

/** Where a run under load reports. */
interface Reporting {
  readonly err: Output;
  readonly say: (sentence: string) => void;
  /** Shows what a recording has. */
  readonly show: (directory: string) => Promise<unknown>;
}

/** Records a server under load, and stops it then, which is not a failure. */
export async function recordLoaded(
  run: RecordOptions,
  load: LoadArguments,
  { err, say, show }: Reporting,
): Promise<Ending> {
  const fail = (message: string): Ending => ({ type: 'code', code: refuse(err, message) });
  const plan = await planLoad(load, run, say, progressAt(err));
  if ('message' in plan) return fail(plan.message);
  const result = await recordUnderLoad(run, plan);
  showProgress(err, '');
  if (result.type === 'interrupted') return { type: 'signal', signal: result.signal };
  if (result.type === 'failed') return fail(result.message);
  const { outcome, load: sent, message } = result;
  if (outcome.type !== 'ended') return fail(outcome.message);
  if (outcome.unfinished !== null) err.say(outcome.unfinished);
  await show(outcome.directory);
  if (sent === null) return fail(message ?? 'The load was not sent: the command was stopped before.');
  for (const sentence of loadSentences(sent)) say(sentence);
  return { type: 'code', code: 0 };
}

/** `Load without → with the recorder: 1 240 → 1 131 req/s, p50 2 ms → 2 ms, p99 18 ms → 21 ms (…).`, and what went wrong with requests. */
export function loadSentences(load: RecordedLoad): readonly string[] {
  const { requests, connections, baseline, recorded } = load;
  const pair = pairOf(baseline, recorded);
  const figures = `${pair((one) => grouped(one.requestsPerSecond))} req/s, ${latencies(pair)}`;
  const [only] = requests;
  const what = requests.length === 1 ? `${only?.method} ${only?.url}` : plural(requests.length, 'request');
  const sent = `${grouped(recorded.requests)} × ${what} over ${plural(connections, 'connection')}`;
  const runs = baseline === null ? 'Load with the recorder' : 'Load without → with the recorder';
  return [
    `${runs}: ${figures} (${sent}).`,
    ...(requests.length > 1 ? requestSentences(load) : []),
    ...(baseline === null ? [] : troubles(baseline, 'without the recorder')),
    ...troubles(recorded, 'with it'),
  ];
}

/** How the requests of a load were answered on both sides, the slowest before first: `GET /orders: p99 540 → 38 ms`. */
export async function loadChanges({ base, head }: Pick<Comparison, 'base' | 'head'>): Promise<readonly string[]> {
  const [was, is] = await Promise.all([p99s(base), p99s(head)]);
  const both = [...was].flatMap(([title, before]) => {
    const now = is.get(title);
    return now === undefined ? [] : [{ title, before: median(before), now: median(now) }];
  });
  return both
    .toSorted((a, b) => b.before - a.before)
    .slice(0, MAX_NAMED)
    .map(({ title, before, now }) => `${title}: p99 ${timesText(microseconds(before), microseconds(now))}`);
}

/** The p99 of each run of a side in µs, by the title of the request. */
async function p99s({ runs }: ComparedSide): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, number[]>();
  for (const { path } of runs) {
    const { requests = [], recorded } = (await manifestOf(path))?.load ?? {};
    for (const [at, { title }] of requests.entries()) {
      const p99 = recorded?.byRequest[at]?.latencyUs.p99;
      if (p99 !== undefined) found.set(title, [...(found.get(title) ?? []), p99]);
    }
  }
  return found;
}

/** The slowest requests by p99 with the recorder: `GET /orders: p50 2 ms → 2 ms, p99 18 ms → 21 ms (540 answers).` */
function requestSentences({ requests, baseline, recorded }: RecordedLoad): readonly string[] {
  const all = requests.flatMap(({ title }, at) => {
    const now = recorded.byRequest[at];
    if (now === undefined) return [];
    const text = `${title}: ${latencies(pairOf(baseline?.byRequest[at] ?? null, now))} (${plural(now.requests, 'answer')}).`;
    return [{ text, p99: now.latencyUs.p99 }];
  });
  const slowest = all.toSorted((a, b) => b.p99 - a.p99).slice(0, MAX_NAMED);
  const left = all.length - slowest.length;
  return [...slowest.map(({ text }) => text), ...(left > 0 ? [`${plural(left, 'faster request')} in --json.`] : [])];
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

function troubles({ requests, errors, timeouts, non2xx }: LoadFigures, when: string): readonly string[] {
  const parts = [
    ...(non2xx > 0 ? [`${non2xx} of ${requests} answers had another status than 2xx`] : []),
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
