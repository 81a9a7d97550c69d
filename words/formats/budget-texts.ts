import type { BudgetCheck, CheckedEntry } from '../../protocol/budget.ts';
import { median, maxOf, minOf } from '../../protocol/figures.ts';
import { microseconds } from '../../protocol/units.ts';
import { busyText, duration, durationRange, extraDigits, plural, withLine } from './figures.ts';

/** `312 ms, over its budget of 200 ms in all 3 runs (298–331 ms)`. */
export function entryText(entry: CheckedEntry): string {
  const { verdict, measured, budget } = entry;
  const of = amount(entry, budget);
  const typical = figure(entry, median(measured));
  const runs = measured.length > 1 ? ` in all ${measured.length} runs (${range(entry)})` : '';
  const count = measured.length > 1 ? ` (${plural(measured.length, 'run')})` : '';
  switch (verdict) {
    case 'over':
      if (entry.kind !== 'whole') return `${typical}, over its budget of ${of}${runs}`;
      return `${typical}, over the ${of} that others may take${runs === '' ? '' : `,${runs}`}`;
    case 'estimated':
      // Where the check was stopped, a time that was not confirmed is an estimate, too.
      return `${figure({ ...entry, isEstimated: true }, median(measured))}, perhaps over its budget of ${of}: ${measured.length === 1 ? 'one run gives' : 'so few runs give'} only an estimate`;
    case 'near':
      return nearText(entry, of, count);
    case 'within':
      return Math.max(0, maxOf(measured)) === 0 && entry.kind !== 'route'
        ? withinThreshold(entry, of)
        : `${range(entry)} of ${of}${count}`;
    case 'unknown':
      if (entry.leftOut !== null) return 'none of your code was seen';
      return `${unknownTexts[entry.kind]}${entry.meant === null ? '' : `. Did you mean "${entry.meant}"?`}`;
  }
}

/** What a budget leaves out is named, so that the entry does not seem quick. */
function withinThreshold({ leftOut }: CheckedEntry, of: string): string {
  if (leftOut === null || leftOut.why === 'unseen') return `not seen over the threshold; ${of} are allowed`;
  const where = leftOut.why === 'worker' ? 'in a worker or a child process' : 'in a first call';
  return `up to ${signOf(leftOut)}${duration(leftOut.us)} ${where}, which no budget judges`;
}

/** Also for what was over its budget in some runs, but not in all of them. */
function nearText(entry: CheckedEntry, of: string, count: string): string {
  const over = entry.measured.filter((one) => one > entry.budget).length;
  return over === 0
    ? `${range(entry)}, near its budget of ${of}${count}`
    : `${figure(entry, maxOf(entry.measured))}, in ${plural(over, 'run')} alone over its budget of ${of}`;
}

const unknownTexts = {
  function: 'is in the budget, but not in the code: it was renamed or deleted, or its file is elsewhere',
  file: 'matches no file in which own code was seen: patterns are from the root of the repository, such as "src/**"',
  route: 'was not requested',
  whole: 'nothing ran',
} as const satisfies Record<CheckedEntry['kind'], string>;

/** `snapshot`, `src/**`, `GET /orders`, `any other function`. */
export function entryName({ kind, key, place }: CheckedEntry): string {
  if (kind === 'function') return place?.label ?? key;
  const name = kind === 'whole' ? 'any other function' : key;
  return place === null ? name : `${name} (${place.label})`;
}

function amount(entry: CheckedEntry, value: number): string {
  return amountTexts[entry.kind](value, digitsOf(entry));
}

const timeText = (us: number, extra: number): string =>
  us === 0 ? 'nothing over the threshold' : duration(microseconds(us), extra);

const amountTexts: Readonly<Record<CheckedEntry['kind'], (value: number, extra: number) => string>> = {
  ...{ function: timeText, file: timeText, whole: timeText },
  route: (share, extra) => `${Number((share * 100).toPrecision(2 + extra))} % delayed`,
};

function digitsOf({ kind, measured, budget }: CheckedEntry): number {
  return extraDigits(measured, budget, amountTexts[kind]);
}

