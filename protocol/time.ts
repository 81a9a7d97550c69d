import type { Figures, FirstTime } from './figures.ts';
import type { Microseconds } from './units.ts';

/** A period of the run, in µs since its first sample, or the process's own where clocks differ. */
export interface TimeRange {
  readonly from: Microseconds;
  readonly until: Microseconds;
}

/** The selected part of a recording. */
export interface RunPart {
  /** Number of the only thread; null for all. */
  readonly lane: number | null;
  /** Null for all of the time. */
  readonly range: TimeRange | null;
}

/** Asks for the turns over time in this many equal columns, of one thread or of all. */
export interface TimelineQuery {
  readonly columns: number;
  readonly lane: number | null;
}

/** The lists have a value for each column. */
export interface Timeline {
  readonly durationUs: Microseconds;
  readonly lane: number | null;
  /** All recorded threads, main loops first. */
  readonly lanes: readonly TimeLane[];
  /** False where clocks differ, and each process begins at its own start. */
  readonly isOneClock: boolean;
  /** True where turns come from samples. */
  readonly estimated: boolean;
  /** Held time in µs of the longest turn in the column; 0 where none has 1 ms. */
  readonly longest: readonly number[];
  /** Number of that turn as an operation; −1 below the threshold. */
  readonly operations: readonly number[];
  /** Share of the time in garbage collections, 0 to 1, in the thread that collected most. */
  readonly collecting: readonly number[];
  /** How long an event in the column waited at most for the end of the turn, in µs; without threads that nothing waits on. */
  readonly delays: readonly number[];
  /** Of the same threads over the whole run; null where it was not measured. */
  readonly delay: { readonly p50: Microseconds; readonly p99: Microseconds } | null;
}

export interface TimeLane {
  readonly number: number;
  /** `process 7`, `worker 3 of process 7`. */
  readonly name: string;
}

export const operationOrders = ['duration', 'time', 'test', 'route'] as const;
/** Order of long operations. `test` and `route` make groups, the one with the longest operation first. */
export type OperationOrder = (typeof operationOrders)[number];

export interface OperationsQuery {
  readonly by: OperationOrder;
  /** Steps from the chosen operation, forward or back. */
  readonly step: number;
}

/** The long operations around the chosen one. */
export interface OperationList {
  readonly rows: readonly OperationRow[];
  /** Index of the first of these rows in the whole list. */
  readonly first: number;
  readonly total: number;
  /** Why there are no groups, or what they are; null for neither. */
  readonly note: string | null;
}

export interface OperationRow {
  /** Number of the operation in the report. */
  readonly number: number;
  readonly heldUs: Microseconds;
  readonly estimated: boolean;
  /** Begin, on the clock of `TimeRange`. */
  readonly startUs: Microseconds;
  /** End, on the same clock. */
  readonly endUs: Microseconds;
  readonly holder: string;
  /** Its test, routes and thread, if known. */
  readonly where: string;
  /** The test or routes of its group; `''` without groups. */
  readonly group: string;
}

/** Details of the chosen operation. */
export interface PickedOperation extends OperationRow {
  /** Path and line of the holder; `''` where it is not a function. */
  readonly place: string;
  /** Figures of the holder over all operations; null where it is not a function. */
  readonly culprit: { readonly figures: Figures; readonly firstTime: FirstTime | null } | null;
  readonly wallUs: Microseconds;
  /** Parts of the wall time: running, waiting for a CPU, asleep; null where unknown. */
  readonly runUs: Microseconds | null;
  readonly waitUs: Microseconds | null;
  readonly sleptUs: Microseconds | null;
  /** The call that its thread waited in; null where unknown. */
  readonly waitedIn: string | null;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  /** Requests that waited behind it, by route, longest wait first; null where requests are unknown. */
  readonly waiting: readonly WaitingRoute[] | null;
}

export interface WaitingRoute {
  /** `GET /users/:id`. */
  readonly route: string;
  readonly requests: number;
  /** Longest wait behind this operation, an estimate: arrivals are not measured. */
  readonly longestUs: Microseconds;
}
