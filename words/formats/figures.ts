import { type Microseconds, microseconds, toMilliseconds } from '../../protocol/units.ts';
import type { FigureRuns, Figures, WorstFigure, FirstTime, Tone } from '../../protocol/figures.ts';

/** How figures read, on every surface: the line, the lens, the hover, the tree, the page, the terminal. */

/**
 * The figures of a function. Every surface takes them from here: lens, line, hover, tree, page and terminal say the same
 * of it. What was long once, is just below the threshold or runs in a worker has words of its own.
 */
export function functionFigures(fn: ShownFigures, thresholdUs: Microseconds): string {
  const { firstTime, tone, kept = false } = fn;
  if (kept) return keptFigures(fn, thresholdUs);
  if (firstTime !== null) return firstTimeFigures(fn, firstTime);
  return tone === 'background' ? workerFigures(fn) : lineFigures(fn, thresholdUs);
}

export interface ShownFigures extends Figures {
  readonly firstTime: FirstTime | null;
  readonly tone: Tone;
  /** True where it was over the threshold in the run before, and is only a little below it now. */
  readonly kept?: boolean;
}

/**
 * The three figures, in the same words and order on every surface: `312 ms worst · 14 × >10 ms · 3 stacks`, `402 ms worst · waited
 * (execSync) · 1 × >10 ms · 1 stack`; of several runs `41–44 ms worst, 5 runs · 3–4 × >10 ms · 2 stacks`.
 */
export function lineFigures(figures: Figures, thresholdUs: Microseconds): string {
  return [
    `${worstTime(figures)} worst${runsText(figures)}`,
    ...waitedText(figures),
    ...countAndStacks(figures, thresholdUs),
  ].join(' · ');
}

/** The figures of a package, without stacks, which are no help to the person: `118 ms worst · 6 × >10 ms`. */
export function packageFigures(figures: Omit<Figures, 'distinctStacks'>, thresholdUs: Microseconds): string {
  return `${worstTime(figures)} worst${runsText(figures)} · ${count(figures, thresholdUs)}`;
}

/** The figures on every surface where total time is asked for: `640 ms total · 8.4 ms worst`. */
export function totalFigures(totalUs: Microseconds, { worstUs, runs }: Pick<WorstFigure, 'worstUs' | 'runs'>): string {
  const figures = { worstUs, estimated: false, ...(runs === undefined ? {} : { runs }) };
  return `${duration(wholeTime(totalUs, worstUs))} total · ${worstTime(figures)} worst${runsText(figures)}`;
}

/**
 * The total time, and at least the worst. A total is a sum of samples; a worst is a part of an operation whose duration
 * was measured. With few samples the sum can be less than that part, which is more certain.
 */
export function wholeTime(totalUs: Microseconds, worstUs: Microseconds): Microseconds {
  return totalUs < worstUs ? worstUs : totalUs;
}

/** Said of a function whose text has changed since, and of a file with such functions. */
export const changedSince = 'changed since it was recorded';

/** Said of a file that a tool made, where no source map leads to its source. */
export const builtFile = 'a built file without a source map: build with source maps to see the lines that you wrote';

/** Said instead of `builtFile` where there is little room. */
export const builtFileShort = 'built file, no source map';

/** The figures of what was long only once: `49 ms the first time, then 0.4 ms`, `loads ejs: 58 ms the first time`. */
function firstTimeFigures(figures: WorstFigure, { loads, thenUs }: FirstTime): string {
  const what = loadsParts(loads).map((text) => `${text}: `);
  return `${what.join('')}${worstTime(figures)} the first time${thenUs === null ? '' : `, then ${duration(thenUs)}`}${runsText(figures)}`;
}

/** What was loaded. The name of a stranger's file must not act as markup, wherever this text is shown. */
function loadsParts(loads: string | null): readonly string[] {
  return loads === null ? [] : [`loads ${loads.replaceAll(/[^\p{L}\p{N}@._/+ -]/gu, '')}`];
}

/**
 * The figures of a function that was over the threshold in the run before, and is just below it now: `9.1 ms worst · no
 * longer >10 ms`.
 */
function keptFigures(figures: WorstFigure, thresholdUs: Microseconds): string {
  return `${worstTime(figures)} worst · no longer >${duration(thresholdUs)}`;
}

