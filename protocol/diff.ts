import { isList, isRecord, parseJson } from './json-value.ts';
import type { Microseconds } from './units.ts';

/** The runs of two versions. A run is one recording or several, by absolute paths. */
export interface DiffSides {
  readonly base: readonly (readonly string[])[];
  readonly head: readonly (readonly string[])[];
}

/** Names a diff where others name a recording: the JSON of its sides, which no path looks like. */
export function nameOfDiff({ base, head }: DiffSides): string {
  return JSON.stringify({ base, head });
}

/** The sides of a diff with this name; null for the name of a recording. */
export function diffNamed(name: string): DiffSides | null {
  if (!name.startsWith('{')) return null;
  const json = parseJson(name);
  const [base, head] = isRecord(json) ? [runsOf(json['base']), runsOf(json['head'])] : [null, null];
  return base === null || head === null ? null : { base, head };
}

/** Limit of recordings of a side: a re-check makes eight runs of up to four test files. */
const MAX_RUNS_OF_SIDE = 64;

/** The runs in an untrusted value, each a path or a list of paths; null for anything else. */
export function runsOf(value: unknown): readonly (readonly string[])[] | null {
  if (!isList(value) || value.length === 0) return null;
  const runs = value.map((run) => (isList(run) ? run : [run]));
  const paths = runs.flat();
  const isAll = runs.every(({ length }) => length > 0) && paths.length <= MAX_RUNS_OF_SIDE;
  return isAll && paths.every(isPath) ? runs.map((run) => run.filter(isPath)) : null;
}

/** Whether a value is an absolute path of this machine, on any system. */
function isPath(value: unknown): value is string {
  return typeof value === 'string' && /^(?:\/(?!\/)|[a-z]:[\\/])/i.test(value);
}

/** Whose times the widths of a diff are: those of now, of before, only gone ones, or only new ones. */
export const diffViews = ['now', 'before', 'gone', 'new'] as const;
export type DiffView = (typeof diffViews)[number];

/** How a frame with its callees changed. `new`, `gone`: only one side has its path. `none`: within the noise. */
export const frameChanges = ['slower', 'new', 'faster', 'gone', 'none'] as const;
export type FrameChange = (typeof frameChanges)[number];

export interface FrameDiff {
  readonly change: FrameChange;
  readonly was: SideTimes;
  readonly is: SideTimes;
  /** Its name before, if that was another one. */
  readonly wasName?: string;
  /** Present where only the base has the function: its source is the text that ran. */
  readonly onlyBefore?: true;
}

/** Held time of a frame on one side: the sum divided by the number of runs or operations. */
export interface SideTimes {
  readonly totalUs: Microseconds;
  readonly selfUs: Microseconds;
  /** Smallest and largest of a run; both 0 where no run has any. */
  readonly totalRange: readonly [low: Microseconds, high: Microseconds];
  readonly selfRange: readonly [low: Microseconds, high: Microseconds];
}

export interface FlameDiff {
  readonly view: DiffView;
  /** The function whose operations are shown; null for whole runs. */
  readonly of: { readonly functionId: number; readonly name: string } | null;
  readonly was: FlameSide;
  readonly is: FlameSide;
  /** How much must differ to count as a change. */
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
  /** The number of runs or operations that the side's times are divided by. */
  readonly count: number;
  /** True where operations were inferred, so that their number is an estimate. */
  readonly estimated: boolean;
  readonly totalUs: Microseconds;
}
