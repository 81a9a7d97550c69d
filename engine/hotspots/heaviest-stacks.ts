import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { JudgedRun } from './judged-run.ts';
import { firstDifference } from '../basics/compare.ts';

/** One call path to a culprit, with the operations that took it. */
export interface HeavyStack {
  /** Functions from the outermost to the culprit itself, without leading runner, test and Node frames. */
  readonly functionIds: readonly number[];
  /** The largest own part by this path in one operation. */
  readonly worst: Microseconds;
  /** Number of operations with an own part by this path. */
  readonly longCount: number;
}

/** The `most` heaviest call paths to a culprit, by worst, then by count; empty for other functions. */
export function heaviestStacks(analysis: JudgedRun, functionId: number, most: number): readonly HeavyStack[] {
  const found = new Map<number, { worst: number; longCount: number }>();
  for (const part of analysis.ownParts) {
    if (part.functionId !== functionId) continue;
    for (const [path, weight] of weightsByPath(part.places)) {
      const { worst, longCount } = found.get(path) ?? { worst: 0, longCount: 0 };
      found.set(path, { worst: Math.max(worst, weight), longCount: longCount + 1 });
    }
  }
  return [...found]
    .toSorted(([, a], [, b]) => firstDifference(b.worst - a.worst, b.longCount - a.longCount))
    .slice(0, most)
    .map(([path, { worst, longCount }]) => ({
      functionIds: analysis.paths.functionsOf(path),
      worst: microseconds(worst),
      longCount,
    }));
}

function weightsByPath(places: JudgedRun['ownParts'][number]['places']): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const { path, weight } of places) weights.set(path, (weights.get(path) ?? 0) + weight);
  return weights;
}
