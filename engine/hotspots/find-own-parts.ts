import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';
import { isCold, isEstimated, hasMargin, marginOf } from '../function-figures/estimates.ts';
import { createCulpritFinder, createTakers, type Takers } from './culprits.ts';
import type { OperationTree, PreparedStream } from '../function-figures/operation-tree.ts';
import { OwnFacts, noFact } from './own-facts.ts';
import { firstDifference, groupBy } from '../basics/lists.ts';
import { once, onceEach } from '../basics/once.ts';
import { type FunctionInfo, compareFunctions } from '../functions/function-table.ts';
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
  const pathOf = onceEach((node: number) => prepared.cutPathOf(outermostOf(node, prepared.stream.tree)));
  return (operation, number, tree) => {
    const isShort = operation.held <= threshold;
    const isCulprit = isShort ? null : findCulprits(tree);
    if (isCulprit === null) return nothingTaken;
    const takers = findTakers()(tree, isCulprit);
    if (operation.measured) facts().look(operation, tree, takers);
    return {
      parts: partsOf(operation, number, takingsOf(tree, takers), {
        facts: operation.measured ? facts() : null,
        pathOf,
        prepared,
      }),
      takers,
    };
  };
}

const nothingTaken: OwnParts = { parts: [], takers: null };

/** The time that the culprit at one node took. */
interface Taking {
  readonly node: number;
  weight: number;
  self: number;
  load: number;
  samples: number;
  longest: number;
  readonly callees: Map<number, number>;
  /** Time of `load` that bodies of modules took, with all below them, by function id; null where none did. */
  bodies: Map<number, number> | null;
}

/** What each culprit took, ordered by node. */
function takingsOf({ size, nodes, functionId, self }: OperationTree, takers: Takers): readonly Taking[] {
  const takings = new Map<number, Taking>();
  for (let place = 1; place < size; place++) {
    const taker = takers.taker[place] ?? -1;
    const weight = self.weight[place] ?? 0;
    const samples = self.samples[place] ?? 0;
    if (taker === -1 || samples === 0) continue;
    const taking = takings.get(taker) ?? createTaking(nodes[taker] ?? 0);
    takings.set(taker, taking);
    taking.weight += weight;
    taking.samples += samples;
    taking.longest = Math.max(taking.longest, self.longest[place] ?? 0);
    if (takers.loading[place] === 1) {
      taking.load += weight;
      const body = takers.body[place] ?? -1;
      if (body !== -1) addTo((taking.bodies ??= new Map<number, number>()), functionId[body] ?? 0, weight);
    }
    const via = takers.via[place] ?? -1;
    if (via === -1) taking.self += weight;
    else addTo(taking.callees, functionId[via] ?? 0, weight);
  }
  const all = Array.from(takings.values());
  return all.length === 1 ? all : all.toSorted((a, b) => a.node - b.node);
}

function createTaking(node: number): Taking {
  return { node, weight: 0, self: 0, load: 0, samples: 0, longest: 0, callees: new Map(), bodies: null };
}

function addTo(sums: Map<number, number>, key: number, weight: number): void {
  sums.set(key, (sums.get(key) ?? 0) + weight);
}

/** What is known of the culprits besides what they took. */
interface Known {
  /** Null where the operation was not measured. */
  readonly facts: OwnFacts | null;
  /** Number of the cut path to a node. */
  readonly pathOf: (node: number) => number;
  readonly prepared: PreparedStream;
}

/** Adds up by function. Most operations have one culprit at one place: groups of it would be a fifth of all garbage. */
function partsOf(operation: Operation, number: number, takings: readonly Taking[], known: Known): readonly OwnPart[] {
  const { stream, functions } = known.prepared;
  const [only, second] = takings;
  const functionId = stream.tree.functionId[only?.node ?? 0] ?? -1;
  if (second === undefined && functionId >= 0) return [partOf(operation, { number, functionId }, takings, known)];
  const byFunction = groupBy(takings, ({ node }) => functions[stream.tree.functionId[node] ?? -1]);
  const found: { readonly fn: FunctionInfo; readonly part: OwnPart }[] = [];
  for (const [fn, taken] of byFunction)
    if (fn !== undefined) found.push({ fn, part: partOf(operation, { number, functionId: fn.id }, taken, known) });
  if (found.length > 1)
    found.sort((a, b) => firstDifference(b.part.weight - a.part.weight, compareFunctions(a.fn, b.fn)));
  return found.map(({ part }) => part);
}

function partOf(
  operation: Operation,
  { number, functionId }: { readonly number: number; readonly functionId: number },
  taken: readonly Taking[],
  { facts, pathOf, prepared }: Known,
): OwnPart {
  const fact = facts?.of(functionId) ?? noFact;
  const { weight, samples, longest, load } = sumsOf(taken);
  const isLoad = load >= nearlyAll * weight;
  const margin = hasMargin(operation) ? marginOf(fact) : 0;
  return {
    operation: number,
    functionId,
    weight: microseconds(weight),
    samples,
    most: microseconds(Math.min(operation.held, Math.round(weight + margin))),
    estimated: isEstimated(operation, { weight, samples, longest, margin }, prepared.stream.interval),
    cold: isCold(operation, prepared.firstSeen[functionId] ?? -1, isLoad ? 0 : weight),
    load: microseconds(load),
    loaded: isLoad ? largestBody(taken) : null,
    waited: waitedIn(weight, fact.slept, operation),
    places: taken.map((taking) => placeOf(taking, pathOf)),
  };
}

/** A call of a function with this share of its time under a loader does nothing but load. */
const nearlyAll = 0.9;

/** Function id of the module body that took most; −1 where none was seen. */
function largestBody(taken: readonly Taking[]): number {
  const sums = new Map<number, number>();
  for (const { bodies } of taken) for (const [body, weight] of bodies ?? []) addTo(sums, body, weight);
  const [largest] = [...sums].toSorted(([a, x], [b, y]) => firstDifference(y - x, a - b));
  return largest?.[0] ?? -1;
}

function placeOf({ node, weight, self, callees }: Taking, pathOf: Known['pathOf']): OwnPlace {
  const called: { functionId: number; weight: Microseconds }[] = [];
  // Not by iterator, which makes two objects for each: there may be hundreds of thousands.
  // oxlint-disable-next-line unicorn/no-array-for-each -- see above
  callees.forEach((time, functionId) => called.push({ functionId, weight: microseconds(time) }));
  return { node, weight: microseconds(weight), self: microseconds(self), callees: called, path: pathOf(node) };
}

/** The outermost node of the same function on the path to this node. */
function outermostOf(node: number, { parent, functionId }: PreparedStream['stream']['tree']): number {
  let outermost = node;
  for (let at = node; at > 0; at = parent[at] ?? 0) if (functionId[at] === functionId[node]) outermost = at;
  return outermost;
}

/** Sums, and the longest sample, of all places of a culprit. */
function sumsOf(taken: readonly Taking[]): Pick<Taking, 'weight' | 'samples' | 'longest' | 'load'> {
  let [weight, samples, longest, load] = [0, 0, 0, 0];
  for (const taking of taken) {
    weight += taking.weight;
    samples += taking.samples;
    longest = Math.max(longest, taking.longest);
    load += taking.load;
  }
  return { weight, samples, longest, load };
}
