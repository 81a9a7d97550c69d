import { type DurationClass, durationClassOf } from '../../protocol/duration-class.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { firstDifference } from '../functions/first-difference.ts';
import type { Operation } from '../operations/operation.ts';
import { isCold, isEstimated } from './confidence.ts';
import type { PresenceFigures } from './function-figures.ts';
import type { OperationTree } from './operation-tree.ts';
import type { PreparedStream } from './prepared-stream.ts';

/** Adds up, over operations, how long each function, with all it calls, held the loop in one go. */
export interface PresenceTally {
  readonly add: (operation: Operation, tree: OperationTree, prepared: PreparedStream) => void;
  readonly figuresOf: (functionId: number) => PresenceFigures;
}

export function createPresenceTally(functionCount: number, threshold: Microseconds): PresenceTally {
  const found = new Map<number, GrowingFigures>();
  const measure = createMeter(functionCount);
  return {
    add: (operation, tree, prepared) => {
      const { present, weight, samples, longest } = measure(tree, prepared);
      const long = new Map<number, number[]>();
      for (const fn of present) {
        const figures = found.get(fn) ?? new GrowingFigures();
        found.set(fn, figures);
        const evidence = {
          weight: microseconds(weight[fn] ?? 0),
          samples: samples[fn] ?? 0,
          longest: longest[fn] ?? 0,
        };
        const presence = {
          ...evidence,
          isCold: isCold(operation, prepared.firstSeen[fn] ?? -1, evidence.weight),
          isEstimated: isEstimated(operation, evidence, prepared.stream.interval),
        };
        figures.count(presence, threshold);
        if (presence.weight > threshold) long.set(fn, []);
      }
      for (const node of tree.nodes) {
        if (prepared.facts.outermost[node] === 1) long.get(prepared.stream.tree.functionId[node] ?? -1)?.push(node);
      }
      for (const [fn, nodes] of long) {
        for (const path of longPaths(nodes, tree, prepared.cutPathOf, threshold)) found.get(fn)?.paths.add(path);
      }
    },
    figuresOf: (functionId) => (found.get(functionId) ?? new GrowingFigures()).figures(),
  };
}

interface Presence {
  readonly weight: Microseconds;
  readonly samples: number;
  readonly isCold: boolean;
  readonly isEstimated: boolean;
}

/** Figures that still grow. */
class GrowingFigures {
  readonly paths = new Set<number>();
  #worst = microseconds(0);
  #worstWarm = microseconds(0);
  #worstSamples = 0;
  #estimated = false;
  #longCount = 0;
  readonly #byClass: Record<DurationClass, number> = { fast: 0, medium: 0, slow: 0, verySlow: 0, monster: 0 };

  count({ weight, samples, isCold: cold, isEstimated: estimated }: Presence, threshold: Microseconds): void {
    this.#byClass[durationClassOf(weight)]++;
    if (weight > threshold) this.#longCount++;
    if (!cold && weight > this.#worstWarm) this.#worstWarm = weight;
    if (weight <= this.#worst) return;
    this.#worst = weight;
    this.#worstSamples = samples;
    this.#estimated = estimated;
  }

  figures(): PresenceFigures {
    return {
      worst: this.#worst,
      worstWarm: this.#worstWarm,
      worstSamples: this.#worstSamples,
      estimated: this.#estimated,
      longCount: this.#longCount,
      distinctStacks: this.paths.size,
      byClass: this.#byClass,
    };
  }
}

/** Sums the outermost nodes of each function. Its arrays, by function id, hold sense for `present` alone. */
function createMeter(functionCount: number) {
  const weight = new Float64Array(functionCount);
  const samples = new Int32Array(functionCount);
  const longest = new Float64Array(functionCount);
  return (tree: OperationTree, { stream, facts }: PreparedStream) => {
    const present = new Set<number>();
    for (const node of tree.nodes) {
      if (facts.outermost[node] === 0) continue;
      const fn = stream.tree.functionId[node] ?? 0;
      const isKnown = present.has(fn);
      if (!isKnown) present.add(fn);
      weight[fn] = (isKnown ? (weight[fn] ?? 0) : 0) + (tree.total.weight[node] ?? 0);
      samples[fn] = (isKnown ? (samples[fn] ?? 0) : 0) + (tree.total.samples[node] ?? 0);
      longest[fn] = Math.max(isKnown ? (longest[fn] ?? 0) : 0, tree.total.longest[node] ?? 0);
    }
    return { present, weight, samples, longest };
  };
}

/** The cut paths to a function that are over the threshold in one operation; the heaviest one always. */
function longPaths(
  nodes: readonly number[],
  tree: OperationTree,
  cutPathOf: (node: number) => number,
  threshold: Microseconds,
): readonly number[] {
  const weights = new Map<number, { weight: number; first: number }>();
  for (const node of nodes) {
    const path = cutPathOf(node);
    const { weight, first } = weights.get(path) ?? { weight: 0, first: Infinity };
    const entry = {
      weight: weight + (tree.total.weight[node] ?? 0),
      first: Math.min(first, tree.firstSample[node] ?? 0),
    };
    weights.set(path, entry);
  }
  const byWeight = [...weights].toSorted(([, a], [, b]) => firstDifference(b.weight - a.weight, a.first - b.first));
  return byWeight.filter(([, { weight }], rank) => rank === 0 || weight > threshold).map(([path]) => path);
}
