import type { OperationRow, PickedOperation, RunPart, Timeline, TimeRange } from '../../protocol/time.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { ago, duration, plural, pointInTime, worstTime } from '../../words/formats/figures.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { frameFigures } from './frame-text.ts';
import type { State } from './page-state.ts';

/** How long an operation held the event loop: `312 ms`, `≈312 ms`. */
export function heldTime({ heldUs, estimated }: Pick<OperationRow, 'heldUs' | 'estimated'>): string {
  return worstTime({ worstUs: heldUs, estimated });
}

/** When an operation began; the next one of its thread begins after it. */
export function beganAt({ startUs, heldUs }: Pick<OperationRow, 'startUs' | 'heldUs'>): string {
  return `at ${pointInTime(startUs, heldUs)}`;
}

/** A row of the list as one sentence for a screen reader, in the order on screen. */
export function rowSentence(row: OperationRow): string {
  const parts = [heldTime(row), row.holder, beganAt(row), row.where];
  return visible(parts.filter((part) => part !== '').join(', '), 400);
}

/** `312 ms at 1.2 s · cloneCatalogue, src/catalogue.js:12 · process 7`. */
export function pickedTitle(picked: PickedOperation): string {
  const who = picked.place === '' ? picked.holder : `${picked.holder}, ${picked.place}`;
  const parts = [`${heldTime(picked)} ${beganAt(picked)}`, who, picked.where];
  return visible(parts.filter((part) => part !== '').join(' · '), 600);
}

/** Further facts about an operation, a sentence each. */
export function pickedLines(picked: PickedOperation, thresholdUs: Microseconds): readonly string[] {
  const { culprit, holder } = picked;
  const lines = [timesLine(picked), ...waitingLine(picked)];
  return culprit === null ? lines : [`${visible(holder, 200)} in all: ${frameFigures(culprit, thresholdUs)}`, ...lines];
}

/** `290 ms with a processor, of 340 ms by the clock · waited 28 ms for a processor · slept 22 ms in execSync · GC 12 ms`. */
function timesLine({ wallUs, runUs, waitUs, sleptUs, waitedIn, gcUs, loadUs }: PickedOperation): string {
  const wall = `${duration(wallUs)} by the clock`;
  const call = waitedIn === null ? '' : ` in ${visible(waitedIn, 100)}`;
  return [
    runUs === null
      ? `${wall}: its time with a processor is unknown`
      : `${duration(microseconds(Math.min(runUs, wallUs)))} with a processor, of ${wall}`, // The two clocks differ by some µs.
    ...timePart(waitUs, (time) => `waited ${time} for a processor`),
    ...timePart(sleptUs, (time) => `slept ${time}${call}`),
    ...timePart(gcUs, (time) => `GC ${time}`),
    ...timePart(loadUs, (time) => `loading modules ${time}`),
  ].join(' · ');
}

/** In µs. Shorter times are left out. */
const MIN_TIME = 100;

function timePart(us: Microseconds | null, text: (time: string) => string): readonly string[] {
  return us === null || us < MIN_TIME ? [] : [text(duration(us))];
}

const MAX_ROUTES = 3;

function waitingLine({ waiting }: PickedOperation): readonly string[] {
  if (waiting === null) return [];
  if (waiting.length === 0) return ['No request waited behind it.'];
  const all = waiting.reduce((sum, { requests }) => sum + requests, 0);
  const routes = waiting
    .slice(0, MAX_ROUTES)
    .map(({ route, requests, longestUs }) => `${visible(route, 100)} ${requests} × up to ≈${duration(longestUs)}`);
  const more = waiting.length > MAX_ROUTES ? [plural(waiting.length - MAX_ROUTES, 'more route')] : [];
  return [`≈${plural(all, 'request')} waited behind it: ${[...routes, ...more].join(', ')}`];
}

/** `Turns over 12 s · longest 1.84 s · delay p50 0 ms, p99 120 ms`. */
export function timelineText({ durationUs, longest, estimated, isOneClock, delay }: Timeline): string {
  const most = longest.reduce((high, us) => Math.max(high, us), 0);
  return [
    `Turns over ${duration(durationUs)}`,
    most === 0 ? 'none of 1 ms or more' : `longest ${estimated ? '≈' : ''}${duration(microseconds(most))}`,
    ...(delay === null ? [] : [`delay p50 ${duration(delay.p50)}, p99 ${duration(delay.p99)}`]),
    ...(isOneClock ? [] : ['each process from its own start']),
  ].join(' · ');
}

/** Names the part of the run that is shown; `''` for the whole run. */
export function partText({ lane, range }: RunPart, { lanes }: Timeline): string {
  const name = lanes.find(({ number }) => number === lane)?.name;
  const parts = [
    ...(range === null ? [] : [rangeText(range)]),
    ...(lane === null ? [] : [`in ${visible(name ?? 'one process', 100)}`]),
  ];
  return parts.length === 0 ? '' : `Only ${parts.join(' ')}. Worst, count and stacks cover the whole run.`;
}

/** With the digits in which the ends differ. */
function rangeText({ from, until }: TimeRange): string {
  return `from ${pointInTime(from, until - from)} to ${pointInTime(until, until - from)}`;
}

/** The column under the pointer: `at 1.2 s: a turn of 312 ms, delay up to 300 ms`. */
export function columnText({ durationUs, longest, delays, collecting, estimated }: Timeline, column: number): string {
  const stepUs = durationUs / longest.length;
  const at = pointInTime(microseconds(column * stepUs), stepUs);
  const turn = longest[column] ?? 0;
  if (turn === 0) return `at ${at}: no turn of 1 ms or more`;
  const share = collecting[column] ?? 0;
  const sign = estimated ? '≈' : '';
  return [
    `at ${at}: a turn of ${sign}${duration(microseconds(turn))}`,
    `delay up to ${sign}${duration(microseconds(delays[column] ?? 0))}`,
    ...(share >= 0.01 ? [`GC ${Math.round(share * 100)} %`] : []),
  ].join(', ');
}

/** The verdict of what is shown. A second run has none: its figures differ from those of the lines. */
export function verdictText({ recording }: Pick<State, 'recording'>, now: number): string {
  if (recording?.isSecondRun !== true) return recording?.verdict ?? '';
  const when = agoText(recording.startedAt, now);
  return `This is a second run${when}, with times of its own: your lines show those of the profile.`;
}

/** A text such as `, 2 minutes ago`; empty where the time is unknown. */
export function agoText(startedAt: string | null, now: number): string {
  const time = Date.parse(startedAt ?? '');
  return Number.isNaN(time) ? '' : `, ${ago(time, now)}`;
}