/** `≈312 ms`. */
function figure(entry: CheckedEntry, value: number): string {
  return `${value > 0 ? signOf(entry) : ''}${amount(entry, value)}`;
}

function signOf({ isEstimated }: Pick<CheckedEntry, 'isEstimated'>): string {
  return isEstimated ? '≈' : '';
}

/** `298–331 ms`; `up to 41 ms` if a run was not over the threshold. */
function range(entry: CheckedEntry): string {
  const [low, high] = [minOf(entry.measured), maxOf(entry.measured)];
  const [least, most] = [figure(entry, low), figure(entry, high)];
  if (least === most) return most;
  if (entry.kind === 'route') return `${least} to ${most}`;
  const times = entry.measured.map((us) => microseconds(us));
  return low === 0 ? `up to ${most}` : `${signOf(entry)}${durationRange(times, digitsOf(entry))}`;
}

/** If the budget was made on another major version of Node.js than the run; else null. */
export function otherNodeText(budget: string | null, ran: string | null): string | null {
  const major = (version: string): string => version.split('.')[0] ?? '';
  return budget === null || ran === null || major(budget) === major(ran)
    ? null
    : `The budget was made on Node.js ${budget}, and this ran on ${ran}, where the same code may take another time.`;
}

export const noRootText =
  'Keys of a budget start at the root of the repository, which is unknown here without .git: check where .git is, or set CI_PROJECT_DIR to the root.';

/** Budgets of functions that an update leaves as they were, and that it removes, by their keys. */
export function keptTexts(unchanged: readonly string[], removed: readonly string[]): readonly string[] {
  return [
    ...listed('unchanged, because nothing of the file was seen', unchanged),
    ...listed('removed, because the function is no longer in the code', removed),
  ];
}

/**
 * Why a new budget may be wrong, and what to do; null if it is not known to be. `estimated`: keys of functions with only
 * estimates. `share`: that of its ready time in which the program ran, where that is little; else null.
 */
export function doubtfulBudgetText(estimated: readonly string[], share: number | null): string | null {
  const texts = [...(share === null ? [] : [busyText(share)]), ...listed('from estimates alone', estimated)];
  return texts.length === 0
    ? null
    : `${texts.join(' ')} Measure again when less is running, or set limits by hand, before you commit it.`;
}

function listed(what: string, keys: readonly string[]): readonly string[] {
  const names = `${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ', …' : ''}`;
  return keys.length === 0 ? [] : [`${plural(keys.length, 'budget')} ${what}: ${names}.`];
}

/** What blocks and is in no budget; null if nothing does. */
export function unjudgedText(entries: readonly CheckedEntry[]): string | null {
  const names = entries.slice(0, 3).map((entry) => {
    const where = entry.place === null ? entry.key : withLine(entry.place.file, entry.place.line);
    return `${entryName(entry)} (${where}, ${figure(entry, median(entry.measured))})`;
  });
  const more = entries.length > names.length ? ` and ${entries.length - names.length} more` : '';
  return names.length === 0
    ? null
    : `Not in the budget: ${names.join(', ')}${more}. "hotspan check --update" adds what blocks, and "whole" judges all that has no budget of its own.`;
}

export function checkSummary({ verdict, entries, runs }: BudgetCheck): string {
  const counted = (one: CheckedEntry['verdict']): number => entries.filter((entry) => entry.verdict === one).length;
  const looked = `${plural(entries.length, 'budget')}, ${plural(runs.length, 'run')}`;
  if (verdict === 'over') return `${counted('over')} over budget (${looked}).`;
  if (verdict === 'unclear') return `Not all could be judged (${looked}).`;
  const near = counted('near');
  return `Within budget (${looked}${near === 0 ? '' : `; ${near} near it`}).`;
}

/** Says what is run again before a budget fails. `testFiles`: null for the whole command. */
export function repeatText(budgets: number, testFiles: number | null): string {
  const what = testFiles === null ? 'the command' : plural(testFiles, 'test file');
  return `${plural(budgets, 'budget')} exceeded once: ${what} ${(testFiles ?? 1) === 1 ? 'is' : 'are'} run twice more …`;
}
