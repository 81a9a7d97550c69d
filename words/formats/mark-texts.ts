import type { Figures, WorstFigure } from '../../protocol/figures.ts';
import type { DoneRecheck } from '../../protocol/rechecks.ts';
import { isModuleLabel } from '../../protocol/places.ts';
import type { Metric } from '../../protocol/requests.ts';
import {
  countRange,
  dateText,
  hasWaited,
  type ShownFigures,
  stacksText,
  totalTime,
  worstTime,
  functionFigures,
} from './figures.ts';
import type { Microseconds } from '../../protocol/units.ts';

/** Short figures for lines of code: at the end of a line, and over a function. */

/** With the name of what a file runs while it loads: it begins where another function may, and would seem to be that one's. */
export function namedModule(label: string, text: string): string {
  return isModuleLabel(label) ? `${label}: ${text}` : text;
}

/** What a re-check has measured: `157 → 9 ms`, under load `157 → 9 ms; GET /orders p99 540 → 38 ms`. */
export function recheckText({ text, load }: Pick<DoneRecheck, 'text' | 'load'>): string {
  return load === undefined ? text : `${text}; ${load}`;
}

export interface MarkNotes {
  /** Whether the code has changed since. */
  readonly isChanged: boolean;
  /** Whether the time may belong to another line. */
  readonly isOneOfSeveral: boolean;
}

/** `961 ms · 5× · 1 stack`, `waited 402 ms · 1× · 1 stack`, `first call 49 ms`. */
export function markText(shown: ShownFigures, notes: MarkNotes): string {
  const { firstTime, tone, kept = false } = shown;
  const isAlone = kept || firstTime !== null || tone === 'background';
  const counts = isAlone ? [] : [times(shown), stacksText(shown)];
  return [withWord(wordOf(shown, notes), worstTime(shown)), ...counts].join(' · ');
}

/** Over a function: `961 ms`, `was 961 ms`, `waited 402 ms`; for total time `640 ms total`. */
export function lensFigure(
  shown: ShownFigures & { readonly totalUs: Microseconds },
  isChanged: boolean,
  metric: Metric,
): string {
  if (metric === 'worst') return withWord(wordOf(shown, { isChanged, isOneOfSeveral: false }), worstTime(shown));
  return withWord(isChanged ? 'was' : null, `${totalTime(shown.totalUs, shown)} total`);
}

/** At the import of a package: `ejs 118 ms · 6×`. */
export function packageMarkText(
  name: string,
  figures: Omit<Figures, 'distinctStacks'>,
  isOneOfSeveral: boolean,
): string {
  return withWord(isOneOfSeveral ? 'maybe' : null, `${name} ${worstTime(figures)} · ${times(figures)}`);
}

function times({ longCount, runs }: Pick<Figures, 'longCount' | 'runs'>): string {
  return `${countRange(longCount, runs?.longCount)}×`;
}

/** The most important word about a figure; an outdated figure comes first. */
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

/** Whether the figures of two functions read alike, estimates or not. */
export function saysTheSame(one: ShownFigures, other: ShownFigures, thresholdUs: Microseconds): boolean {
  return functionFigures(certain(one), thresholdUs) === functionFigures(certain(other), thresholdUs);
}

/** Whether a line has all of its function's time, but for a sampling error of a twentieth. */
export function hasAllOf(fn: WorstFigure, line: WorstFigure): boolean {
  return line.worstUs * 20 >= fn.worstUs * 19;
}

function certain<Shown extends WorstFigure>(figures: Shown): Shown {
  return { ...figures, estimated: false };
}

export const oneOfSeveral = 'one of several lines';

/** A file whose text is not, or may not be, what ran in a plain profile. */
export interface ChangedFile {
  readonly file: string;
  /** How many of its functions were found again, and how many were not. */
  readonly found: number;
  readonly lost: number;
  /** Whether lines inside of its functions are known. */
  readonly hasLines: boolean;
  /** In ms since the epoch; null where the file was not written after the profile, or times are unknown. */
  readonly times: { readonly writtenAt: number; readonly profiledAt: number } | null;
}

/** `at 14:02, after this profile of 13:40`, with dates on two days, without times in one minute. */
export function afterProfile(writtenMs: number, profiledMs: number): string {
  const [written, profiled] = [dateText(writtenMs), dateText(profiledMs)];
  if (written === profiled) return 'after this profile';
  const shared = written.slice(0, day.length) === profiled.slice(0, day.length) ? day.length : 0;
  return `at ${written.slice(shared)}, after this profile of ${profiled.slice(shared)}`;
}

const day = 'YYYY-MM-DD ';
