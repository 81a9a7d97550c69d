import { maxOf, minOf } from '../../protocol/figures.ts';
import { type Microseconds, microseconds, toMilliseconds } from '../../protocol/units.ts';
import type { Headline, SummaryBlame } from '../../protocol/summary.ts';
import type { Figures, WorstFigure, FirstTime, Tone } from '../../protocol/figures.ts';
import type { V8Tier } from '../../protocol/v8-tiers.ts';

/** How figures read on every surface: line, lens, hover, tree, page and terminal. */

/** The figures of a function. What was long once, is just below the threshold or runs in a worker has its own words. */
export function functionFigures(fn: ShownFigures, thresholdUs: Microseconds): string {
  const { firstTime, tone, kept = false } = fn;
  if (kept) return `${worstTime(fn)} worst · no longer >${duration(thresholdUs)}`;
  if (firstTime !== null) return firstTimeFigures(fn, firstTime);
  return tone === 'background' ? `${worstTime(fn)} in a worker${runsText(fn)}` : lineFigures(fn, thresholdUs);
}

export interface ShownFigures extends Figures {
  readonly firstTime: FirstTime | null;
  readonly tone: Tone;
  /** Whether it was over the threshold in the previous run, and is a little below it now. */
  readonly kept?: boolean;
}

/**
 * `312 ms worst · 14 × >10 ms · 3 stacks`, `402 ms worst · waited (execSync) · 1 × >10 ms · 1 stack`; of several runs
 * `41–44 ms worst, 5 runs · 3–4 × >10 ms · 2 stacks`.
 */
export function lineFigures(figures: Figures, thresholdUs: Microseconds): string {
  return [worstText(figures), ...waitedText(figures), countText(figures, thresholdUs), stacksText(figures)].join(' · ');
}

/** `118 ms worst · 6 × >10 ms`; the stacks of a package do not help the user. */
export function packageFigures(figures: Omit<Figures, 'distinctStacks'>, thresholdUs: Microseconds): string {
  return `${worstText(figures)} · ${countText(figures, thresholdUs)}`;
}

/** `640 ms total · 8.4 ms worst`, for the metric *total time*. */
export function totalFigures(totalUs: Microseconds, figures: WorstFigure): string {
  return `${totalTime(totalUs, figures)} total · ${worstText(figures)}`;
}

/**
 * The total time, at least the worst, which is a part of it: so it is an estimate with it. A total is a sum of samples, but
 * a worst is a part of a measured operation: with few samples it can be larger, and is more certain.
 */
export function totalTime(totalUs: Microseconds, { worstUs, estimated }: WorstFigure): string {
  return worstTime({ worstUs: totalUs < worstUs ? worstUs : totalUs, estimated });
}

/** `8.4 ms worst`. */
function worstText(figures: WorstFigure): string {
  return `${worstTime(figures)} worst${runsText(figures)}`;
}

