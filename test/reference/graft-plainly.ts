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
  const isWhole = samples.map((sample) => sample.meta === null && !isTruncated(sample.stack, entries));
  const stacks = samples.map(({ stack }) => stack);
  const unplaced = new Set<number>();
  let truncated = 0;
  for (const [index, { meta, stack }] of samples.entries()) {
    if (meta !== null || !isTruncated(stack, entries)) continue;
    truncated++;
    const before = neighbour(samples, index, -1, isWhole);
    const after = neighbour(samples, index, 1, isWhole);
    const outer = outerFramesOf(stack, stacks[before ?? -1], stacks[after ?? -1]);
    if (outer === null) unplaced.add(index);
    else {
      stacks[index] = [...outer, ...stack];
      isWhole[index] = true;
    }
  }
  return {
    samples: samples.map((sample, index) => ({
      ...sample,
      stack: stacks[index] ?? [],
      unplaced: unplaced.has(index),
    })),
    truncated,
    grafted: truncated - unplaced.size,
    unplaced: unplaced.size,
  };
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

/** What comes in front; null where nothing is known. */
function outerFramesOf(cut: Stack, before: Stack = [], after: Stack = []): Stack | null {
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
export function commonPrefix(a: Stack, b: Stack): Stack {
  const end = a.findIndex((fn, depth) => fn !== b[depth]);
  return end === -1 ? a : a.slice(0, end);
}
