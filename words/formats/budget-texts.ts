import type { BudgetCheck, CheckedEntry } from '../../protocol/budget.ts';
import { microseconds } from '../../protocol/units.ts';
import { duration, plural } from './figures.ts';

/** How checks of a budget read, on every surface. */

/** `312 ms, over its budget of 200 ms in all 3 runs (298–331 ms)`. */
export function entryText(entry: CheckedEntry): string {
  const { verdict, measured, budget } = entry;
  const of = amount(entry, budget);
  const typical = measured.toSorted((a, b) => a - b)[Math.floor(measured.length / 2)] ?? 0;
  const runs = measured.length > 1 ? ` in all ${measured.length} runs (${range(entry)})` : '';
  switch (verdict) {
    case 'over':
      return `${amount(entry, typical)}, over its budget of ${of}${runs}`;
    case 'estimated':
      return `≈${amount(entry, typical)}, perhaps over its budget of ${of}: one run tells only an estimate`;
    case 'near':
      return `${amount(entry, Math.max(...measured))}, near its budget of ${of}`;
    case 'within':
      return `${measured.length === 0 ? 'nothing' : amount(entry, Math.max(...measured))} of ${of}`;
    case 'unknown':
      return unknownTexts[entry.kind];
  }
}

const unknownTexts = {
  function: 'is in the budget, but in none of the files that ran: it was renamed or deleted, or its tests did not run',
  file: 'matches no file with own code that ran',
  route: 'was not requested',
  whole: 'nothing ran',
} as const satisfies Record<CheckedEntry['kind'], string>;

/** What the entry is about: `snapshot`, `src/**`, `GET /orders`, `everything`. */
export function entryName({ kind, key, place }: CheckedEntry): string {
  if (kind === 'function') return place?.label ?? key;
  const name = kind === 'whole' ? 'everything' : key;
  return place === null ? name : `${name} (${place.label})`;
}

function amount({ kind }: CheckedEntry, value: number): string {
  return kind === 'route'
    ? `${Number((value * 100).toPrecision(2))} % delayed`
    : value === 0
      ? 'nothing over the threshold'
      : duration(microseconds(value));
}

function range(entry: CheckedEntry): string {
  const [low, high] = [Math.min(...entry.measured), Math.max(...entry.measured)];
  return `${amount(entry, low)} to ${amount(entry, high)}`;
}

/** One sentence about the whole check. */
export function checkSummary({ verdict, entries, runs }: BudgetCheck): string {
  const counted = (one: CheckedEntry['verdict']): number => entries.filter((entry) => entry.verdict === one).length;
  const looked = `${plural(entries.length, 'budget')}, ${plural(runs.length, 'run')}`;
  if (verdict === 'over') return `${counted('over')} over budget (${looked}).`;
  if (verdict === 'unclear') return `Not all could be judged (${looked}).`;
  const near = counted('near');
  return `Within budget (${looked}${near === 0 ? '' : `; ${near} near it`}).`;
}
