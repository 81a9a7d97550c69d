import type { PlainSample } from './plain-samples.ts';
import type { CutTurn, PlainPiece } from './plain-turns.ts';

/**
 * Samples as long as they count over the whole recording: what counts of their stretches, and by the clock what lies
 * between turns. What counts of a piece of a turn without a sample goes to the sample before it. A turn may go on after
 * the end of the profile; without a sample, it has to begin before that.
 */
export function withWeights(samples: readonly PlainSample[], turns: readonly CutTurn[]): readonly PlainSample[] {
  const weights = samples.map(({ time, weight }) => weight - timeInTurns(time, time + weight, turns));
  const add = (index: number, us: number): void => {
    const before = weights[index];
    if (before !== undefined) weights[index] = before + us;
  };
  const last = samples.at(-1);
  const end = last === undefined ? -Infinity : last.time + last.weight;
  const told = turns.filter(({ turn, pieces }) => turn.start < end || pieces.some((piece) => piece.samples.length > 0));
  for (const piece of told.flatMap(({ pieces }) => pieces)) {
    for (const { index, weight } of piece.samples) add(index, weight);
    if (piece.samples.length === 0) add(lastBefore(samples, piece), piece.held);
  }
  return samples.map((sample, index) => ({ ...sample, weight: weights[index] ?? sample.weight }));
}

/** By the clock, in µs. */
function timeInTurns(from: number, to: number, turns: readonly CutTurn[]): number {
  return turns.reduce(
    (sum, { turn: { start, end } }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)),
    0,
  );
}

function lastBefore(samples: readonly PlainSample[], { start }: PlainPiece): number {
  return samples.findLastIndex(({ time }) => time < start);
}
