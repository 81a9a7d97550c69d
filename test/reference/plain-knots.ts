/** What the thread of an isolate had waited for a processor, as read from outside. In µs. */
export interface PlainReading {
  /** Up to here for as long as the reading before says. */
  readonly before: number;
  readonly at: number;
  /** Since the thread began; Linux counts a wait when it is over. */
  readonly wait: number;
}

/** Where a span of a turn begins, and what the turn had waited by then. */
export interface PlainKnot {
  /** Position of the stretch that begins here. */
  readonly stretch: number;
  /** In µs. */
  readonly waited: number;
}

/** In µs: so exactly a knot is known. */
const tolerance = 1500;

/**
 * The knots of a turn that waited, its start first. `begins`: those of its stretches. All times in µs.
 * A knot that the turn's own wait, or the knot before it, makes impossible is none.
 */
export function plainKnots(
  readings: readonly PlainReading[],
  turn: { readonly start: number; readonly end: number; readonly wait: number },
  begins: readonly number[],
): readonly PlainKnot[] {
  const knots: PlainKnot[] = [{ stretch: 0, waited: 0 }];
  const base = waitBefore(readings, turn);
  let last = { at: turn.start, waited: 0 };
  for (const [stretch, at] of begins.entries()) {
    const { least, most } = waitedAt(readings, at);
    if (base === null || stretch === 0 || most - least > tolerance) continue;
    const waited = (least + most) / 2 - base;
    const from = Math.max(last.waited, turn.wait - (turn.end - at));
    const to = Math.min(last.waited + at - last.at, turn.wait);
    if (from > to || waited < from - tolerance || waited > to + tolerance) continue;
    last = { at, waited: Math.min(Math.max(waited, from), to) };
    knots.push({ stretch, waited: last.waited });
  }
  return knots;
}

/** What the thread had waited when the turn began; null where the readings do not tell. */
function waitBefore(
  readings: readonly PlainReading[],
  { start, end, wait }: { readonly start: number; readonly end: number; readonly wait: number },
): number | null {
  const [atStart, atEnd] = [waitedAt(readings, start), waitedAt(readings, end)];
  const least = Math.max(atStart.least, atEnd.least - wait);
  const most = Math.min(atStart.most, atEnd.most - wait);
  return most - least > 2 * tolerance || least - most > tolerance ? null : (least + most) / 2;
}

/** What the thread had waited at a moment at which it ran. In µs. */
function waitedAt(
  readings: readonly PlainReading[],
  moment: number,
): { readonly least: number; readonly most: number } {
  const after = readings.findIndex(({ at }) => at >= moment);
  const next = readings[after];
  const counted = (next === undefined ? readings.at(-1) : readings[after - 1])?.wait ?? 0;
  if (next === undefined) return { least: counted, most: Infinity };
  if (moment <= next.before) return { least: counted, most: counted };
  return { least: Math.max(counted, next.wait - (next.at - moment)), most: next.wait };
}

/** Those that do not go back. */
export function soundReadings(readings: readonly PlainReading[]): readonly PlainReading[] {
  const kept: PlainReading[] = [];
  for (const reading of readings) {
    const { at, wait } = kept.at(-1) ?? { at: -Infinity, wait: -Infinity };
    if (reading.at >= Math.max(reading.before, at) && reading.wait >= wait) kept.push(reading);
  }
  return kept;
}
