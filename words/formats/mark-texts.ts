import type { Figures, WorstFigure } from '../../protocol/figures.ts';
import type { Metric } from '../../protocol/requests.ts';
import {
  countRange,
  hasWaited,
  type ShownFigures,
  stacksText,
  wholeTime,
  worstTime,
  duration,
  functionFigures,
} from './figures.ts';
import type { Microseconds } from '../../protocol/units.ts';

/**
 * How figures read where a line of code leaves little room: at its end, and over its function. The figure comes first,
 * with one word in front at most. The hover says everything else.
 */

/** What may be said of a mark besides its figures. */
export interface MarkNotes {
  /** True where the code has changed since it was measured. */
  readonly isChanged: boolean;
  /** True where the time may belong to another line. */
  readonly isOneOfSeveral: boolean;
}

/** The figures at the end of a line: `961 ms · 5× · 1 stack`, `waited 402 ms · 1× · 1 stack`, `first call 49 ms`. */
export function markText(shown: ShownFigures, notes: MarkNotes): string {
  const { firstTime, tone, kept = false } = shown;
  const isAlone = kept || firstTime !== null || tone === 'background';
  return [withWord(wordOf(shown, notes), worstTime(shown)), ...(isAlone ? [] : countTexts(shown))].join(' · ');
}

/** The figure over a function: `961 ms`, `was 961 ms`, `waited 402 ms`; where total time is asked for `640 ms total`. */
export function lensFigure(
  shown: ShownFigures & { readonly totalUs: Microseconds },
  isChanged: boolean,
  metric: Metric,
): string {
  if (metric === 'worst') return withWord(wordOf(shown, { isChanged, isOneOfSeveral: false }), worstTime(shown));
  return withWord(isChanged ? 'was' : null, `${duration(wholeTime(shown.totalUs, shown.worstUs))} total`);
}

/** The figures at an import of a package that held the loop: `ejs 118 ms · 6×`. */
export function packageMarkText(
  name: string,
  figures: Omit<Figures, 'distinctStacks'>,
  isOneOfSeveral: boolean,
): string {
  return withWord(isOneOfSeveral ? 'maybe' : null, `${name} ${worstTime(figures)} · ${times(figures)}`);
}

function countTexts(figures: Figures): readonly string[] {
  return [times(figures), stacksText(figures)];
}

function times({ longCount, runs }: Pick<Figures, 'longCount' | 'runs'>): string {
  return `${countRange(longCount, runs?.longCount)}×`;
}

/** The most important word about a figure: that it is no longer true comes first. */
function wordOf(shown: ShownFigures, { isChanged, isOneOfSeveral }: MarkNotes): string | null {
  if (isChanged) return 'was';
  if (shown.kept === true) return 'now';
  if (shown.firstTime !== null) return 'first call';
  if (shown.tone === 'background') return 'worker';
  if (hasWaited(shown)) return 'waited';
  return isOneOfSeveral ? 'maybe' : null;
}

function withWord(word: string | null, text: string): string {
  return word === null ? text : `${word} ${text}`;
}

/** What a line says of the functions whose time is on it. */

/** Whether two of them read alike. It does not matter whether it is certain that one is on its line. */
export function saysTheSame(one: ShownFigures, other: ShownFigures, thresholdUs: Microseconds): boolean {
  return functionFigures(certain(one), thresholdUs) === functionFigures(certain(other), thresholdUs);
}

/**
 * Whether a line has all of its function's time but a twentieth, which may as well be an error of sampling. Then it shows
 * the function's figures, so that nobody looks for the rest.
 */
export function hasAllOf(fn: WorstFigure, line: WorstFigure): boolean {
  return line.worstUs * 20 >= fn.worstUs * 19;
}

function certain<Shown extends WorstFigure>(figures: Shown): Shown {
  return { ...figures, estimated: false };
}

/** Said where several lines may hold the time, and nothing tells which of them does. */
export const oneOfSeveral = 'one of several lines';
