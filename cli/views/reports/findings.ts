import { createHash } from 'node:crypto';
import path from 'node:path';
import { firstDifference } from '../../../engine/basics/lists.ts';
import type { BudgetCheck, CheckedEntry } from '../../../protocol/budget.ts';
import { entryName, entryText } from '../../../words/formats/budget-texts.ts';
import { visible } from '../../../words/formats/hidden-characters.ts';

/** What a report needs to know beside the check. All paths have `/`. */
export interface ReportContext {
  /** Path, from the root of the repository, of the folder below which the check's paths are; `''` for the root. */
  readonly project: string;
  /** Path of the budget from the root of the repository. */
  readonly budget: string;
  /** Version of Hotspan. */
  readonly version: string;
}

/** An entry of the budget that a person has to know of: every verdict but `within`. */
export interface Finding {
  readonly entry: CheckedEntry;
  /** `error` where it is over its budget; `warning` where it is near it, or could not be judged. */
  readonly severity: 'error' | 'warning';
  /** One line: `snapshot: 312 ms, over its budget of 200 ms`. */
  readonly text: string;
  readonly location: Location;
  readonly fingerprint: string;
}

export interface Location {
  /** Path from the root of the repository; the budget's where the entry is about no file of the repository. */
  readonly path: string;
  /** Counted from 1; null where it is unknown. */
  readonly line: number | null;
}

/** What to report, errors first, then by verdict, and the furthest over its budget first. */
export function findingsOf(check: BudgetCheck, context: ReportContext): readonly Finding[] {
  const findings = check.entries
    .filter(({ verdict }) => verdict !== 'within')
    .map((entry): Finding => ({
      entry,
      severity: entry.verdict === 'over' ? 'error' : 'warning',
      text: oneLine(`${entryName(entry)}: ${entryText(entry)}`),
      location: locationOf(entry, context),
      fingerprint: fingerprintOf(entry, context),
    }));
  return findings.toSorted((a, b) =>
    firstDifference(order.indexOf(a.entry.verdict) - order.indexOf(b.entry.verdict), excess(b.entry) - excess(a.entry)),
  );
}

/** A text of somebody else on one line, without hidden characters and halves of characters, which no format can hold. */
export function oneLine(text: string): string {
  return visible(text, longestText).replaceAll(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD');
}

/** Longest text of a finding in UTF-16 units: GitHub cuts an annotation at 4096 bytes. */
const longestText = 1000;

const order: readonly CheckedEntry['verdict'][] = ['over', 'estimated', 'unknown', 'near'];

function excess({ measured, budget }: CheckedEntry): number {
  return Math.max(0, ...measured) / budget;
}

function locationOf({ place, budgetLine }: CheckedEntry, context: ReportContext): Location {
  const file = place === null ? null : inRepository(place.file, context);
  if (place === null || file === null) return { path: context.budget, line: budgetLine };
  return { path: file, line: place.line < 1 ? null : place.line };
}

/** The path from the root of the repository; null for a url, and for what lies outside. */
function inRepository(file: string, { project }: ReportContext): string | null {
  if (path.posix.isAbsolute(file) || path.win32.isAbsolute(file) || /^[a-z][a-z\d+.-]+:/i.test(file)) return null;
  const joined = path.posix.join(project, file);
  return joined === '..' || joined.startsWith('../') ? null : joined;
}

/**
 * The same as long as nobody renames the function or its file, in 64 hexadecimal digits. Lines and times are not in it:
 * a service knows by it whether it has shown the entry before.
 */
function fingerprintOf({ kind, key }: CheckedEntry, { project }: ReportContext): string {
  return hashOf([kind, project, key]);
}

export function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}
