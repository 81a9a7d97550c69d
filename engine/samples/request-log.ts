/** The requests to the HTTP servers of one isolate that were answered. Times in µs on the clock of the samples. */
export interface RequestLog {
  /** Routes by number, which may be any where somebody made the file up. */
  readonly routes: ReadonlyMap<number, Route>;
  /** Requests by start. */
  readonly requests: readonly LoggedRequest[];
}

export interface Route {
  readonly method: string;
  /** A pattern: `/users/:id`, or with `*` for what was cut out of a path. */
  readonly path: string;
  /** Where `path` comes from: the framework's own pattern, or the paths of the requests. */
  readonly by: 'pattern' | 'path';
}

export interface LoggedRequest {
  /** Number of one of `routes`; −1 where there were too many routes. */
  readonly route: number;
  /** When its connection had its last answer; −1 for its first request. */
  readonly since: number;
  /** When Node read the request, which is after whatever held the loop when it came. */
  readonly start: number;
  /** When the answer was handed to the system. */
  readonly end: number;
}
