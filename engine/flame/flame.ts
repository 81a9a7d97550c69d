import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import type { Analysis } from '../analysis.ts';
import { FlameGraph } from './flame-graph.ts';

/**
 * The part of the flamegraph that can be seen. It is quick after the first question about an analysis. Never throws.
 */
export function flameOf(analysis: Analysis, query: FlameQuery): FlameAnswer {
  return graphOf(analysis).answer(query);
}

/** How much of the flamegraph matches the search. */
export function searchFlame(analysis: Analysis, search: FlameSearch): FlameSearchAnswer {
  return graphOf(analysis).search(search);
}

/** A cache, not state: the graph follows from the analysis, and goes when the analysis does. */
const graphs = new WeakMap<Analysis, FlameGraph>();

function graphOf(analysis: Analysis): FlameGraph {
  const known = graphs.get(analysis);
  if (known !== undefined) return known;
  const graph = new FlameGraph(analysis);
  graphs.set(analysis, graph);
  return graph;
}
