import type { Weights } from '../../engine/read/samples/weights.ts';

/** All weights, asked for one by one. */
export function weightList(weights: Weights): readonly number[] {
  return Array.from({ length: weights.length }, (_, sample) => weights.at(sample));
}
