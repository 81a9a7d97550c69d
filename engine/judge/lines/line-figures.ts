import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { LinePart } from './line-parts.ts';
import type { LineReason } from './line-shares.ts';
import { groupBy } from '../../basics/lists.ts';
import { onceEach } from '../../basics/once.ts';
import { NumberList } from '../../basics/number-list.ts';
import type { Waited, OwnParts } from '../function-figures/function-figures.ts';
import type { LinePrecision } from '../../../protocol/report-code.ts';

interface PlacedPart {
  readonly part: LinePart;
  /** In µs, not rounded. */
  readonly weight: number;
  /** Number of the culprit's whole part in the operation. */
  readonly whole: number;
}

/** Parts of lines by operation, in columns: with an object for each, collections took a third longer. */
export class PlacedParts {
  readonly ownParts: OwnParts;
  /** Number of the part of a line. Most are the same in all operations, so there are few. */
  readonly #parts = new NumberList();
  readonly #weights = new NumberList();
  readonly #wholes = new NumberList();
  /** Number of the cut path to the culprit. */
  readonly #paths = new NumberList();
  readonly #lineParts: LinePart[] = [];
  /** Line by number of the part of a line; lines are numbered in the order in which they are first seen. */
  readonly #lines: number[] = [];
  readonly #numberOf: (part: LinePart) => number;

