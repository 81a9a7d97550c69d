export interface Test {
  /** Titles of its suites and its own, outermost first: `cart > totals > "adds up"`. */
  readonly name: string;
  /** Absolute path of its file; `''` where it is not known. */
  readonly file: string;
}

/** Which test ran when in one isolate, as its runner said. */
export interface TestTimeline {
  /** Times at which a test began or ended, in µs on the clock of the samples, ascending. */
  readonly changes: Float64Array;
  /** For each change, the test that runs alone from there to the next one; null where none does, or several at once. */
  readonly running: readonly (Test | null)[];
  /** Files in which tests ran at the same time. */
  readonly untold: ReadonlySet<string>;
}
