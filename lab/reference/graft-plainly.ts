import type { PlainFunction } from './plain-function.ts';
import type { PlainSample } from './plain-samples.ts';

type Stack = readonly PlainFunction[];

export interface PlainGrafts {
  readonly samples: readonly PlainSample[];
  readonly truncated: number;
  readonly grafted: number;
  readonly unplaced: number;
}

/** "Truncated stacks": a stack that V8 cut gets the outer frames that the samples around it have. */
export function graftPlainly(samples: readonly PlainSample[]): PlainGrafts {
  const entries = entriesOf(samples);
  const called = callersOf(samples);
  const isLone = samples.map(({ stack: [only, ...others] }) => {
    return only !== undefined && others.length === 0 && !entries.has(only);
  });
  const isWhole = samples.map(({ meta, stack }, at) => {
    return meta === null && isLone[at] === false && !isTruncated(stack, entries);
  });
  const stacks = samples.map(({ stack }) => stack);
  const unplaced = new Set<number>();
  let grafted = 0;
  for (const [index, { meta, stack }] of samples.entries()) {
    if (meta !== null || isWhole[index] === true) continue;
    const before = stacks[neighbour(samples, index, -1, isWhole) ?? -1];
    const after = stacks[neighbour(samples, index, 1, isWhole) ?? -1];
    const placed = isLone[index] === true ? loneIn(stack, called, before, after) : graftedOn(stack, before, after);
    if (placed !== null) {
      stacks[index] = placed;
      isWhole[index] = true;
      grafted++;
    } else if (isLone[index] === false) unplaced.add(index);
  }
  return {
    samples: samples.map((sample, index) => ({
      ...sample,
      stack: stacks[index] ?? [],
      unplaced: unplaced.has(index),
    })),
    truncated: grafted + unplaced.size,
    grafted,
    unplaced: unplaced.size,
  };
}

/** By function that another one called: the outermost functions of the stacks in which it is called. */
function callersOf(samples: readonly PlainSample[]): ReadonlyMap<PlainFunction, ReadonlySet<PlainFunction>> {
  const called = new Map<PlainFunction, Set<PlainFunction>>();
  for (const { stack } of samples) {
    const [outermost, ...inner] = stack;
    if (outermost !== undefined)
      for (const fn of inner) called.set(fn, (called.get(fn) ?? new Set<PlainFunction>()).add(outermost));
  }
  return called;
}

/** What both neighbours share was there in between; V8 lost it, where the function is called under its outermost one. */
function loneIn(
  stack: Stack,
  called: ReadonlyMap<PlainFunction, ReadonlySet<PlainFunction>>,
  before: Stack = [],
  after: Stack = [],
): Stack | null {
  const shared = commonPrefix(before, after);
  const [only] = stack;
  const [outermost] = shared;
  if (only === undefined || outermost === undefined) return null;
  // Few frames may be of two calls, and a callback between them. Eight in a row are not coincidence.
  if (shared.length < 8 && called.get(only)?.has(outermost) !== true) return null;
  return shared.at(-1) === only ? shared : [...shared, only];
}

/** Functions that are outermost in a sample of 2 to 99 frames. */
function entriesOf(samples: readonly PlainSample[]): ReadonlySet<PlainFunction> {
  const short = samples.filter(({ meta, stack }) => meta === null && stack.length >= 2 && stack.length < 100);
  return new Set(short.flatMap(({ stack }) => stack[0] ?? []));
}

function isTruncated(stack: Stack, entries: ReadonlySet<PlainFunction>): boolean {
  const [outermost] = stack;
  return outermost !== undefined && stack.length >= 100 && !entries.has(outermost);
}

/** The nearest sample that is whole or already grafted, not beyond an `(idle)` one. */
function neighbour(
  samples: readonly PlainSample[],
  from: number,
  step: 1 | -1,
  isWhole: readonly boolean[],
): number | undefined {
  for (let index = from + step; samples[index] !== undefined; index += step) {
    if (samples[index]?.meta === '(idle)') return undefined;
    if (isWhole[index] === true) return index;
  }
  return undefined;
}

/** A truncated stack with its outer frames in front; null where nothing is known. */
function graftedOn(cut: Stack, before: Stack = [], after: Stack = []): Stack | null {
  const outer = outerFramesOf(cut, before, after);
  return outer === null ? null : [...outer, ...cut];
}

function outerFramesOf(cut: Stack, before: Stack, after: Stack): Stack | null {
  const inBefore = longestOverlap(cut, before);
  const inAfter = longestOverlap(cut, after);
  if (inBefore.length >= 8) return before.slice(0, inBefore.at);
  if (inAfter.length >= 8) return after.slice(0, inAfter.at);
  if (inBefore.length >= 1 && inBefore.length >= inAfter.length) return before.slice(0, inBefore.at);
  if (inAfter.length >= 1) return after.slice(0, inAfter.at);
  const shared = commonPrefix(before, after);
  return shared.length === 0 ? null : shared;
}

/** The longest run of the neighbour's frames that equals the cut stack's outermost ones; of equals the outermost. */
function longestOverlap(cut: Stack, whole: Stack): { readonly at: number; readonly length: number } {
  let best = { at: 0, length: 0 };
  for (let at = 0; at < whole.length; at++) {
    let length = 0;
    while (at + length < whole.length && length < cut.length && whole[at + length] === cut[length]) length++;
    if (length > best.length) best = { at, length };
  }
  return best;
}

/** By functions. */
function commonPrefix(a: Stack, b: Stack): Stack {
  const end = a.findIndex((fn, depth) => fn !== b[depth]);
  return end === -1 ? a : a.slice(0, end);
}

/** Rule 6: the stacks of one operation's samples. */
export function bridged(samples: readonly PlainSample[]): readonly (readonly PlainFunction[])[] {
  const stacks = samples.map(({ stack }) => stack);
  let interrupted: readonly PlainFunction[] = [];
  for (const [index, { meta, stack }] of samples.entries()) {
    if (meta === '(garbage collector)') stacks[index] = interrupted;
    else interrupted = stack;
  }
  const isGap = samples.map(
    ({ meta }, index) =>
      meta === '(program)' || meta === '(root)' || (meta === '(garbage collector)' && stacks[index]?.length === 0),
  );
  let index = 0;
  while (index < samples.length) {
    const begin = index;
    while (isGap[index] === true) index++;
    const between = commonPrefix(stacks[begin - 1] ?? [], stacks[index] ?? []);
    for (let inside = begin; inside < index; inside++) stacks[inside] = between;
    index++;
  }
  return stacks;
}
