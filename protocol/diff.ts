import { isList, isRecord, parseJson } from './json-value.ts';
import type { Microseconds } from './units.ts';

/** The runs of two versions of one thing. A run is one recording or several, by their absolute paths. */
export interface DiffSides {
  readonly base: readonly (readonly string[])[];
  readonly head: readonly (readonly string[])[];
}

/**
 * Names a diff where others name a recording, in questions and in a page's state: the JSON of its sides, which no path
 * looks like.
 */
export function nameOfDiff({ base, head }: DiffSides): string {
  return JSON.stringify({ base, head });
}

/** The sides of a diff with this name; null where it is the name of a recording. */
export function diffNamed(name: string): DiffSides | null {
  if (!name.startsWith('{')) return null;
  const json = parseJson(name);
  const [base, head] = isRecord(json) ? [runsOf(json['base']), runsOf(json['head'])] : [null, null];
  return base === null || head === null ? null : { base, head };
}

/** Most recordings of a side: a re-check makes eight runs of up to four test files. */
const mostOfSide = 64;

/** The runs in a value of unknown origin, each a path or a list of paths; null where it is anything else. */
export function runsOf(value: unknown): readonly (readonly string[])[] | null {
  if (!isList(value) || value.length === 0) return null;
  const runs = value.map((run) => (isList(run) ? run : [run]));
  const paths = runs.flat();
  const isAll = runs.every(({ length }) => length > 0) && paths.length <= mostOfSide;
  return isAll && paths.every(isPath) ? runs.map((run) => run.filter(isPath)) : null;
}

/** Whether a value is an absolute path of this machine, of either kind of system. */
function isPath(value: unknown): value is string {
  return typeof value === 'string' && /^(?:\/(?!\/)|[a-z]:[\\/])/i.test(value);
}

/** Whose times the widths of a diff are: what runs now, what ran before, and only what is gone, or new. */
export const diffViews = ['now', 'before', 'gone', 'new'] as const;
export type DiffView = (typeof diffViews)[number];

/** How a frame with its callees changed. `new`, `gone`: only one side has its path. `none`: within the noise. */
export const frameChanges = ['slower', 'new', 'faster', 'gone', 'none'] as const;
export type FrameChange = (typeof frameChanges)[number];

export interface FrameDiff {
  readonly change: FrameChange;
  readonly was: SideTimes;
  readonly is: SideTimes;
  /** Its name before; present where that was another one. */
  readonly wasName?: string;
  /** Present where the function is only in the base: its source is the text that ran. */
  readonly onlyBefore?: true;
}

/** Held time of a frame on one side, for each run or for each operation: all of the side divided by their number. */
export interface SideTimes {
  readonly totalUs: Microseconds;
  readonly selfUs: Microseconds;
  /** Smallest and largest of a run; both 0 where no run has any. */
  readonly totalRange: readonly [low: Microseconds, high: Microseconds];
  readonly selfRange: readonly [low: Microseconds, high: Microseconds];
}

/** What an answer about a diff says besides of its frames. */
export interface FlameDiff {
  readonly view: DiffView;
  /** The function whose operations are shown; null for whole runs. */
  readonly of: { readonly functionId: number; readonly name: string } | null;
  readonly was: FlameSide;
  readonly is: FlameSide;
  /** Whether a side has the three runs and more that a change of a fifth needs, or only a change by two is told. */
  readonly rule: DiffRule;
  /** Difference of the self times (now − before) of the frames of each kind in the zoomed frame. */
  readonly differenceByChange: Readonly<Record<FrameChange, Microseconds>>;
}

/**
 * A change needs disjoint ranges and, `apart`: 20 % and 2 ms; `twice`: a factor of 2 and 2 ms, where a side has fewer
 * than three runs or the runs did not take turns.
 */
export type DiffRule = 'apart' | 'twice';

export interface FlameSide {
  readonly runs: number;
  /** By what the times of the side are divided: the number of its runs, or of its operations. */
  readonly count: number;
  /** True where operations were inferred, so that their number is an estimate. */
  readonly estimated: boolean;
  /** Time of the zoomed frame. */
  readonly totalUs: Microseconds;
}