  constructor(ownParts: OwnParts) {
    this.ownParts = ownParts;
    let lines = 0;
    const lineOf = onceEach((_place: string) => lines++);
    this.#numberOf = onceEach((part: LinePart) => {
      this.#lines.push(lineOf(`${part.line}\n${part.url}`));
      return this.#lineParts.push(part) - 1;
    });
  }

  get size(): number {
    return this.#parts.size;
  }

  /** `whole` is the number of the own part, `path` that of the cut path to it. */
  add(part: LinePart, weight: number, path: number, whole: number): void {
    this.#parts.push(this.#numberOf(part));
    this.#weights.push(weight);
    this.#wholes.push(whole);
    this.#paths.push(path);
  }

  weightOf(number: number): number {
    return this.#weights.at(number);
  }

  pathOf(number: number): number {
    return this.#paths.at(number);
  }

  /** Index of the part's operation; −1 for an unknown number. */
  operationOf(number: number): number {
    return number < 0 || number >= this.size ? -1 : this.ownParts.operationOf(this.#wholes.at(number));
  }

  partOf(number: number): LinePart | undefined {
    return number < 0 || number >= this.size ? undefined : this.#lineParts[this.#parts.at(number)];
  }

  functionOf(number: number): number {
    return this.ownParts.functionOf(this.#wholes.at(number));
  }

  at(numbers: Int32Array): readonly PlacedPart[] {
    return [...numbers].flatMap((number) => {
      const part = this.partOf(number);
      return part === undefined ? [] : [{ part, weight: this.weightOf(number), whole: this.#wholes.at(number) }];
    });
  }

  /** Numbers of the wanted parts of each line, ascending. */
  byLine(isWanted: (number: number) => boolean): readonly Int32Array[] {
    const found = new Map<number, NumberList>();
    for (let number = 0; number < this.size; number++) {
      if (!isWanted(number)) continue;
      const line = this.#lines[this.#parts.at(number)] ?? 0;
      const numbers = found.get(line) ?? new NumberList();
      found.set(line, numbers);
      numbers.push(number);
    }
    return [...found].toSorted(([a], [b]) => a - b).map(([, numbers]) => numbers.toInt32());
  }
}

export interface LineFigures {
  /** The largest part in one operation. */
  readonly worst: Microseconds;
  /** Operations in which the line's part is over the threshold, ascending. */
  readonly longOperations: readonly number[];
  /** Cut paths in the operations that count. */
  readonly paths: ReadonlySet<number>;
  readonly precision: LinePrecision;
  /** Why the line is not exact; null where it is. */
  readonly reason: LineReason | null;
  /** True where the worst is an estimate: its precision says so, or its culprits' parts are estimates. */
  readonly estimated: boolean;
  /** How the thread slept in the worst; null where that is next to nothing, or unknown. */
  readonly waited: Waited | null;
  /** True where functions that the line calls have half of the worst or more; V8's built-in functions are none. */
  readonly inCalls: boolean;
}

/** The figures of one line from all its parts, of any number of culprits. Parts of one operation are adjacent. */
export function figuresOfLine(placed: PlacedParts, numbers: Int32Array, thresholdUs: Microseconds): LineFigures {
  const longOperations: number[] = [];
  const paths = new Set<number>();
  let worst = { weight: -1, from: 0, to: 0 };
  for (let from = 0, to = 0; from < numbers.length; from = to) {
    const operation = placed.operationOf(numbers[from] ?? -1);
    while (to < numbers.length && placed.operationOf(numbers[to] ?? -1) === operation) to++;
    // It is rounded as it is shown, so that no line of 2 ms counts as over 2 ms.
    const weight = Math.round(weightBetween(placed, numbers, from, to));
    if (weight > worst.weight) worst = { weight, from, to };
    if (weight <= thresholdUs) continue;
    longOperations.push(operation);
    for (let at = from; at < to; at++) paths.add(placed.pathOf(numbers[at] ?? 0));
  }
  const here = placed.at(numbers.subarray(worst.from, worst.to));
  const { precision, reason } = partInOperation(here);
  const estimated = precision === 'shared' || here.some(({ whole }) => placed.ownParts.isEstimated(whole));
  const waited = waitedAt(here, placed.ownParts);
  const inCalls = total(here.filter(({ part }) => part.callee !== -1)) * 2 >= worst.weight;
  return { worst: microseconds(worst.weight), longOperations, paths, precision, reason, estimated, waited, inCalls };
}

/** Weight in µs of the parts of one operation. A line may have parts in tens of thousands of them. */
function weightBetween(placed: PlacedParts, numbers: Int32Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) {
    const number = numbers[at] ?? 0;
    if (placed.partOf(number)?.precision === 'oneOf')
      return partInOperation(placed.at(numbers.subarray(from, to))).weight;
    sum += placed.weightOf(number);
  }
  return sum;
}

/** A line slept as long as its culprit if it has nearly all of the culprit's part, or for the call that waits. */
function waitedAt(here: readonly PlacedPart[], ownParts: OwnParts): Waited | null {
  const found = [...groupBy(here, ({ whole }) => whole)].flatMap(([whole, parts]): readonly Waited[] => {
    const waited = ownParts.waitedOf(whole);
    if (waited === null) return [];
    const ofLine = partInOperation(parts).weight;
    const asleep =
      ofLine >= 0.95 * ownParts.weightOf(whole) ? ofLine : total(parts.filter(({ part }) => part.callee === waited.in));
    return [{ ...waited, us: microseconds(Math.min(waited.us, Math.round(asleep))) }];
  });
  return found.reduce<Waited | null>((most, one) => (one.us > (most?.us ?? 0) ? one : most), null);
}

/** Share of a part that may be estimated before the whole part is an estimate. */
const MIN_ESTIMATED = 0.05;

/**
 * A line's part in one operation: its certain and proportional time, or the largest uncertain time, if that is more.
 */
function partInOperation(
  parts: readonly PlacedPart[],
): Pick<LineFigures, 'precision' | 'reason'> & { readonly weight: number } {
  const own = parts.filter(({ part }) => part.precision !== 'oneOf');
  const sum = total(own);
  const shared = groupBy(
    parts.filter(({ part }) => part.precision === 'oneOf'),
    ({ part }) => part.callee,
  );
  const largest = [...shared.values()].reduce<readonly PlacedPart[]>((a, b) => (total(b) > total(a) ? b : a), []);
  if (total(largest) > sum)
    return { weight: total(largest), precision: 'oneOf', reason: largest[0]?.part.reason ?? null };
  const estimated = own.filter(({ part }) => part.precision === 'shared');
  if (total(estimated) <= MIN_ESTIMATED * sum) return { weight: sum, precision: 'exact', reason: null };
  const [heaviest] = estimated.toSorted((a, b) => b.weight - a.weight);
  return { weight: sum, precision: 'shared', reason: heaviest?.part.reason ?? null };
}

function total(parts: readonly PlacedPart[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
