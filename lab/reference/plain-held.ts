/** What the recorder measured of one turn, in whole µs. */
export interface PlainTurn {
  readonly start: number;
  /** Without what the recorder itself took of it, and not after the start of the next one. */
  readonly end: number;
  readonly own: number;
  /** The thread had a processor; null: not known. */
  readonly run: number | null;
  /** By how much the clock that tells `run` moves at a time. */
  readonly step: number;
  /** Others had it; between 0 and what is left beside `run`. Null: not known. */
  readonly wait: number | null;
  /** Version of the recording. */
}

/** One of those that a turn is cut into, in order of time. By the clock, in µs. */
export interface PlainStretch {
  readonly start: number;
  readonly end: number;
  /** A frame on its stack waits for a disk, a pipe, another process. */
  readonly isWaiting: boolean;
}

export interface CountedStretch extends PlainStretch {
  /** What counts of it, in whole µs. */
  readonly weight: number;
  /** What of it the thread slept, in µs. */
  readonly asleep: number;
  readonly span: PlainSpan;
}

/** A turn, or what lies between two knots of it. In µs. */
export interface PlainSpan {
  readonly wall: number;
  readonly held: number;
}

export interface PlainHeld {
  /** In µs. */
  readonly held: number;
  /** In µs; 0 where the time that the thread ran was not recorded. */
  readonly slept: number;
  /** Their weights add up to `held`. */
  readonly stretches: readonly CountedStretch[];
}

/** As the samples tell it, where they differ from a clock with steps by no more than one. Linux's counts are exact. */
export function runOf({ run, step, wait }: PlainTurn, onTime: number): number | null {
  if (run === null || wait !== null) return run;
  if (onTime > run) return Math.min(onTime, run + step);
  return Math.max(onTime, run - step, 0);
}

/** "Held time" of docs/definition.md, of one turn. `onTime`: for how many µs of it samples came one interval apart. */
export function plainHeld(
  turn: PlainTurn,
  stretches: readonly PlainStretch[],
  onTime: number,
  { readings, intervalUs }: { readonly readings: readonly PlainReading[]; readonly intervalUs: number },
): PlainHeld {
  const held = heldOf(turn, onTime);
  const slept = turn.run === null ? 0 : Math.max(0, held - turn.run);
  const share = slept / timeOf(stretches.filter(({ isWaiting }) => isWaiting));
  const spans = cutIntoSpans(turn, stretches, held, readings);
  const counted = rounded(spans.flatMap((span) => countedIn(span, share)));
  return {
    held,
    slept,
    stretches:
      turn.wait === null || turn.run === null || slept < 1000 ? counted : stopped(counted, turn.run, intervalUs),
  };
}

/** Nothing is sampled while the process is stopped. Otherwise the thread slept while samples came, in unknown ones. */
function stopped(stretches: readonly CountedStretch[], run: number, intervalUs: number): readonly CountedStretch[] {
  const awake = stretches.map(({ weight, asleep }) => Math.max(0, weight - asleep));
  const most = Math.max(levelOf(awake, run), intervalUs);
  const stops = stretches.map(({ isWaiting, weight }) =>
    isWaiting || weight <= 2.5 * intervalUs ? 0 : Math.max(0, weight - most),
  );
  if (sum(stops) < 0.9 * (sum(awake) - run)) return stretches;
  return stretches.map((stretch, at) => (stretch.isWaiting ? stretch : { ...stretch, asleep: stops[at] ?? 0 }));
}

/** In µs. */
function heldOf({ start, end, run, wait }: PlainTurn, onTime: number): number {
  const wall = end - start;
  if (wait !== null) return Math.max(0, wall - wait);
  if (run === null) return wall;
  // Nothing tells the wait: samples that came on time tell that the thread was there.
  return Math.min(wall, onTime > 1.3 * run ? Math.max(run, onTime) : run);
}

interface UncountedSpan extends PlainSpan {
  readonly stretches: readonly PlainStretch[];
}

function cutIntoSpans(
  { start, end, wait }: PlainTurn,
  stretches: readonly PlainStretch[],
  held: number,
  readings: readonly PlainReading[],
): readonly UncountedSpan[] {
  const waited = end - start - held;
  const whole: PlainKnot = { stretch: 0, waited: 0 };
  const begins = stretches.map((stretch) => stretch.start);
  const hasKnots = wait !== null && waited > 0;
  const knots = hasKnots ? plainKnots(readings, { start, end, wait: waited }, begins) : [whole];
  return knots.map((knot, at) => {
    const next = knots[at + 1] ?? { stretch: stretches.length, waited };
    const inside = stretches.slice(knot.stretch, next.stretch);
    const wall = timeOf(inside);
    return { wall, held: wall - (next.waited - knot.waited), stretches: inside };
  });
}

/** Its weight is not yet rounded. `share`: what of the time in waiting calls the turn slept. */
function countedIn({ stretches, wall, held }: UncountedSpan, share: number): readonly CountedStretch[] {
  const span = { wall, held };
  const waiting = timeOf(stretches.filter(({ isWaiting }) => isWaiting));
  const asleep = stretches.map((stretch) =>
    stretch.isWaiting && waiting > 0 ? timeOf([stretch]) * Math.min(share, 1, held / waiting) : 0,
  );
  const rests = stretches.map((stretch, at) => timeOf([stretch]) - (asleep[at] ?? 0));
  const level = levelOf(rests, held - sum(asleep));
  return stretches.map((stretch, at) => {
    const slept = asleep[at] ?? 0;
    return { ...stretch, span, asleep: slept, weight: slept + Math.min(rests[at] ?? 0, level) };
  });
}

/** What rests are cut to so that they add up to `wanted`. */
function levelOf(rests: readonly number[], wanted: number): number {
  const ascending = rests.toSorted((a, b) => a - b);
  let left = wanted;
  for (const [index, rest] of ascending.entries()) {
    const among = ascending.length - index;
    if (left <= rest * among) return left / among;
    left -= rest;
  }
  return Infinity; // Nothing is to be cut.
}

/** The ends of stretches, counted from the start of the turn, are whole µs. */
function rounded(stretches: readonly CountedStretch[]): readonly CountedStretch[] {
  let now = 0;
  return stretches.map((stretch) => {
    const start = now;
    now += stretch.weight;
    return { ...stretch, weight: wholeMicroseconds(now) - wholeMicroseconds(start) };
  });
}

/** Half a µs is a whole one, though fractions are not exact. */
function wholeMicroseconds(us: number): number {
  return Math.round(us + 1e-6);
}

/** What a recording says of the wait, made possible. In µs. */
export function possibleWait(wait: number, wall: number, run: number | null): number {
  return Math.max(0, Math.min(wait, wall - (run ?? 0)));
}

/** By the clock, in µs. */
export function timeOf(stretches: readonly PlainStretch[]): number {
  return sum(stretches.map(({ start, end }) => end - start));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** What the thread of an isolate had waited for a processor, as read from outside. In µs. */
export interface PlainReading {
  /** Up to here for as long as the reading before says. */
  readonly before: number;
  readonly at: number;
  /** Since the thread began; Linux counts a wait when it is over. */
  readonly wait: number;
}

/** Where a span of a turn begins, and what the turn had waited by then. */
interface PlainKnot {
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
function plainKnots(
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

/** What the thread certainly waited between two moments. In µs. */
export function leastWait(readings: readonly PlainReading[], start: number, end: number): number {
  const wait = waitedAt(readings, end).least - waitedAt(readings, start).most;
  return Math.max(0, Math.min(wait, end - start));
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
