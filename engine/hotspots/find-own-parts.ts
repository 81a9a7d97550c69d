import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';
import { isCold, isEstimated, hasMargin, marginOf } from '../function-figures/estimates.ts';
import { type Taking, Takings } from './takings.ts';
import { createCulpritFinder, createTakers, type Takers } from './culprits.ts';
import type { OperationTree, PreparedStream } from '../function-figures/operation-tree.ts';
import { OwnFacts, noFact } from './own-facts.ts';
import { firstDifference, groupBy } from '../basics/lists.ts';
import { once, onceEach } from '../basics/once.ts';
import { compareFunctions } from '../functions/function-table.ts';
import { type OwnPart, type OwnPlace, waitedIn } from '../function-figures/function-figures.ts';

export interface OwnParts {
  /** Own parts, the largest first; ties by function. */
  readonly parts: readonly OwnPart[];
  /** Which culprit took the samples at each place of the operation's tree; null where there is none. */
  readonly takers: Takers | null;
}

/**
 * Finds which function is charged with how much of each operation of one isolate. `number` is the operation's index.
 */
export function createOwnPartFinder(
  prepared: PreparedStream,
  threshold: Microseconds,
): (operation: Operation, number: number, tree: OperationTree) => OwnParts {
  const findCulprits = createCulpritFinder(prepared, threshold);
  // These are made only where they are needed, because there may be ten thousand isolates.
  const findTakers = once(() => createTakers(prepared));
  const facts = once(() => new OwnFacts(prepared));
  const takings = once(() => new Takings(prepared.stream.tree.size, prepared.functions.length));
  const pathOf = onceEach((node: number) => prepared.cutPathOf(outermostOf(node, prepared.stream.tree)));
  return (operation, number, tree) => {
    const isShort = operation.held <= threshold;
    const isCulprit = isShort ? null : findCulprits(tree);
    if (isCulprit === null) return nothingTaken;
    const takers = findTakers()(tree, isCulprit);
    if (operation.measured) facts().look(operation, tree, takers);
    const known = { facts: operation.measured ? facts() : null, pathOf, takings: takings(), prepared };
    return { parts: partsOf(operation, number, takings().of(tree, takers), known), takers };
  };
}

const nothingTaken: OwnParts = { parts: [], takers: null };

/** What is known of the culprits besides what they took. */
interface Known {
  /** Null where the operation was not measured. */
  readonly facts: OwnFacts | null;
  /** Number of the cut path to a node. */
  readonly pathOf: (node: number) => number;
  readonly takings: Takings;
  readonly prepared: PreparedStream;
}

/** Adds up by function. */
function partsOf(operation: Operation, number: number, takings: readonly Taking[], known: Known): readonly OwnPart[] {
  const { functions } = known.prepared;
  const [first] = takings;
  if (first === undefined) return [];
  if (takings.length === 1) return [partOf(operation, number, takings, known)];
  const byFunction = groupBy(takings, ({ functionId }) => functionId);
  const found = [...byFunction.values()].map((taken) => partOf(operation, number, taken, known));
  const order = (a: OwnPart, b: OwnPart): number => {
    const [one, other] = [functions[a.functionId], functions[b.functionId]];
    return one === undefined || other === undefined ? 0 : compareFunctions(one, other);
  };
  return found.length > 1 ? found.sort((a, b) => b.weight - a.weight || order(a, b)) : found;
}

function partOf(
  operation: Operation,
  number: number,
  taken: readonly Taking[],
  { facts, pathOf, prepared, takings }: Known,
): OwnPart {
  const functionId = taken[0]?.functionId ?? -1;
  const fact = facts?.of(functionId) ?? noFact;
  let [time, samples, longest, loading] = [0, 0, 0, 0];
  const places: OwnPlace[] = [];
  for (const taking of taken) {
    time += taking.weight;
    samples += taking.samples;
    longest = Math.max(longest, taking.longest);
    loading += taking.load;
    places.push(takings.placeOf(taking, pathOf(taking.node)));
  }
  const weight = microseconds(time);
  const isLoad = loading >= nearlyAll * weight;
  const margin = hasMargin(operation) ? marginOf(fact) : 0;
  return {
    operation: number,
    functionId,
    weight,
    samples,
    most: microseconds(Math.min(operation.held, Math.round(weight + margin))),
    estimated: isEstimated(operation, { weight, samples, longest, margin }, prepared.stream.interval),
    cold: isCold(operation, prepared.firstSeen[functionId] ?? -1, isLoad ? 0 : weight),
    load: microseconds(loading),
    loaded: isLoad ? largestBody(taken) : null,
    waited: waitedIn(weight, fact.slept, operation),
    places,
  };
}

/** A call of a function with this share of its time under a loader does nothing but load. */
const nearlyAll = 0.9;

/** Function id of the module body that took most; −1 where none was seen. */
function largestBody(taken: readonly Taking[]): number {
  const sums = new Map<number, number>();
  for (const { bodies } of taken)
    for (const [body, weight] of bodies ?? []) sums.set(body, (sums.get(body) ?? 0) + weight);
  const [largest] = [...sums].toSorted(([a, x], [b, y]) => firstDifference(y - x, a - b));
  return largest?.[0] ?? -1;
}

/** The outermost node of the same function on the path to this node. */
function outermostOf(node: number, { parent, functionId }: PreparedStream['stream']['tree']): number {
  let outermost = node;
  for (let at = node; at > 0; at = parent[at] ?? 0) if (functionId[at] === functionId[node]) outermost = at;
  return outermost;
}
