import type { DurationClass, Tone } from './figures.ts';
import type { Location } from './places.ts';
import type { DoneRecheck } from './rechecks.ts';
import type { Microseconds } from './units.ts';

/** The rows of the editor's lists: hotspots, long operations, who waited. */

export type HotspotGrouping = 'file' | 'function' | 'package' | 'test' | 'process' | 'route';

/** `notOptimized` sorts by the time in Ignition and Sparkplug. */
export type HotspotOrder = 'worst' | 'count' | 'stacks' | 'total' | 'notOptimized';

export interface HotspotsParams {
  readonly groupBy: HotspotGrouping;
  readonly sortBy: HotspotOrder;
}

/** Newest result first. */
export type Hotspots = readonly HotspotsOfTarget[];

/** What would disappear if it were fixed. */
export interface Verdict {
  readonly findings: readonly FindingItem[];
  /** What is uncertain, needs no action, or removes little. */
  readonly closed: readonly FindingItem[];
  /** What re-checks have shown to be below the threshold since. */
  readonly fixed: readonly FindingItem[];
  /** A sentence about what was left out, and why; null where nothing was. */
  readonly left: string | null;
  /** The row that runs the tests of uncertain findings again, with its cost; null where there are none. */
  readonly makeSure: { readonly text: string; readonly description: string } | null;
  /** What is said once re-checks have shown that all findings are fixed. */
  readonly nothingLeft: string;
  /** A sentence where something was long but nothing is open or uncertain; else null. */
  readonly nothing: string | null;
}

export interface FindingItem extends HotspotItem {
  /** Why it is slow, what disappears with it, and what to do. */
  readonly sentences: readonly string[];
}

export interface HotspotsOfTarget {
  readonly target: string;
  readonly recording: string;
  readonly verdict: Verdict;
  readonly groups: readonly HotspotGroup[];
}

export interface HotspotGroup {
  /** `note`: the label is a sentence, such as why there is nothing to group by. */
  readonly kind: 'file' | 'functions' | 'package' | 'test' | 'process' | 'route' | 'loading' | 'leftOut' | 'note';
  /** The largest of its rows, such as `1.84 s`; `''` where it has none. */
  readonly figure: string;
  /** Name of the file or the other subject; `''` where all functions are in one list. */
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** Null where the group is not a file. */
  readonly uri: string | null;
  readonly items: readonly HotspotItem[];
}

export interface HotspotItem {
  /** −1 for a module or a package, which the flamegraph cannot show. */
  readonly functionId: number;
  /** `1.84 s`. */
  readonly figure: string;
  readonly label: string;
  /** `14 × · 3 stacks · catalogue.js:12`. */
  readonly description: string;
  /** The place in the first line, the figures in the second, then the rest. */
  readonly tooltip: string;
  readonly class: DurationClass;
  readonly tone: Tone;
  readonly worstUs: Microseconds;
  /** Present by total time, which `figure` shows then. */
  readonly totalUs?: Microseconds;
  readonly location: Location | null;
  /** `src/catalogue.js:12`: the place that the texts name, as it was when it was recorded; absent where they name none. */
  readonly place?: string;
  /** Present where a re-check has measured its current code. */
  readonly recheck?: DoneRecheck;
}

/** Adds the largest figure of its rows, which says whether a closed group is worth opening. A changed row has none. */
export function withFigure(group: HotspotGroup): HotspotGroup {
  const timeOf = ({ totalUs, worstUs }: HotspotItem): number => Math.max(totalUs ?? 0, worstUs);
  const rows = group.items.filter(({ figure }) => figure !== '');
  const [largest] = rows.toSorted((a, b) => timeOf(b) - timeOf(a));
  return { ...group, figure: largest?.figure ?? '' };
}

/** Indexes in the list of long operations, not numbers in the report. */
export interface OperationsParams {
  readonly from: number;
  readonly count: number;
}

/** A row about an operation, a route or an event loop, or a sentence. */
export interface DetailRow extends Pick<
  HotspotItem,
  'figure' | 'label' | 'description' | 'tooltip' | 'class' | 'tone'
> {
  /** `thread`: one of several loops of a program. */
  readonly kind: 'operation' | 'route' | 'function' | 'loop' | 'thread' | 'fact' | 'more' | 'note';
  /** Number of the operation in the report; null where the row has none. */
  readonly operation: number | null;
  /** The function whose line the row leads to; −1 where there is none. */
  readonly functionId: number;
  /** What a click opens; null for nothing. */
  readonly opens: 'operation' | 'line' | null;
  readonly below: readonly DetailRow[];
  /** Long operations below the row, which are asked for when it opens. */
  readonly later?: OperationsParams;
}