/** `2026-01-31 12:00`, in the local time zone. */
export function dateText(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** About a function whose text has changed, and about a file with such functions. */
export const changedSince = 'changed since it was recorded';

/** About a generated file without a source map. */
export const builtFile = 'a built file without a source map: build with source maps to see the lines that you wrote';

export const builtFileShort = 'built file, no source map';

/** `49 ms the first time, then 0.4 ms`, `loads ejs: 58 ms the first time`. */
function firstTimeFigures(figures: WorstFigure, firstTime: FirstTime): string {
  const what = loadsParts(firstTime.loads).map((text) => `${text}: `);
  return `${what.join('')}${worstTime(figures)} ${firstTimeText(firstTime)}${runsText(figures)}`;
}

function firstTimeText({ thenUs }: FirstTime): string {
  return `the first time${thenUs === null ? '' : `, then ${duration(thenUs)}`}`;
}

/** What was loaded, without characters that may act as markup on some surface. */
function loadsParts(loads: string | null): readonly string[] {
  return loads === null ? [] : [`loads ${loads.replaceAll(/[^\p{L}\p{N}@._/+ -]/gu, '')}`];
}

/** `share`: that of its ready time in which the program ran. */
export function busyText(share: number): string {
  return `The machine was busy: the processor was yours ${percent(share)} of the time.`;
}

/** The time of a figure during which other processes had the CPU for long. */
export function byClockText(byClockUs: Microseconds): string {
  return `${duration(byClockUs)} by the clock: the machine was busy`;
}

/** `≈312 ms`; of several runs the range: `41–44 ms`. */
export function worstTime({ worstUs, estimated, runs }: WorstFigure): string {
  const over = runs?.worstUs.flatMap((us) => us ?? []) ?? [];
  return `${estimated ? '≈' : ''}${durationRange(over.length === 0 ? [worstUs] : over)}`;
}

/** The row of a list begins with `figure`, so that it is never cut off: `1.84 s  rankByCategory  14 × · 3 stacks`. */
export interface RowFigures {
  readonly figure: string;
  /** What follows the name. */
  readonly rest: readonly string[];
}

export function rowFigures(figures: Figures): RowFigures {
  const times = `${countRange(figures.longCount, figures.runs?.longCount)} ×`;
  const stacks = [stacksText(figures)].filter((text) => text !== '1 stack');
  return { figure: worstTime(figures), rest: [...runsParts(figures), ...waitedText(figures), times, ...stacks] };
}

export function totalRowFigures(totalUs: Microseconds, figures: WorstFigure): RowFigures {
  const [figure = '', ...rest] = totalFigures(totalUs, figures).split(' · ');
  return { figure: figure.replace(/ total$/, ''), rest };
}

export function firstTimeRowFigures(figures: WorstFigure, firstTime: FirstTime): RowFigures {
  const rest = [...loadsParts(firstTime.loads), firstTimeText(firstTime), ...runsParts(figures)];
  return { figure: worstTime(figures), rest };
}

/** The row of a package, or of what else held the loop. */
export function blameRowFigures(blame: UpTo): RowFigures {
  const [figure = '', ...rest] = blameFigures(blame).split(' · ');
  return { figure: figure.replace(/ worst.*$/, ''), rest: [...runsParts(blame), ...rest] };
}

/** `up to 118 ms (6 ×)`; of several runs `up to 110–118 ms (5–6 ×, 5 runs)`. */
export function upTo(blame: UpTo, how = ''): string {
  return `up to ${worstTime(blame)}${how} (${countRange(blame.count, blame.runs?.longCount)} ×${runsText(blame)})`;
}

/** `118 ms worst · 6 ×`, `110–118 ms worst, 5 runs · 5–6 ×`. */
export function blameFigures(blame: UpTo): string {
  return `${worstText(blame)} · ${countRange(blame.count, blame.runs?.longCount)} ×`;
}

type UpTo = NonNullable<SummaryBlame['shortCalls']>;

/** `, 5 runs`, or `, in 2 of 5 runs`; empty for one run. */
function runsText(figures: Pick<WorstFigure, 'runs'>): string {
  return runsParts(figures)
    .map((text) => `, ${text}`)
    .join('');
}

function runsParts({ runs }: Pick<WorstFigure, 'runs'>): readonly string[] {
  if (runs === undefined) return [];
  const over = runs.worstUs.filter((us) => us !== null).length;
  const all = plural(runs.worstUs.length, 'run');
  return [over === runs.worstUs.length ? all : `in ${over} of ${all}`];
}

/** `41–44 ms`, `840 ms – 12.3 s`; one time if the shortest and the longest read alike. `extra` as in `duration`. */
export function durationRange(times: readonly Microseconds[], extra = 0): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [low = '', high = ''] = [sorted[0], sorted.at(-1)].map((us) => (us === undefined ? '' : duration(us, extra)));
  if (low === high) return low;
  const unit = / \S+$/.exec(high)?.[0] ?? '';
  return low.endsWith(unit) ? `${low.slice(0, -unit.length)}–${high}` : `${low} – ${high}`;
}

/** Whether the thread slept for at least half of the worst. */
export function hasWaited({ worstUs, waited = null }: Pick<WorstFigure, 'worstUs' | 'waited'>): boolean {
  return waited !== null && waited.us * 2 >= worstUs;
}

/** `waited (execSync)`, if the thread slept for at least half of the worst. */
function waitedText({ worstUs, waited = null }: WorstFigure): readonly string[] {
  if (waited === null || !hasWaited({ worstUs, waited })) return [];
  return [waited.in === null ? 'waited' : `waited (${waited.in})`];
}

/** `waited (execSync), ≤ 22 ms CPU`. On a busy machine a wait for another process gets longer, the CPU time does not. */
export function waitedAndRan(figure: WorstFigure): readonly string[] {
  const ran = ranTime(figure);
  return waitedText(figure).map((text) => (ran === null ? text : `${text}, ≤ ${ran} CPU`));
}

/** The maximum CPU time of a worst in which the thread waited, as stacks do not show each wait; null if it did not wait. */
export function ranTime({ worstUs, waited = null, runs, estimated }: WorstFigure): string | null {
  if (waited === null || runs !== undefined || !hasWaited({ worstUs, waited })) return null;
  return worstTime({ worstUs: microseconds(Math.max(0, worstUs - waited.us)), estimated });
}

