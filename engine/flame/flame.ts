import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import type { Analysis } from '../analysis.ts';
import { FlameGraph } from './flame-graph.ts';

/** What can be seen of the flamegraph. Quick after the first question about an analysis. Never throws. */
export function flameOf(analysis: Analysis, query: FlameQuery): FlameAnswer {
  return graphOf(analysis).answer(query);
}

/** How much of the flamegraph matches. */
export function searchFlame(analysis: Analysis, search: FlameSearch): FlameSearchAnswer {
  return graphOf(analysis).search(search);
}

/** A memo and no state: the graph follows from the analysis, and goes when that does. */
const graphs = new WeakMap<Analysis, FlameGraph>();

function graphOf(analysis: Analysis): FlameGraph {
  const known = graphs.get(analysis);
  if (known !== undefined) return known;
  const graph = new FlameGraph(analysis);
  graphs.set(analysis, graph);
  return graph;
}