/** The figure of a function for whose event loop nobody waits: `312 ms in a worker`. */
function workerFigures(figures: WorstFigure): string {
  return `${worstTime(figures)} in a worker${runsText(figures)}`;
}

/**
 * What an operation took where other processes had the processor for long: `410 ms by the clock: the machine was busy`.
 */
export function byClockText(byClockUs: Microseconds): string {
  return `${duration(byClockUs)} by the clock: the machine was busy`;
}

/** A worst alone: `≈312 ms`; of several runs its range: `41–44 ms`. */
export function worstTime({ worstUs, estimated, runs }: WorstFigure): string {
  const over = runs?.worstUs.flatMap((us) => us ?? []) ?? [];
  return `${estimated ? '≈' : ''}${durationRange(over.length === 0 ? [worstUs] : over)}`;
}

/**
 * The same figures in a list, whose rows begin with `figure`, so that it is never cut off. There is little room, so what
 * all rows have in common is left out, and so is a single stack: `1.84 s  rankByCategory  14 × · 3 stacks`.
 */
export interface RowFigures {
  readonly figure: string;
  /** What stands behind the name, in order. */
  readonly rest: readonly string[];
}

export function rowFigures(figures: Figures): RowFigures {
  const { longCount, runs } = figures;
  const times = `${countRange(longCount, runs?.longCount)} ×`;
  const ways = stacksText(figures);
  return {
    figure: worstTime(figures),
    rest: [...runsParts(figures), ...waitedText(figures), times, ...(ways === '1 stack' ? [] : [ways])],
  };
}

/** The row of a function where total time is asked for. */
export function totalRowFigures(totalUs: Microseconds, figures: Pick<WorstFigure, 'worstUs' | 'runs'>): RowFigures {
  const [figure = '', ...rest] = totalFigures(totalUs, figures).split(' · ');
  return { figure: figure.replace(/ total$/, ''), rest };
}

/** The row of a function that was long only once. */
export function firstTimeRowFigures(figures: WorstFigure, { loads, thenUs }: FirstTime): RowFigures {
  const once = `the first time${thenUs === null ? '' : `, then ${duration(thenUs)}`}`;
  return { figure: worstTime(figures), rest: [...loadsParts(loads), once, ...runsParts(figures)] };
}

/** The row of a package, or of what else held the loop. */
export function blameRowFigures(blame: UpTo): RowFigures {
  const [figure = '', ...rest] = blameFigures(blame).split(' · ');
  return { figure: figure.replace(/ worst.*$/, ''), rest: [...runsParts(blame), ...rest] };
}

/** What something held the loop at most, and how often: `up to 118 ms (6 ×)`; of several runs `up to 110–118 ms (5–6 ×, 5 runs)`. */
export function upTo({ worstUs, count: times, runs }: UpTo, how = ''): string {
  const figures = { worstUs, estimated: false, ...(runs === undefined ? {} : { runs }) };
  return `up to ${worstTime(figures)}${how} (${countRange(times, runs?.longCount)} ×${runsText(figures)})`;
}

/** The same in a tree: `118 ms worst · 6 ×`, `110–118 ms worst, 5 runs · 5–6 ×`. */
export function blameFigures({ worstUs, count: times, runs }: UpTo): string {
  const figures = { worstUs, estimated: false, ...(runs === undefined ? {} : { runs }) };
  return `${worstTime(figures)} worst${runsText(figures)} · ${countRange(times, runs?.longCount)} ×`;
}

interface UpTo {
  readonly worstUs: Microseconds;
  readonly count: number;
  readonly runs?: FigureRuns;
}

/** The part `, 5 runs`, or `, in 2 of 5 runs`, where several runs are shown together. */
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

