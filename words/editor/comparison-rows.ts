import type { ChangeVerdict, ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import {
  changeFigure,
  changeText,
  comparedLabel,
  comparedPlace,
  fromTo,
  intervalText,
  runTimes,
  verdictNames,
} from '../formats/change-texts.ts';
import { plural } from '../formats/figures.ts';
import { visible } from '../formats/hidden-characters.ts';

/** The functions of a comparison that have one verdict, as a tree shows them. */
export interface ComparisonGroup {
  readonly verdict: ChangeVerdict;
  readonly title: string;
  /** How many there are: `3 functions`. */
  readonly description: string;
  /** False where nothing is to be done: then the group is closed at first. */
  readonly isOpen: boolean;
  readonly rows: readonly ComparisonRow[];
}

export interface ComparisonRow {
  /** Index in the functions of the comparison. */
  readonly index: number;
  /** The figure first: `312 → 41 ms  cloneCatalogue`. */
  readonly label: string;
  /** The place: `src/cart.ts:12`. */
  readonly description: string;
  /** Everything that is known, a fact a line. */
  readonly tooltip: string;
}

/** What a person must act on first comes first. */
const order: readonly ChangeVerdict[] = [
  'slower',
  'new',
  'moreOften',
  'faster',
  'gone',
  'lessOften',
  'moved',
  'tooNoisy',
  'notReached',
  'noChangeSeen',
];

const closed: ReadonlySet<ChangeVerdict> = new Set<ChangeVerdict>(['notReached', 'noChangeSeen']);

/** The rows of a comparison, grouped by verdict. A verdict that nothing has is left out. */
export function comparisonGroups(comparison: Comparison): readonly ComparisonGroup[] {
  const all = comparison.functions.map((fn, index) => ({ fn, index }));
  return order.flatMap((verdict) => {
    const found = all.filter(({ fn }) => fn.verdict === verdict);
    if (found.length === 0) return [];
    const rows = found.map(({ fn, index }) => rowOf(fn, index, comparison));
    const description = plural(rows.length, 'function');
    return [{ verdict, title: capital(verdictNames[verdict]), description, isOpen: !closed.has(verdict), rows }];
  });
}

function rowOf(fn: ComparedFunction, index: number, comparison: Comparison): ComparisonRow {
  return {
    index,
    label: visible(`${changeFigure(fn, comparison)}  ${comparedLabel(fn)}`),
    description: visible(comparedPlace(fn)),
    tooltip: tooltipOf(fn, comparison)
      .map((line) => visible(line))
      .join('\n'),
  };
}

function tooltipOf(fn: ComparedFunction, comparison: Comparison): readonly string[] {
  const { worst, presence, was, is, isTest, verdict } = fn;
  const hasMoved = was !== null && is !== null && was.file !== is.file;
  const interval = intervalText(worst);
  return [
    `${comparedLabel(fn)}, ${comparedPlace(fn)}`,
    `${verdictNames[verdict]}: ${changeText(fn, comparison)}`,
    ...(interval === null ? [] : [interval]),
    `before: ${runTimes(worst.wasUs, comparison)}`,
    `now: ${runTimes(worst.isUs, comparison)}`,
    `with what it calls: ${fromTo(presence)}`,
    ...(hasMoved ? [`it was in ${was.file}`] : []),
    ...(is === null ? ['the sources have no such function any more'] : []),
    ...(isTest ? ['code of tests: no user waits for it'] : []),
  ];
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
