import type { OperationList, OperationOrder, OperationRow, RunPart } from '../../protocol/time.ts';
import { microseconds } from '../../protocol/units.ts';
import {
  holderOf,
  inTest,
  inThread,
  noGroup,
  nothingToGroupBy,
  ofOneRun,
  ofRouteWhy,
} from '../../words/operation-words.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { compareTexts, firstDifference } from '../../engine/basics/lists.ts';
import { oncePer, Recent } from '../../engine/basics/once.ts';
import { isIn, partKey, type RunClock, runClock } from './part-of-run.ts';
import { operationRoutes } from '../../engine/judge/requests/route-waits.ts';

/** Maximum number of rows in one answer. */
const MAX_ROWS = 200;

export interface ListedOperations {
  /** Number of the shown operation; null where none is listed. */
  readonly picked: number | null;
  readonly list: OperationList;
}

/**
 * The long operation to show, and the page of the list that contains it. It is `step` operations after `operation`; after
 * the first of the list for null. For an operation outside the list it is the first.
 */
export function listOperations(
  analysis: Analysis,
  {
    by,
    part,
    operation,
    step,
  }: {
    readonly by: OperationOrder;
    readonly part: RunPart | null;
    readonly operation: number | null;
    readonly step: number;
  },
): ListedOperations {
  const listing = listingOf(analysis);
  const numbers = listing.numbers(by, part);
  const last = operation === null ? -1 : numbers.indexOf(operation);
  const at = Math.max(0, Math.min(numbers.length - 1, operation === null ? step : last === -1 ? 0 : last + step));
  const first = Math.floor(at / MAX_ROWS) * MAX_ROWS;
  const rows = numbers.slice(first, first + MAX_ROWS).map((number) => listing.row(number, by));
  const note = noteOf(analysis, by, listing.routes !== null);
  // The list has no operation below the threshold, but a query may name one.
  const isBelow = last === -1 && step === 0 && operation !== null && analysis.operations[operation] !== undefined;
  const picked = isBelow && part === null ? operation : (numbers[at] ?? null);
  return { picked, list: { rows, first, total: numbers.length, note } };
}

export function operationRow(analysis: Analysis, number: number): OperationRow {
  return listingOf(analysis).row(number, 'duration');
}

function noteOf(analysis: Analysis, by: OperationOrder, isRouted: boolean): string | null {
  const parts = [
    ...ofOneRun(analysis).map((text) => `${text}.`),
    ...(by === 'test' && analysis.operations.every(({ test }) => test === null) ? [nothingToGroupBy.test] : []),
    ...(by === 'route' ? [isRouted ? ofRouteWhy : nothingToGroupBy.route] : []),
  ];
  return parts.length === 0 ? null : parts.join(' ');
}

const listingOf = oncePer((analysis: Analysis) => new Listing(analysis));

/** The long operations of one analysis. It keeps the last order, so going to the next operation is quick. */
class Listing {
  readonly routes: ReadonlyMap<number, ReadonlySet<string>> | null;
  readonly #analysis: Analysis;
  readonly #clock: RunClock;
  readonly #long: readonly number[];
  readonly #numbers = new Recent<readonly number[]>(1);

  constructor(analysis: Analysis) {
    const { operations, thresholdUs } = analysis;
    this.#analysis = analysis;
    this.#clock = runClock(analysis);
    this.#long = operations.flatMap(({ held }, number) => (held > thresholdUs ? [number] : []));
    this.routes = operationRoutes(analysis);
  }

  numbers(by: OperationOrder, part: RunPart | null): readonly number[] {
    return this.#numbers.get(`${by} ${partKey(part)}`, () => {
      const shown = this.#long.filter((number) => {
        const operation = this.#analysis.operations[number];
        return operation !== undefined && isIn(operation, part, this.#clock);
      });
      return this.#sorted(shown, by);
    });
  }

  row(number: number, by: OperationOrder): OperationRow {
    const operation = this.#analysis.operations[number];
    const { held, measured, doubt } = operation ?? { held: microseconds(0), measured: false, doubt: null };
    const routes = [...(this.routes?.get(number) ?? [])];
    const where = [
      ...(by === 'test' ? [] : inTest(this.#analysis, number)), // Its group says that already.
      ...(by === 'route' ? [] : routeTexts(routes)),
      ...inThread(this.#analysis, number),
    ];
    return {
      number,
      heldUs: held,
      estimated: !measured || doubt !== null,
      startUs: this.#since(operation?.stream, operation?.start),
      endUs: this.#since(operation?.stream, operation?.end),
      holder: holderOf(this.#analysis, number),
      where: where.join(' · '),
      group: this.#groupOf(number, by),
    };
  }

  #since(stream = -1, time = 0): OperationRow['startUs'] {
    return microseconds(Math.max(0, time - (this.#clock.zeros[stream] ?? time)));
  }

  #groupOf(number: number, by: OperationOrder): string {
    if (by === 'test') return this.#analysis.operations[number]?.test?.name ?? noGroup.test;
    if (by !== 'route') return '';
    const routes = [...(this.routes?.get(number) ?? [])].toSorted(compareTexts);
    return routes.length === 0 ? noGroup.route : routeTexts(routes).join(', ');
  }

  #sorted(numbers: readonly number[], by: OperationOrder): readonly number[] {
    const held = (number: number): number => this.#analysis.operations[number]?.held ?? 0;
    const start = (number: number): number =>
      this.#since(this.#analysis.operations[number]?.stream, this.#analysis.operations[number]?.start);
    const byTime = (a: number, b: number): number => firstDifference(start(a) - start(b), a - b);
    if (by === 'time') return numbers.toSorted(byTime);
    const longest = new Map<string, number>();
    const groups = new Map(numbers.map((number) => [number, this.#groupOf(number, by)]));
    for (const [number, group] of groups) longest.set(group, Math.max(longest.get(group) ?? 0, held(number)));
    const groupOf = (number: number): string => groups.get(number) ?? '';
    return numbers.toSorted((a, b) =>
      firstDifference(
        (longest.get(groupOf(b)) ?? 0) - (longest.get(groupOf(a)) ?? 0),
        compareTexts(groupOf(a), groupOf(b)),
        held(b) - held(a),
        byTime(a, b),
      ),
    );
  }
}

/** The first routes of an operation, and how many more there are: it may have read many requests. */
function routeTexts(routes: readonly string[]): readonly string[] {
  const more = routes.length - MAX_ROUTES;
  return [...routes.slice(0, MAX_ROUTES), ...(more > 0 ? [`+${more} more`] : [])];
}

const MAX_ROUTES = 2;
