import type { NumberList } from '../../basics/number-list.ts';
import type { PairTable } from '../../basics/pair-table.ts';
import type { BuiltFunctions } from './log-functions.ts';
import type { LogScript } from './log-scripts.ts';

/** What a V8 log holds, before its lines are known. Source: V8's `log.cc` and `tickprocessor.mjs`. */
export interface V8Log {
  /** `13.6.233.17-node.53`; null where the log does not say. */
  readonly version: string | null;
  readonly functions: BuiltFunctions;
  /** By number. */
  readonly scripts: readonly LogScript[];
  /** A frame at an offset of its script, by number of the place: kind (`frameKind`) and offset, −1 where it is not known. */
  readonly places: PairTable;
  readonly nodes: LogNodes;
  readonly ticks: Ticks;
  readonly compiled: readonly LoggedCode[];
  readonly deopts: readonly LoggedDeopt[];
  readonly markers: readonly ClockMarker[];
  readonly problems: LogProblems;
}

/** One entry per node, parents before their children; the first three are the meta nodes. */
export interface LogNodes {
  /** −1 where there is none above. */
  readonly parent: Int32Array;
  readonly place: Int32Array;
  /** Memory that the log needs no more. */
  readonly spare: ArrayBufferLike;
}

/** The first functions, places and nodes of every log. */
export const logMeta = { program: 0, idle: 1, gc: 2 } as const;
export const metaNames = ['(program)', '(idle)', '(garbage collector)'] as const;

/** One entry per tick. */
export interface Ticks {
  /** In µs since the log began. */
  readonly times: NumberList;
  readonly nodes: NumberList;
  readonly states: NumberList;
}

/** Code that a compiler made beyond bytecode; `kind` as `frameKind`, `time` in µs since the log began. */
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
  /** `<url:line:column>` and those that it is inlined at, escaped. */
  readonly text: string;
}

/** A script that the preload compiled to say who it is, and when. Source: `clockMarker` of protocol/recording.ts. */
export interface ClockMarker {
  readonly pid: number;
  readonly threadId: number;
  /** By `process.hrtime`, right before; in µs. */
  readonly clock: number;
  /** When V8 logged it, in µs since the log began. */
  readonly time: number;
}

export interface LogProblems {
  /** Records that cannot be read, by what they begin with. */
  readonly unreadable: ReadonlyMap<string, number>;
  /** Records of a kind that nobody knows. */
  readonly unknown: ReadonlyMap<string, number>;
  /** Logs of other isolates that begin within this one. */
  readonly restarts: number;
  /** Ticks whose time is before the tick before: taken as that one's. */
  readonly backwards: number;
}

export type DecodedLog =
  | { readonly type: 'log'; readonly log: V8Log }
  | { readonly type: 'damaged'; readonly damage: 'empty' | 'notLog' | 'noTicks' };
