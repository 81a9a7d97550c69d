/** Requests to the HTTP servers of one isolate that were answered. Times in µs on the clock of the samples. */
export interface RequestLog {
  /** By number: one that somebody made up may be any. */
  readonly routes: ReadonlyMap<number, Route>;
  /** By start. */
  readonly requests: readonly LoggedRequest[];
}

export interface Route {
  readonly method: string;
  /** A pattern: `/users/:id`, or with `*` for what was cut out of a path. */
  readonly path: string;
  /** The framework's own pattern, or the paths of the requests. */
  readonly by: 'pattern' | 'path';
}

export interface LoggedRequest {
  /** Number of one of `routes`; −1 where there were too many. */
  readonly route: number;
  /** When its connection had its answer before; −1 for its first request. */
  readonly since: number;
  /** When Node read it, which is after whatever held the loop when it came. */
  readonly start: number;
  /** When its answer was handed to the system. */
  readonly end: number;
}
