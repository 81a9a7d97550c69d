/**
 * Repeats a step of a test until it succeeds: while VS Code redraws or moves the focus it loses keys and clicks. `limit` is
 * the time for one attempt in ms; it grows by `step`, to two minutes in all by default. Throws `otherwise` at the end.
 */
export async function untilItWorks(
  doIt: (limit: number) => Promise<unknown>,
  otherwise: string,
  step = 1_000,
): Promise<void> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const works = await doIt(attempt * step).then(
      () => true,
      () => false,
    );
    if (works) return;
  }
  throw new Error(otherwise);
}

const MOST_ATTEMPTS = 15;
