import { type Microseconds, toMilliseconds } from '../../protocol/units.ts';
import type { Figures, WorstFigure, FirstTime } from '../../protocol/figures.ts';

/** How figures read, on every surface: the line, the lens, the hover, the tree, the page, the terminal. */

/**
 * The figures at the end of a line and in the terminal: `312 ms worst · 14 × >10 ms · 3 stacks`, `402 ms worst · waited
 * (execSync) · 1 × >10 ms · 1 stack`.
 */
export function lineFigures(figures: Figures, thresholdUs: Microseconds): string {
  return [`${worstTime(figures)} worst`, ...waitedText(figures), ...countAndStacks(figures, thresholdUs)].join(' · ');
}

/** The figures of lenses and trees: `worst 312 ms · 14 × >10 ms · 3 stacks`. */
export function lensFigures(figures: Figures, thresholdUs: Microseconds): string {
  return [`worst ${worstTime(figures)}`, ...waitedText(figures), ...countAndStacks(figures, thresholdUs)].join(' · ');
}

/** The figures of a package, without stacks, which are no help to the person: `118 ms worst · 6 × >10 ms`. */
export function packageFigures(figures: Omit<Figures, 'distinctStacks'>, thresholdUs: Microseconds): string {
  return `${worstTime(figures)} worst · ${count(figures, thresholdUs)}`;
}

/** The figures on every surface where total time is asked for: `640 ms total · 8.4 ms worst`. */
export function totalFigures(totalUs: Microseconds, worstUs: Microseconds): string {
  return `${duration(wholeTime(totalUs, worstUs))} total · ${duration(worstUs)} worst`;
}

/**
 * The total time, and at least the worst. A total is a sum of samples; a worst is a part of an operation whose duration
 * was measured. With few samples the sum can be less than that part, which is more certain.
 */
export function wholeTime(totalUs: Microseconds, worstUs: Microseconds): Microseconds {
  return totalUs < worstUs ? worstUs : totalUs;
}

/** Said where several lines may hold the time, and nothing tells which of them does. */
export const oneOfSeveral = 'one of several lines';

/** Said of a function whose text has changed since, and of a file with such functions. */
export const changedSince = 'changed since it was recorded';

/** Said of a file that a tool made, where no source map leads to its source. */
export const builtFile = 'a built file without a source map: build with source maps to see the lines that you wrote';

/** Said instead of `builtFile` where there is little room. */
export const builtFileShort = 'built file, no source map';

/** The figures of what was long only once: `49 ms the first time, then 0.4 ms`, `loads ejs: 58 ms the first time`. */
export function firstTimeFigures(figures: WorstFigure, { loads, thenUs }: FirstTime): string {
  // The name of a stranger's file must not act as markup, wherever this text is shown.
  const what = loads === null ? '' : `loads ${loads.replaceAll(/[^\p{L}\p{N}@._/+ -]/gu, '')}: `;
  return `${what}${worstTime(figures)} the first time${thenUs === null ? '' : `, then ${duration(thenUs)}`}`;
}

/**
 * The figures of a function that was over the threshold in the run before, and is just below it now: `9.1 ms worst · no
 * longer >10 ms`.
 */
export function keptFigures(figures: WorstFigure, thresholdUs: Microseconds): string {
  return `${worstTime(figures)} worst · no longer >${duration(thresholdUs)}`;
}

/** The figure of a function for whose event loop nobody waits: `312 ms in a worker`. */
export function workerFigures(figures: WorstFigure): string {
  return `${worstTime(figures)} in a worker`;
}

/**
 * What an operation took where other processes had the processor for long: `410 ms by the clock: the machine was busy`.
 */
export function byClockText(byClockUs: Microseconds): string {
  return `${duration(byClockUs)} by the clock: the machine was busy`;
}

/** A worst alone: `≈312 ms`. */
export function worstTime(figures: WorstFigure): string {
  return `${figures.estimated ? '≈' : ''}${duration(figures.worstUs)}`;
}

/**
 * The part `waited (execSync)`, where the thread slept for at least half of the worst. The loop was held all the same.
 */
function waitedText({ worstUs, waited = null }: WorstFigure): readonly string[] {
  if (waited === null || waited.us * 2 < worstUs) return [];
  return [waited.in === null ? 'waited' : `waited (${waited.in})`];
}

/**
 * A duration: two digits below 10 ms, whole ms above, and seconds from 10 s on (`0.35 ms`, `8.4 ms`, `49 ms`, `12.3
 * s`).
 */
export function duration(time: Microseconds): string {
  const ms = toMilliseconds(time);
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
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
  return [count(figures, thresholdUs), plural(figures.distinctStacks, 'stack')];
}

function count({ longCount }: Pick<Figures, 'longCount'>, thresholdUs: Microseconds): string {
  return `${longCount} × >${duration(thresholdUs)}`;
}

function trimZero(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}