/** From the shortest to the longest of some times: `41–44 ms`, `840 ms – 12.3 s`; one time where they read alike. */
export function durationRange(times: readonly Microseconds[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [low = '', high = ''] = [sorted[0], sorted.at(-1)].map((us) => (us === undefined ? '' : duration(us)));
  if (low === high) return low;
  const unit = / \S+$/.exec(high)?.[0] ?? '';
  return low.endsWith(unit) ? `${low.slice(0, -unit.length)}–${high}` : `${low} – ${high}`;
}

/** Whether the thread slept for at least half of the worst. */
export function hasWaited({ worstUs, waited = null }: Pick<WorstFigure, 'worstUs' | 'waited'>): boolean {
  return waited !== null && waited.us * 2 >= worstUs;
}

/**
 * The part `waited (execSync)`, where the thread slept for at least half of the worst. The loop was held all the same.
 */
function waitedText({ worstUs, waited = null }: WorstFigure): readonly string[] {
  if (waited === null || !hasWaited({ worstUs, waited })) return [];
  return [waited.in === null ? 'waited' : `waited (${waited.in})`];
}

/**
 * How a worst waited, with what its thread ran itself: `waited (execSync), ≤ 22 ms CPU`. Where another process is waited
 * for, only the latter is the same on a busy machine.
 */
export function waitedAndRan(figure: WorstFigure): readonly string[] {
  const ran = ranTime(figure);
  return waitedText(figure).map((text) => (ran === null ? text : `${text}, ≤ ${ran} CPU`));
}

/**
 * The most that the thread ran of a worst in which it waited for long: its stacks do not show each wait. Null where it did
 * not wait, and where nobody knows.
 */
export function ranTime({ worstUs, waited = null, runs, estimated }: WorstFigure): string | null {
  if (waited === null || runs !== undefined || !hasWaited({ worstUs, waited })) return null;
  return worstTime({ worstUs: microseconds(Math.max(0, worstUs - waited.us)), estimated });
}

/**
 * A duration: two digits below 10 ms, whole ms above, and seconds of three digits from one second on (`0.35 ms`, `8.4
 * ms`, `49 ms`, `1.84 s`, `12.3 s`).
 */
export function duration(time: Microseconds): string {
  const ms = toMilliseconds(time);
  if (ms >= 99_950) return `${Math.round(ms / 1000)} s`;
  if (ms >= 9995) return `${trimZero((ms / 1000).toFixed(1))} s`;
  if (ms >= 999.5) return `${trimZero((ms / 1000).toFixed(2))} s`;
  if (ms >= 9.95) return `${Math.round(ms)} ms`;
  if (ms >= 0.995) return `${trimZero(ms.toFixed(1))} ms`;
  return `${trimZero(ms.toFixed(2))} ms`;
}

/** A path with its line: `src/cart.ts:12`. The line is left out where it is below 1, which means unknown. */
export function withLine(path: string, line: number): string {
  return line < 1 ? `${path} (line unknown)` : `${path}:${line}`;
}

/** A count with its noun: `3 stacks`, `1 stack`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function countAndStacks(figures: Figures, thresholdUs: Microseconds): string[] {
  return [count(figures, thresholdUs), stacksText(figures)];
}

/** `3 stacks`; over several runs `3–4 stacks`. */
export function stacksText({ distinctStacks, runs }: Pick<Figures, 'distinctStacks' | 'runs'>): string {
  const text = countRange(distinctStacks, runs?.distinctStacks);
  return `${text} stack${text === '1' ? '' : 's'}`;
}

function count({ longCount, runs }: Pick<Figures, 'longCount' | 'runs'>, thresholdUs: Microseconds): string {
  return `${countRange(longCount, runs?.longCount)} × >${duration(thresholdUs)}`;
}

/** `3`; over the runs that tell it `3–4`. */
export function countRange(count: number, runs: readonly (number | null)[] = []): string {
  const known = runs.flatMap((one) => one ?? []);
  const [low, high] = known.length === 0 ? [count, count] : [Math.min(...known), Math.max(...known)];
  return low === high ? String(low) : `${low}–${high}`;
}

function trimZero(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

/**
 * The verdict where nothing of the person's code is over the threshold. Of a command that failed, what did not run is not
 * known: `failedWith` is its exit code.
 */
export function nothingBlocks(thresholdUs: Microseconds, failedWith: number | undefined): string {
  const time = duration(thresholdUs);
  return failedWith === undefined
    ? `Nothing in your code blocks for more than ${time}.`
    : `Nothing that ran of your code blocks for more than ${time}, but the command failed (exit code ${failedWith}).`;
}
