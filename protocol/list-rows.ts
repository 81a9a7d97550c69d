import type { DurationClass, Tone } from './figures.ts';
import type { Location } from './places.ts';
import type { Microseconds } from './units.ts';

/** The rows of the editor's lists: hotspots, long operations, who waited. */

export type HotspotGrouping = 'file' | 'function' | 'package' | 'test' | 'process' | 'route';

/** `notOptimized` sorts by the time in Ignition and Sparkplug. */
export type HotspotOrder = 'worst' | 'count' | 'stacks' | 'total' | 'notOptimized';

export interface HotspotsParams {
  readonly groupBy: HotspotGrouping;
  readonly sortBy: HotspotOrder;
}

/** The hotspots of each result on screen, the newest result first. */
export type Hotspots = readonly HotspotsOfTarget[];

/** What a result says first: what would go away if it were fixed. */
export interface Verdict {
  /** In the order of the verdict. */
  readonly findings: readonly FindingItem[];
  /** What is uncertain, needs no action, or removes little. */
  readonly closed: readonly FindingItem[];
  /** What was left out, and why: a sentence. Null where nothing was. */
  readonly left: string | null;
  /** The row that runs the tests of uncertain findings again, with what that costs; null where there are none. */
  readonly makeSure: { readonly text: string; readonly description: string } | null;
  /** A sentence where something was long, and nothing is to be done; else null. */
  readonly nothing: string | null;
}

export interface FindingItem extends HotspotItem {
  /** Why it takes long, what goes away with it, and what to do. */
  readonly sentences: readonly string[];
}

export interface HotspotsOfTarget {
  readonly target: string;
  readonly recording: string;
  readonly verdict: Verdict;
  readonly groups: readonly HotspotGroup[];
}

export interface HotspotGroup {
  /** `note`: its label is a sentence, such as why there is nothing to group by. */
  readonly kind: 'file' | 'functions' | 'package' | 'test' | 'process' | 'route' | 'loading' | 'leftOut' | 'note';
  /** The worst of its rows, such as `1.84 s`; `''` where it has none. */
  readonly figure: string;
  /** Name of a file or of what else the group is about; `''` where all functions are in one list. */
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** Address of the file; null where the group is no file. */
  readonly uri: string | null;
  readonly items: readonly HotspotItem[];
}

export interface HotspotItem {
  /** Number of the function; −1 for a module or a package, where there is nothing to zoom to. */
  readonly functionId: number;
  /** What the row begins with: `1.84 s`. */
  readonly figure: string;
  readonly label: string;
  /** What stands behind the label: `14 × · 3 stacks · catalogue.js:12`. */
  readonly description: string;
  /** All of it in lines, with the place in the first one and the figures in the second. */
  readonly tooltip: string;
  readonly class: DurationClass;
  readonly tone: Tone;
  readonly worstUs: Microseconds;
  readonly location: Location | null;
}

/** Numbers in the list of long operations, not of operations in the report. */
export interface OperationsParams {
  readonly from: number;
  readonly count: number;
}

/** A row about something that is no function: an operation, a route, an event loop; or a sentence. */
export interface DetailRow extends Pick<
  HotspotItem,
  'figure' | 'label' | 'description' | 'tooltip' | 'class' | 'tone'
> {
  /** `thread`: one of the loops of a program that has several. */
  readonly kind: 'operation' | 'route' | 'function' | 'loop' | 'thread' | 'fact' | 'more' | 'note';
  /** Number of the operation in the report, which the page can show alone; null where the row has none. */
  readonly operation: number | null;
  /** The function to whose line the row leads; −1 where there is none. */
  readonly functionId: number;
  /** What a click opens; null where that is nothing. */
  readonly opens: 'operation' | 'line' | null;
  readonly below: readonly DetailRow[];
  /** Long operations that stand below the row, and are asked for when it is opened. */
  readonly later?: OperationsParams;
}
