import type { Analysis } from '../../../engine/analysis.ts';
import type { CulpritFigures, PresenceFigures } from '../../../engine/judge/function-figures/function-figures.ts';
import { toMilliseconds } from '../../../protocol/units.ts';
import { withoutCallees } from './program.ts';
import { threshold } from './recorded.ts';
import { median } from '../../../protocol/figures.ts';
import { quantile, total } from './table.ts';
import { isList, isRecord, numberOf, parseJson } from '../../../protocol/json-value.ts';
import { groupBy } from '../../../engine/basics/lists.ts';

/**
 * `worst`: a function with everything that it calls. `own`: its own part, if by the program's text all of its time is
 * its own part.
 */
export type FigureKind = 'worst' | 'own';

/** What Hotspan says about a function in one run, and what the program's own clock said. In ms. */
export interface Compared {
  readonly kind: FigureKind;
  readonly name: string;
  readonly truth: number;
  readonly figure: number;
  readonly estimated: boolean;
  /** Number of samples behind the figure. */
  readonly samples: number;
  readonly trueLongCount: number;
  readonly longCount: number;
}

/** One comparison for each function, and a second one for each that is a culprit. */
export function compare(analysis: Analysis, truth: Truth): readonly Compared[] {
  return [...truth].flatMap(([name, times]) => {
    const { id } = analysis.functions.functions.find((fn) => fn.own && fn.name === name) ?? { id: -1 };
    const figures = analysis.figures[id];
    const known = {
      name,
      truth: Math.max(...times),
      trueLongCount: times.filter((ms) => ms > threshold).length,
    };
    const presence = figures?.presence.worst === 0 ? figures.background : figures?.presence;
    const culprit = figures?.culprit ?? figures?.backgroundCulprit;
    const worst: Compared = { kind: 'worst', ...known, ...said(presence, presence?.worstSamples) };
    if (culprit === undefined || culprit === null || !withoutCallees.has(name)) return [worst];
    return [worst, { kind: 'own', ...known, ...said(culprit, culprit.samples) }];
  });
}

function said(
  figures: Pick<PresenceFigures | CulpritFigures, 'worst' | 'estimated' | 'longCount'> | undefined,
  samples: number | undefined,
): Pick<Compared, 'figure' | 'estimated' | 'samples' | 'longCount'> {
  if (figures === undefined) return { figure: 0, estimated: false, samples: 0, longCount: 0 };
  const { worst, estimated, longCount } = figures;
  return { figure: toMilliseconds(worst), estimated, samples: samples ?? 0, longCount };
}

/** The comparison of many functions and runs. Shares are from 0 to 1. */
export interface Summary {
  readonly figures: number;
  readonly medianError: number;
  readonly p90Error: number;
  /**
   * Functions with a wrong count of long operations, and by how many operations all counts together are wrong, out of
   * how many.
   */
  readonly wrongCounts: number;
  readonly wrongOperations: number;
  readonly longOperations: number;
  readonly off: readonly Compared[];
  /** Those of the functions with a wrong count whose figures do not say `≈`. */
  readonly offButSure: readonly Compared[];
  readonly estimated: number;
}

export function summaryOf(all: readonly Compared[]): Summary {
  const errors = all.map(errorOf);
  const misses = all.map(({ longCount, trueLongCount }) => Math.abs(longCount - trueLongCount));
  const off = all.filter(isOff);
  return {
    figures: all.length,
    medianError: median(errors),
    p90Error: quantile(errors, 0.9),
    wrongCounts: misses.filter((miss) => miss > 0).length,
    wrongOperations: total(misses),
    longOperations: total(all.map(({ trueLongCount }) => trueLongCount)),
    off,
    offButSure: off.filter(({ estimated }) => !estimated),
    estimated: all.filter(({ estimated }) => estimated).length / all.length,
  };
}

function errorOf({ figure, truth }: Compared): number {
  return Math.abs(figure - truth) / truth;
}

function isOff(one: Compared): boolean {
  return errorOf(one) > 0.15 && Math.abs(one.figure - one.truth) > 3;
}

/** How long each function, with all that it called, held the loop in each operation, in ms by the program's own clock. */
export type Truth = ReadonlyMap<string, readonly number[]>;

/** Reads what `program` has written: by name, its calls. */
export function readTruth(text: string): Truth {
  const truth = parseJson(text);
  return new Map(
    Object.entries(isRecord(truth) ? truth : {}).map(([name, calls]) => {
      const byOperation = groupBy((isList(calls) ? calls : []).filter(isRecord), ({ operation }) => operation);
      return [name, [...byOperation.values()].map((all) => total(all.map(({ ms }) => numberOf(ms, Number.NaN))))];
    }),
  );
}