/**
 * Two digits below 10 ms, whole ms above, seconds with three digits: `0.35 ms`, `8.4 ms`, `49 ms`, `1.84 s`, `12.3 s`; and
 * `extra` more digits.
 */
export function duration(time: Microseconds, extra = 0): string {
  const { unit, decimals } = formOf(time);
  return `${trimZero((time / unitsUs[unit]).toFixed(decimals + extra))} ${unit}`;
}

/** A point in time, with the digits in which one `stepUs` later differs: `200.4 s`, where a duration is `200 s`. */
export function pointInTime(time: Microseconds, stepUs: number): string {
  const { unit, decimals } = formOf(time);
  const needed = Math.ceil(Math.log10(unitsUs[unit] / Math.max(1, stepUs)));
  return duration(time, Math.max(0, needed - decimals));
}

function formOf(time: Microseconds): { readonly unit: keyof typeof unitsUs; readonly decimals: number } {
  const ms = toMilliseconds(time);
  if (ms >= 999.5) return { unit: 's', decimals: ms >= 99_950 ? 0 : ms >= 9995 ? 1 : 2 };
  return { unit: 'ms', decimals: ms >= 9.95 ? 0 : ms >= 0.995 ? 1 : 2 };
}

const unitsUs = { s: 1_000_000, ms: 1000 } as const;

/** How many extra digits texts need so that no value over a limit reads as the limit: `100.3 ms, over 100 ms`. */
export function extraDigits<Value extends number>(
  values: readonly Value[],
  limit: Value,
  text: (value: Value, extra: number) => string,
): number {
  const over = values.filter((value) => value > limit);
  const isTold = (extra: number): boolean => over.every((value) => text(value, extra) !== text(limit, extra));
  return [0, 1, 2, 3, 4].find(isTold) ?? 5;
}

/** `src/cart.ts:12`. A line below 1 is unknown. */
export function withLine(path: string, line: number): string {
  return line < 1 ? `${path} (line unknown)` : `${path}:${line}`;
}

/** `parse, src/cart.ts:12`; the place alone where the label is one, too, as that of a function without a name is. */
export function labelWithPlace(label: string, place: string, between = ', '): string {
  const [, file] = /^(.+):\d+$/.exec(label) ?? [];
  const isPlace = file !== undefined && place.replace(/:\d+$/, '').endsWith(file);
  if (place === '') return label;
  return isPlace ? place : `${label}${between}${place}`;
}

/** `3 stacks`, `1 stack`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `3 stacks`; over several runs `3–4 stacks`. */
export function stacksText({ distinctStacks, runs }: Pick<Figures, 'distinctStacks' | 'runs'>): string {
  const text = countRange(distinctStacks, runs?.distinctStacks);
  return `${text} stack${text === '1' ? '' : 's'}`;
}

function countText({ longCount, runs }: Pick<Figures, 'longCount' | 'runs'>, thresholdUs: Microseconds): string {
  return `${countRange(longCount, runs?.longCount)} × >${duration(thresholdUs)}`;
}

/** `3`; over several runs `3–4`. */
export function countRange(count: number, runs: readonly (number | null)[] = []): string {
  const known = runs.flatMap((one) => one ?? []);
  const [low, high] = known.length === 0 ? [count, count] : [minOf(known), maxOf(known)];
  return low === high ? String(low) : `${low}–${high}`;
}

function trimZero(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

/** `62 %`. */
export function percent(part: number, whole = 1): string {
  return `${Math.round((100 * part) / whole)} %`;
}

/** The time of a summary: `≈312 ms`. */
export function timeText(time: Pick<Headline, 'us' | 'estimated' | 'runs'>): string {
  return worstTime({ ...time, worstUs: time.us });
}

/** `just now`, `2 minutes ago`, `3 hours ago`, `5 days ago`. Both times are in ms since the epoch. */
export function ago(then: number, now: number): string {
  const [unit, length] = units.find(([, ms]) => now - then >= ms) ?? ['', 0];
  if (length === 0) return 'just now';
  const count = Math.floor((now - then) / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** In ms. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

export const v8TierNames: Readonly<Record<V8Tier, string>> = {
  ignition: 'Ignition',
  sparkplug: 'Sparkplug',
  maglev: 'Maglev',
  turbofan: 'TurboFan',
  unknown: 'Unknown',
};

/** `0.48 ×`, `12 ×`. */
export function ratioText(ratio: number): string {
  return `${ratio < 10 ? Number(ratio.toPrecision(2)) : Math.round(ratio)} ×`;
}
