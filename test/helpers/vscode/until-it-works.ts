/**
 * Does something until it has worked. A workbench that moves its focus or draws anew loses a key or a click, so it is done
 * once more, with more patience each time: `limit` is in ms, `step` at first, two minutes in all by default. Throws
 * `otherwise`.
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
