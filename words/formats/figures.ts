import { type Microseconds, toMilliseconds } from '../../protocol/units.ts';
import type { Figures, WorstFigure, FirstTime } from '../../protocol/figures.ts';

/** How figures read, on every surface: the line, the lens, the hover, the tree, the page, the terminal. */

/** `312 ms worst · 14 × >10 ms · 3 stacks`, `402 ms worst · waited (execSync) · 1 × >10 ms · 1 stack`: the line end and the terminal. */
export function lineFigures(figures: Figures, thresholdUs: Microseconds): string {
  return [`${worstTime(figures)} worst`, ...waitedText(figures), ...countAndStacks(figures, thresholdUs)].join(' · ');
}

/** `worst 312 ms · 14 × >10 ms · 3 stacks`: lenses and trees. */
export function lensFigures(figures: Figures, thresholdUs: Microseconds): string {
  return [`worst ${worstTime(figures)}`, ...waitedText(figures), ...countAndStacks(figures, thresholdUs)].join(' · ');
}

/** `118 ms worst · 6 × >10 ms`: a package, whose stacks are its own business. */
export function packageFigures(figures: Omit<Figures, 'distinctStacks'>, thresholdUs: Microseconds): string {
  return `${worstTime(figures)} worst · ${count(figures, thresholdUs)}`;
}

/** `640 ms total · 8.4 ms worst`: every surface, where total time is asked for. */
export function totalFigures(totalUs: Microseconds, worstUs: Microseconds): string {
  return `${duration(wholeTime(totalUs, worstUs))} total · ${duration(worstUs)} worst`;
}

/**
 * A total is the sum of samples; a worst is a part of an operation, whose duration was measured. With few samples the sum
 * can be less than that one part of it, which is the surer figure.
 */
export function wholeTime(totalUs: Microseconds, worstUs: Microseconds): Microseconds {
  return totalUs < worstUs ? worstUs : totalUs;
}

/** Why a line of several may not be the one: said where nothing tells which. */
export const oneOfSeveral = 'one of several lines';

/** Of a function whose text is another one now, and of the file of such. */
export const changedSince = 'changed since it was recorded';

/** Of a file that a tool made, and of whose source nothing tells. */
export const builtFile = 'a built file without a source map: build with source maps to see the lines that you wrote';

/** The same where there is no room. */
export const builtFileShort = 'built file, no source map';

/** `49 ms the first time, then 0.4 ms`, `loads ejs: 58 ms the first time`. */
export function firstTimeFigures(figures: WorstFigure, { loads, thenUs }: FirstTime): string {
  // A name of a stranger's file is no markup, wherever this stands.
  const what = loads === null ? '' : `loads ${loads.replaceAll(/[^\p{L}\p{N}@._/+ -]/gu, '')}: `;
  return `${what}${worstTime(figures)} the first time${thenUs === null ? '' : `, then ${duration(thenUs)}`}`;
}

/** `9.1 ms worst · no longer >10 ms`: a function that was over the threshold in the run before, and is just below it now. */
export function keptFigures(figures: WorstFigure, thresholdUs: Microseconds): string {
  return `${worstTime(figures)} worst · no longer >${duration(thresholdUs)}`;
}

/** `312 ms in a worker`: a function on whose loop nobody waits. */
export function workerFigures(figures: WorstFigure): string {
  return `${worstTime(figures)} in a worker`;
}

/** `410 ms by the clock: the machine was busy`: what an operation took, where others had the processor for long. */
export function byClockText(byClockUs: Microseconds): string {
  return `${duration(byClockUs)} by the clock: the machine was busy`;
}

/** `≈312 ms`: a worst by itself. */
export function worstTime(figures: WorstFigure): string {
  return `${figures.estimated ? '≈' : ''}${duration(figures.worstUs)}`;
}

/** `waited (execSync)`: where the thread slept for half of the worst and more. The loop was held all the same. */
function waitedText({ worstUs, waited = null }: WorstFigure): readonly string[] {
  if (waited === null || waited.us * 2 < worstUs) return [];
  return [waited.in === null ? 'waited' : `waited (${waited.in})`];
}

/** `0.35 ms`, `8.4 ms`, `49 ms`, `312 ms`, `12.3 s`: two digits below 10 ms, then whole ms, seconds from 10 s on. */
export function duration(time: Microseconds): string {
  const ms = toMilliseconds(time);
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 9.95) return `${Math.round(ms)} ms`;
  if (ms >= 0.995) return `${trimZero(ms.toFixed(1))} ms`;
  return `${trimZero(ms.toFixed(2))} ms`;
}

/** `src/cart.ts:12`; below 1 nobody knows the line. */
export function withLine(path: string, line: number): string {
  return line < 1 ? `${path} (line unknown)` : `${path}:${line}`;
}

/** `3 stacks`, `1 stack`. */
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
