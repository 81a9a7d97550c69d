/**
 * Repeats a step of a test until it succeeds, and gives its result: while VS Code redraws or moves the focus it loses keys
 * and clicks. `limit` is the time for one attempt in ms; it grows by `step`, to two minutes in all by default. Throws
 * `otherwise` at the end.
 */
export async function untilItWorks<Result>(
  doIt: (limit: number) => Promise<Result>,
  otherwise: string,
  step = 1_000,
): Promise<Result> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    try {
      return await doIt(attempt * step);
    } catch {
      // The next attempt has more time.
    }
  }
  throw new Error(otherwise);
}

const MOST_ATTEMPTS = 15;
