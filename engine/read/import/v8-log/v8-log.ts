import type { NumberList } from '../../../basics/number-list.ts';
import type { BuiltFunctions } from './log-functions.ts';
import type { LogScript } from './log-scripts.ts';
import { PairTable } from '../../../basics/pair-table.ts';

/** What a V8 log has, before its lines are known. Source: V8's `log.cc` and `tickprocessor.mjs`. */
export interface V8Log {
  /** Version of V8, such as `13.6.233.17-node.53`; null where the log does not say. */
  readonly version: string | null;
  readonly functions: BuiltFunctions;
  readonly scripts: readonly LogScript[];
  /** By number of the place: kind (`frameKind`) and offset in the script; −1 where unknown. */
  readonly places: PairTable;
  /** One entry each, parents before their children. The first three are the meta nodes. `spare` is free memory. */
  readonly nodes: { readonly parent: Int32Array; readonly place: Int32Array; readonly spare: ArrayBufferLike };
  readonly ticks: Ticks;
  readonly compiled: readonly LoggedCode[];
  readonly deopts: readonly LoggedDeopt[];
  readonly markers: readonly ClockMarker[];
  readonly problems: {
    /** Number of records that cannot be read, by their beginning; `unknown` are those of other kinds. */
    readonly unreadable: ReadonlyMap<string, number>;
    readonly unknown: ReadonlyMap<string, number>;
    /** Number of logs of other isolates that begin within this one. */
    readonly restarts: number;
    /** Number of ticks whose time is before that of the tick before. They take that time. */
    readonly backwards: number;
  };
}

/** Numbers of the first functions, places and nodes of every log. */
export const logMeta = { program: 0, idle: 1, gc: 2 } as const;
export const metaNames = ['(program)', '(idle)', '(garbage collector)'] as const;

export interface Ticks {
  /** Times in µs since the log began. */
  readonly times: NumberList;
  readonly nodes: NumberList;
  readonly states: NumberList;
}

/** Code that a compiler made beyond bytecode. `kind` is as in `frameKind`, `time` in µs since the log began. */
export interface LoggedCode {
  readonly kind: number;
  readonly time: number;
  readonly forOneClosure: boolean;
}

export interface LoggedDeopt {
  readonly kind: number;
  readonly time: number;
  readonly deopt: string;
  readonly reason: string;
  /** Its place `<url:line:column>`, and those at which it is inlined, escaped. */
  readonly text: string;
}

/**
 * A script that the preload compiled to log its isolate and the time. Source: `clockMarker` of protocol/recording.ts.
 */
export interface ClockMarker {
  readonly pid: number;
  readonly threadId: number;
  /** Time by `process.hrtime` right before it was compiled, in µs. */
  readonly clock: number;
  /** Time at which V8 logged it, in µs since the log began. */
  readonly time: number;
}

export type DecodedLog =
  | { readonly type: 'log'; readonly log: V8Log }
  | { readonly type: 'damaged'; readonly damage: 'empty' | 'notLog' | 'noTicks' };

/** Packs the function that ran, and how it ran. `tier` is an index into `tiers`. */
export function frameKind(fn: number, tier: number, isInlined: boolean, isOsr: boolean): number {
  return fn * 32 + tier + (isInlined ? 8 : 0) + (isOsr ? 16 : 0);
}

export function functionOf(kind: number): number {
  return kind >> 5;
}

export function tierOf(kind: number): number {
  return kind & 7;
}

export function isInlined(kind: number): boolean {
  return (kind & 8) !== 0;
}

export function isOsr(kind: number): boolean {
  return (kind & 16) !== 0;
}

/** Numbers *places*, which are frames at an offset of their script, and lists of places. */
export class PlaceTable {
  /** Kind (`frameKind`) and offset of each place; the offset is −1 where it is not known. */
  readonly places = new PairTable(1024);
  /** The outermost place of each list, and the list of those inside it; −1 for none. */
  readonly lists = new PairTable(1024);
}
