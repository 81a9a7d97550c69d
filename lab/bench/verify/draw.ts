import type { Run } from './read-runs.ts';

/** Numbers from 0 to below 1 that look random, the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  const state = { value: seed };
  return () => {
    state.value = (state.value + 0x6d2b79f5) % 2 ** 32;
    let mixed = Math.imul(state.value ^ (state.value >>> 15), 1 | state.value);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Pairs of runs, as a comparison in turn would have made them. */
export interface Drawn {
  readonly base: readonly Run[];
  readonly head: readonly Run[];
}

/** Draws so many neighbours in the order in which the runs were made. */
export function drawNeighbours(runs: readonly Run[], count: number, next: () => number): readonly Run[] {
  if (runs.length < count) throw new Error(`${count} recordings are needed, and there are ${runs.length}: --record N.`);
  const at = Math.floor(next() * (runs.length - count + 1));
  return runs.slice(at, at + count);
}

/**
 * Draws pairs of neighbours in the order in which the runs were made, in the order ABBA. Between two pairs a run may be
 * left out, so that there are more draws than runs. Fails where there are fewer runs than the pairs need.
 */
export function drawPairs(runs: readonly Run[], pairs: number, next: () => number): Drawn {
  const spare = runs.length - 2 * pairs;
  if (spare < 0) throw new Error(`${2 * pairs} recordings are needed, and there are ${runs.length}: --record N.`);
  const gaps: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) gaps.push(next() < 0.3 && sum(gaps) < spare ? 1 : 0);
  let at = Math.floor(next() * (spare - sum(gaps) + 1));
  const isTurned = next() < 0.5;
  const base: Run[] = [];
  const head: Run[] = [];
  for (const [pair, gap] of gaps.entries()) {
    const two = runs.slice(at, at + 2);
    const [one, other] = (pair % 2 === 0) === isTurned ? two.toReversed() : two;
    if (one !== undefined && other !== undefined) {
      base.push(one);
      head.push(other);
    }
    at += 2 + gap;
  }
  return { base, head };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
