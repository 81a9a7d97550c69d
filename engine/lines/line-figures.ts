import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { LinePart } from './line-parts.ts';
import type { LineReason } from './line-reason.ts';
import { groupBy } from '../basics/lists.ts';
import type { OwnPart, Waited } from '../function-figures/function-figures.ts';
import type { LinePrecision } from '../../protocol/report-code.ts';

/** A part of a line in one operation, and where it was measured. */
export interface PlacedPart {
  readonly part: LinePart;
  /** In µs, not rounded. */
  readonly weight: number;
  /** Number of the cut path to the culprit. */
  readonly path: number;
  /** The culprit's whole part in the operation. */
  readonly whole: OwnPart;
}

export interface LineFigures {
  readonly worst: Microseconds;
  /** Operations in which the line's part is over the threshold. */
  readonly longOperations: ReadonlySet<number>;
  /** Cut paths in the operations that count. */
  readonly paths: ReadonlySet<number>;
  readonly precision: LinePrecision;
  readonly reason: LineReason | null;
  /** True where the worst is an estimate: its precision says so, or its culprits' parts are estimates. */
  readonly estimated: boolean;
  /** How the thread slept in the worst. */
  readonly waited: Waited | null;
}

/**
 * The figures of one line, from all its parts, of which there is at least one. The parts may belong to several
 * culprits; those of one operation follow each other.
 */
export function figuresOfLine(parts: readonly PlacedPart[], thresholdUs: Microseconds): LineFigures {
  const longOperations = new Set<number>();
  const paths = new Set<number>();
  let worst = { weight: -1, from: 0, to: 0 };
  for (let from = 0, to = 0; from < parts.length; from = to) {
    const operation = parts[from]?.whole.operation ?? -1;
    while (parts[to]?.whole.operation === operation) to++;
    // It is rounded as it is shown, so that no line of 2 ms counts as over 2 ms.
    const weight = Math.round(weightBetween(parts, from, to));
    if (weight > worst.weight) worst = { weight, from, to };
    if (weight <= thresholdUs) continue;
    longOperations.add(operation);
    for (let at = from; at < to; at++) paths.add(parts[at]?.path ?? 0);
  }
  const here = parts.slice(worst.from, worst.to);
  const { precision, reason } = partInOperation(here);
  const estimated = precision === 'shared' || here.some(({ whole }) => whole.estimated);
  const waited = waitedAt(here);
  return { worst: microseconds(worst.weight), longOperations, paths, precision, reason, estimated, waited };
}

/** Weight in µs of the parts of one operation. A line may have parts in tens of thousands of them. */
function weightBetween(parts: readonly PlacedPart[], from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) {
    if (parts[at]?.part.precision === 'oneOf') return partInOperation(parts.slice(from, to)).weight;
    sum += parts[at]?.weight ?? 0;
  }
  return sum;
}

/**
 * How the line waited. It waited as long as its culprit if it has nearly all of the culprit's part, or if it calls the
 * function that waits.
 */
function waitedAt(parts: readonly PlacedPart[]): Waited | null {
  const found = parts.flatMap(({ weight, part, whole }): readonly Waited[] => {
    const { waited } = whole;
    if (waited === null) return [];
    const isWaitOfLine = weight >= 0.95 * whole.weight || waited.in === part.callee;
    return isWaitOfLine ? [{ ...waited, us: microseconds(Math.min(waited.us, Math.round(weight))) }] : [];
  });
  return found.reduce<Waited | null>((most, one) => (one.us > (most?.us ?? 0) ? one : most), null);
}

/** Share of a part that may be estimated before the whole part is an estimate. */
const leastEstimate = 0.05;

/**
 * A line's part in one operation. Time that certainly belongs to the line, or belongs to it by proportion, is added up.
 * Time that may just as well belong to another line is never added: the largest such time counts where it is more than
 * that sum.
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
  if (total(estimated) <= leastEstimate * sum) return { weight: sum, precision: 'exact', reason: null };
  const [heaviest] = estimated.toSorted((a, b) => b.weight - a.weight);
  return { weight: sum, precision: 'shared', reason: heaviest?.part.reason ?? null };
}

function total(parts: readonly PlacedPart[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
