/** What the recorder measured of one turn, in whole µs. */
export interface PlainTurn {
  readonly start: number;
  /** Without what the recorder itself took of it, and not after the start of the next one. */
  readonly end: number;
  readonly own: number;
  /** The thread had a processor; null: not known. */
  readonly run: number | null;
  /** Others had it; between 0 and what is left beside `run`. Null: not known. */
  readonly wait: number | null;
  /** Of the recording. */
  readonly version: number;
}

/** One of those that a turn is cut into, in order of time. */
export interface PlainStretch {
  /** By the clock, in µs. */
  readonly us: number;
  /** A frame on its stack waits for a disk, a pipe, another process. */
  readonly isWaiting: boolean;
}

export interface PlainHeld {
  /** In µs. */
  readonly held: number;
  /** In µs; 0 where it is not known how long the thread ran. */
  readonly slept: number;
  /** What counts of each stretch, in whole µs. Their sum is `held`. */
  readonly weights: readonly number[];
}

/** "Held time" of figures.md, of one turn. `onTime`: for how many µs of it samples came one interval apart. */
export function plainHeld(turn: PlainTurn, stretches: readonly PlainStretch[], onTime: number): PlainHeld {
  const held = heldOf(turn, onTime);
  const slept = turn.run === null ? 0 : Math.max(0, held - turn.run);
  return { held, slept, weights: weightsOf(stretches, held, slept) };
}

/** In whole µs. Fractions are counted exactly, so that a half is a half. */
function weightsOf(stretches: readonly PlainStretch[], held: number, slept: number): readonly number[] {
  // In parts of a µs, of which there are as many as µs in waiting calls.
  const parts = Math.max(1, sum(stretches.map(({ us, isWaiting }) => (isWaiting ? us : 0))));
  const perUs = BigInt(parts);
  const asleep = stretches.map(({ us, isWaiting }) => (isWaiting ? BigInt(us) * BigInt(Math.min(parts, slept)) : 0n));
  const rests = stretches.map(({ us }, at) => BigInt(us) * perUs - (asleep[at] ?? 0n));
  const { total, among } = levelOf(rests, BigInt(held) * perUs - bigSum(asleep));
  let now = 0n;
  let end = 0;
  return rests.map((rest, at) => {
    const start = end;
    now += (asleep[at] ?? 0n) * among + least(rest * among, total);
    end = rounded(now, perUs * among);
    return end - start;
  });
}

/** In µs. */
function heldOf({ start, end, run, wait, version }: PlainTurn, onTime: number): number {
  const wall = end - start;
  if (wait !== null) return Math.max(0, wall - wait);
  if (version === 1 || run === null) return wall;
  // Nothing tells the wait: samples that came on time tell that the thread was there.
  return Math.min(wall, onTime > 1.3 * run ? Math.max(run, onTime) : run);
}

/** The level that rests are cut to so that they add up to `wanted`: `total` is it times `among`. */
function levelOf(rests: readonly bigint[], wanted: bigint): { readonly total: bigint; readonly among: bigint } {
  const ascending = rests.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  let total = wanted;
  for (const [index, rest] of ascending.entries()) {
    const among = BigInt(ascending.length - index);
    if (total <= rest * among) return { total, among };
    total -= rest;
  }
  // Only where nothing is to be cut.
  return { total: ascending.at(-1) ?? 0n, among: 1n };
}

function rounded(count: bigint, parts: bigint): number {
  return Number((2n * count + parts) / (2n * parts));
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function bigSum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

/** What a recording says of the wait, made possible. In µs. */
export function possibleWait(wait: number, wall: number, run: number | null): number {
  return Math.max(0, Math.min(wait, wall - (run ?? 0)));
}

/** The thread had less than 70 % of a processor, in calls that wait or not: others had it, or no sample tells why. */
export function lacksTime(turn: PlainTurn, stretches: readonly PlainStretch[]): boolean {
  const { start, end, run, wait } = turn;
  const waiting = sum(stretches.map(({ us, isWaiting }) => (isWaiting ? us : 0)));
  return wait === null && run !== null && run + waiting < 0.7 * (end - start);
}

/** Whoever it waited for may have waited, too. `others` are all turns that were measured on the machine. */
export function sleptWhileBusy(
  { start, end, wait: itsWait }: PlainTurn,
  { held, slept }: Pick<PlainHeld, 'held' | 'slept'>,
  others: readonly PlainTurn[],
): boolean {
  const around = others.filter((other) => other.end > start - second && other.start < end + second);
  const waited = sum(around.map(({ wait }) => wait ?? 0));
  const isBusy = waited * 10 > sum(around.map((other) => other.end - other.start));
  return itsWait !== null && slept > 3000 && slept * 10 > held * 3 && isBusy;
}

/** In µs. */
const second = 1_000_000;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
