import type { Figures, FirstTime } from './figures.ts';
import type { Microseconds } from './units.ts';

/** A stretch of the run, in µs since its first sample; where processes have clocks of their own, since that of each. */
export interface TimeRange {
  readonly from: Microseconds;
  readonly until: Microseconds;
}

/** The part of a recording that is looked at. */
export interface RunPart {
  /** Number of the only thread; null for all. */
  readonly lane: number | null;
  /** Null for all of the time. */
  readonly range: TimeRange | null;
}

/** Asks for the turns over time: in this many columns of equal length, of one thread or of all that somebody waits for. */
export interface TimelineQuery {
  readonly columns: number;
  readonly lane: number | null;
}

/** The turns over time. The lists have a value for each column. */
export interface Timeline {
  readonly durationUs: Microseconds;
  readonly lane: number | null;
  /** All threads that were recorded; those whose event loop somebody waits for come first. */
  readonly lanes: readonly TimeLane[];
  /** False where each process is shown from its own start, because their clocks are not the same. */
  readonly isOneClock: boolean;
  /** True where turns were not measured, and come from samples. */
  readonly estimated: boolean;
  /** Held time in µs of the longest turn that reaches into the column; 0 where there is none of 1 ms and more. */
  readonly longest: readonly number[];
  /** Number of that turn as an operation; −1 where it is not over the threshold. */
  readonly operations: readonly number[];
  /** Share of the time in garbage collections, 0 to 1, in the thread that collected most. */
  readonly collecting: readonly number[];
  /** How long something that arrived in the column had to wait at most for the end of the turn, in µs. */
  readonly delays: readonly number[];
  /** Over all of the run; null where nothing measured it. */
  readonly delay: { readonly p50: Microseconds; readonly p99: Microseconds } | null;
}

export interface TimeLane {
  /** Number of the thread. */
  readonly number: number;
  /** `process 7`, `worker 3 of process 7`. */
  readonly name: string;
}

export const operationOrders = ['duration', 'time', 'test', 'route'] as const;
/** How long operations are listed. `test` and `route` make groups, the one with the longest operation first. */
export type OperationOrder = (typeof operationOrders)[number];

export interface OperationsQuery {
  readonly by: OperationOrder;
  /** Goes so many operations on from the one that is asked for, or back. */
  readonly step: number;
}

/** Some of the long operations: those around the one that is looked at. */
export interface OperationList {
  readonly rows: readonly OperationRow[];
  /** Place of the first of these rows in the whole list, from 0 on. */
  readonly first: number;
  /** Number of operations in the whole list. */
  readonly total: number;
  /** Why there are no groups, or what they are; null where there is nothing to say. */
  readonly note: string | null;
}

export interface OperationRow {
  /** Number of the operation in the report. */
  readonly number: number;
  readonly heldUs: Microseconds;
  readonly estimated: boolean;
  /** When it began, on the clock of `TimeRange`. */
  readonly startUs: Microseconds;
  /** When it ended, on the same clock. */
  readonly endUs: Microseconds;
  /** Who held the loop. */
  readonly holder: string;
  /** Its test, routes and thread, where they are known. */
  readonly where: string;
  /** The test or the routes that it is listed under; `''` in lists without groups. */
  readonly group: string;
}

/** What is known of the operation that is looked at. */
export interface PickedOperation extends OperationRow {
  /** Path and line of who held the loop; `''` where no function did. */
  readonly place: string;
  /** Figures of the function that held the loop, over all operations; null where none did. */
  readonly culprit: { readonly figures: Figures; readonly firstTime: FirstTime | null } | null;
  readonly wallUs: Microseconds;
  /** Parts of the wall time: with a processor, ready without one, and waiting for something else; null where unknown. */
  readonly runUs: Microseconds | null;
  readonly waitUs: Microseconds | null;
  readonly sleptUs: Microseconds | null;
  /** The call that its thread waited in; null where that is unknown. */
  readonly waitedIn: string | null;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  /** Requests that waited behind it, by route, those with the longest wait first; null where requests are not known. */
  readonly waiting: readonly WaitingRoute[] | null;
}

export interface WaitingRoute {
  /** `GET /users/:id`. */
  readonly route: string;
  readonly requests: number;
  /** Longest wait behind this operation. It is an estimate: when a request arrived is not measured. */
  readonly longestUs: Microseconds;
}
