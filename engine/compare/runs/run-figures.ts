import type { FigureRuns } from '../../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { median } from '../../../protocol/median.ts';
import type {
  CulpritFigures,
  FunctionFigures,
  PresenceFigures,
} from '../../judge/function-figures/function-figures.ts';
import type { HotLine } from '../../judge/lines/hot-lines.ts';

/** Gives the id that a function of a run has in the merged analysis; a negative id stays. */
export type NewId = (run: number, id: number) => number;

/**
 * Figures of one function over several runs: each is the median over the runs that have it. A run in which the function
 * was not over the threshold has no figures of a culprit. `all` has a place for each run; undefined where it has no such
 * function.
 */
export function figuresOfRuns(all: readonly (FunctionFigures | undefined)[], newId: NewId): FunctionFigures {
  const seen = all.filter((figures) => figures !== undefined && figures.total > 0);
  const of = (pick: (figures: FunctionFigures) => number): Microseconds =>
    middleTime(seen.flatMap((figures) => (figures === undefined ? [] : [pick(figures)])));
  return {
    self: of(({ self }) => self),
    total: of(({ total }) => total),
    gc: of(({ gc }) => gc),
    load: of(({ load }) => load),
    presence: presenceOfRuns(all.map((figures) => figures?.presence ?? null)),
    background: presenceOfRuns(all.map((figures) => figures?.background ?? null)),
    culprit: culpritOfRuns(
      all.map((figures) => figures?.culprit ?? null),
      newId,
    ),
    backgroundCulprit: culpritOfRuns(
      all.map((figures) => figures?.backgroundCulprit ?? null),
      newId,
    ),
  };
}

/** Figures of runs in their order; null for a run in which it was not over the threshold. */
interface InRun {
  readonly worst: Microseconds;
  readonly longCount: number;
  readonly distinctStacks: number;
}

export function figureRuns(all: readonly (InRun | null)[]): FigureRuns {
  return {
    worstUs: all.map((one) => one?.worst ?? null),
    longCount: all.map((one) => one?.longCount ?? null),
    distinctStacks: all.map((one) => one?.distinctStacks ?? null),
  };
}

function culpritOfRuns(all: readonly (CulpritFigures | null)[], newId: NewId): CulpritFigures | null {
  const over = all.flatMap((figures, run) => (figures === null ? [] : [{ ...figures, run }]));
  const typical = inTheMiddle(over, ({ worst }) => worst);
  if (typical === undefined) return null;
  const { run, waited, loaded } = typical;
  return {
    ...middleFigures(over),
    worstWarm: middleTime(over.map(({ worstWarm }) => worstWarm)),
    samples: middleCount(over.map(({ samples }) => samples)),
    estimated: over.some(({ estimated }) => estimated),
    waited: waited === null ? null : { ...waited, in: waited.in === null ? null : newId(run, waited.in) },
    loaded: loaded === null ? null : newId(run, loaded),
    runs: figureRuns(all),
  };
}

function presenceOfRuns(all: readonly (PresenceFigures | null)[]): PresenceFigures {
  const known = all.flatMap((figures) => figures ?? []);
  const long = all.map((figures) => (figures !== null && figures.longCount > 0 ? figures : null));
  const isLong = long.some((figures) => figures !== null);
  const chosen = isLong ? long.flatMap((figures) => figures ?? []) : known.filter(({ worst }) => worst > 0);
  const typical = inTheMiddle(chosen, ({ worst }) => worst) ?? known[0];
  return {
    ...middleFigures(chosen),
    worstWarm: middleTime(chosen.map(({ worstWarm }) => worstWarm)),
    worstSamples: middleCount(chosen.map(({ worstSamples }) => worstSamples)),
    estimated: chosen.some(({ estimated }) => estimated),
    tests: typical?.tests ?? [],
    byClass: typical?.byClass ?? { fast: 0, medium: 0, slow: 0, verySlow: 0, monster: 0 },
    ...(isLong ? { runs: figureRuns(long) } : {}),
  };
}

/** The line with the figures of the runs in which it has a mark. `line` is that of the run in the middle. */
export function lineOfRuns(line: HotLine, all: readonly (HotLine | null)[]): HotLine {
  const known = all.flatMap((one) => one ?? []);
  return {
    ...line,
    ...middleFigures(known),
    estimated: known.some(({ estimated }) => estimated),
    runs: figureRuns(all),
  };
}

function middleFigures(all: readonly InRun[]): InRun {
  return {
    worst: middleTime(all.map(({ worst }) => worst)),
    longCount: middleCount(all.map(({ longCount }) => longCount)),
    distinctStacks: middleCount(all.map(({ distinctStacks }) => distinctStacks)),
  };
}

/** The median of some times; 0 where there are none. */
export function middleTime(times: readonly number[]): Microseconds {
  return microseconds(middleCount(times));
}

/** The median of some counts, rounded; 0 where there are none. */
export function middleCount(counts: readonly number[]): number {
  return counts.length === 0 ? 0 : Math.round(median(counts));
}

/** The one in the middle; of two the smaller. Undefined where there is none. */
export function inTheMiddle<Item>(all: readonly Item[], valueOf: (item: Item) => number): Item | undefined {
  return all.toSorted((a, b) => valueOf(a) - valueOf(b))[Math.floor((all.length - 1) / 2)];
}
