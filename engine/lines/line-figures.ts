import type { LinePrecision } from '../../protocol/report.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { groupBy } from '../basics/group-by.ts';
import type { OwnPart } from '../function-figures/own-part.ts';
import type { Waited } from '../function-figures/waited.ts';
import type { LinePart } from './line-parts.ts';

/** A part of a line, and where it was. */
export interface PlacedPart extends LinePart {
  readonly functionId: number;
  /** Index into `Analysis.operations`. */
  readonly operation: number;
  /** Cut path to the culprit. */
  readonly path: number;
  /** The culprit's whole part in the operation. */
  readonly whole: OwnPart;
}

export interface LineFigures {
  readonly worst: Microseconds;
  /** Those in which its part is over the threshold. */
  readonly longOperations: ReadonlySet<number>;
  /** Cut paths in the operations that count. */
  readonly paths: ReadonlySet<number>;
  readonly precision: LinePrecision;
  readonly reason: string | null;
  /** Of the worst: its precision says so, or its culprits' parts are estimates. */
  readonly estimated: boolean;
  /** Of the worst, what the thread slept. */
  readonly waited: Waited | null;
}

/** The figures of one line from all its parts, at least one, whatever culprits they are of. */
export function figuresOfLine(parts: readonly PlacedPart[], thresholdUs: Microseconds): LineFigures {
  const byOperation = groupBy(parts, (part) => part.operation);
  const inOperations = [...byOperation].map(([operation, here]) => ({
    ...inWholeMicroseconds(partInOperation(here)),
    operation,
    here,
  }));
  const worst = inOperations.reduce((a, b) => (b.weight > a.weight ? b : a));
  const long = inOperations.filter(({ weight }) => weight > thresholdUs);
  return {
    worst: microseconds(worst.weight),
    longOperations: new Set(long.map(({ operation }) => operation)),
    paths: new Set(long.flatMap(({ here }) => here.map((part) => part.path))),
    precision: worst.precision,
    reason: worst.reason,
    estimated: worst.precision === 'shared' || worst.here.some(({ whole }) => whole.estimated),
    waited: waitedAt(worst.here),
  };
}

/** A line that has nearly all of its culprit's part has waited as long; another one where it calls what waits. */
function waitedAt(parts: readonly PlacedPart[]): Waited | null {
  const found = parts.flatMap(({ weight, callee, whole }): readonly Waited[] => {
    const { waited } = whole;
    if (waited === null) return [];
    const isIts = weight >= 0.95 * whole.weight || waited.in === callee;
    return isIts ? [{ ...waited, us: microseconds(Math.min(waited.us, Math.round(weight))) }] : [];
  });
  return found.reduce<Waited | null>((most, one) => (one.us > (most?.us ?? 0) ? one : most), null);
}

/** As it is shown, so that no line of 2 ms counts as over 2 ms. */
function inWholeMicroseconds<Part extends { readonly weight: number }>(part: Part): Part {
  return { ...part, weight: Math.round(part.weight) };
}

/** Up to this share of a part may be estimated before the part is. */
const leastEstimate = 0.05;

/**
 * A line's part in one operation: what is surely or by proportion its own adds up; time that may as well be another
 * line's never does, so the largest such time stands where it is more.
 */
function partInOperation(
  parts: readonly PlacedPart[],
): Pick<LineFigures, 'precision' | 'reason'> & { readonly weight: number } {
  const own = parts.filter((part) => part.precision !== 'oneOf');
  const sum = total(own);
  const shared = groupBy(
    parts.filter((part) => part.precision === 'oneOf'),
    (part) => part.callee,
  );
  const largest = [...shared.values()].reduce<readonly PlacedPart[]>((a, b) => (total(b) > total(a) ? b : a), []);
  if (total(largest) > sum) return { weight: total(largest), precision: 'oneOf', reason: largest[0]?.reason ?? null };
  const estimated = own.filter((part) => part.precision === 'shared');
  if (total(estimated) <= leastEstimate * sum) return { weight: sum, precision: 'exact', reason: null };
  const [heaviest] = estimated.toSorted((a, b) => b.weight - a.weight);
  return { weight: sum, precision: 'shared', reason: heaviest?.reason ?? null };
}

function total(parts: readonly PlacedPart[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
