import { microseconds } from '../../protocol/units.ts';
import type { OperationTree } from '../function-figures/operation-tree.ts';
import type { OwnPlace } from '../function-figures/function-figures.ts';
import { Sums } from '../function-figures/sums.ts';
import type { Takers } from './culprits.ts';

/** The time that the culprit at one node took of one operation, in µs. */
export interface Taking {
  /** The culprit's place in the operation's tree, and its node in the isolate's. */
  place: number;
  node: number;
  functionId: number;
  weight: number;
  self: number;
  load: number;
  samples: number;
  longest: number;
  /** Number of its callees, as places that the culprit calls directly, and those places. */
  calleeCount: number;
  readonly callees: number[];
  /** Time of `load` that bodies of modules took, with all below them, by function id; null where none did. */
  bodies: Map<number, number> | null;
}

/**
 * Adds up what each culprit took, for the operations of one isolate one after the other. Its memory and its objects are
 * used again for the next operation: new ones for each operation were a third of all garbage.
 */
export class Takings {
  /** Number of the taking plus 1, by place of the culprit; 0 where it has none. */
  readonly #numbers: Int32Array;
  /** Time in a callee of a culprit, by the callee's place, and 1 where the place is such a callee. */
  readonly #inCallee: Sums;
  readonly #isCallee: Uint8Array;
  /** Index plus 1 in the list that is being made, by function id. */
  readonly #listed: Int32Array;
  readonly #pool: Taking[] = [];
  #functionIds: Int32Array = new Int32Array(0);

  constructor(nodes: number, functions: number) {
    this.#numbers = new Int32Array(nodes);
    this.#inCallee = new Sums(nodes);
    this.#isCallee = new Uint8Array(nodes);
    this.#listed = new Int32Array(functions);
  }

  /** What each culprit took of the operation, ordered by node. It is valid until the next operation. */
  of(tree: OperationTree, { taker, via, body, loading }: Takers): readonly Taking[] {
    const { size, nodes, functionId, self } = tree;
    this.#functionIds = functionId;
    let count = 0;
    for (let place = 1; place < size; place++) {
      const culprit = taker[place] ?? -1;
      const samples = self.samples[place] ?? 0;
      if (culprit === -1 || samples === 0) continue;
      let number = this.#numbers[culprit] ?? 0;
      if (number === 0) {
        number = ++count;
        this.#numbers[culprit] = number;
        startAgain(this.#taking(count - 1), culprit, nodes[culprit] ?? 0, functionId[culprit] ?? 0);
      }
      const taking = this.#taking(number - 1);
      const weight = self.weight[place] ?? 0;
      taking.weight += weight;
      taking.samples += samples;
      taking.longest = Math.max(taking.longest, self.longest[place] ?? 0);
      if (loading[place] === 1) addLoad(taking, weight, functionId[body[place] ?? -1]);
      const callee = via[place] ?? -1;
      if (callee === -1) taking.self += weight;
      else this.#addCallee(taking, callee, weight);
    }
    const takings = this.#pool.slice(0, count);
    for (const { place } of takings) this.#numbers[place] = 0;
    return count > 1 ? takings.sort((a, b) => a.node - b.node) : takings;
  }

  /** The place of a taking, with its callees in the order in which they were seen. It can be asked for once. */
  placeOf({ node, weight, self, callees, calleeCount }: Taking, path: number): OwnPlace {
    const listed: { readonly functionId: number; weight: OwnPlace['weight'] }[] = [];
    for (let at = 0; at < calleeCount; at++) {
      const callee = callees[at] ?? 0;
      const functionId = this.#functionIds[callee] ?? 0;
      const time = this.#inCallee[callee] ?? 0;
      this.#inCallee[callee] = 0;
      this.#isCallee[callee] = 0;
      const known = listed[(this.#listed[functionId] ?? 0) - 1];
      if (known === undefined) this.#listed[functionId] = listed.push({ functionId, weight: microseconds(time) });
      else known.weight = microseconds(known.weight + time);
    }
    for (const { functionId } of listed) this.#listed[functionId] = 0;
    return { node, weight: microseconds(weight), self: microseconds(self), callees: listed, path };
  }

  #taking(number: number): Taking {
    const known = this.#pool[number];
    if (known !== undefined) return known;
    const made = emptyTaking();
    this.#pool[number] = made;
    return made;
  }

  #addCallee(taking: Taking, callee: number, weight: number): void {
    if (this.#isCallee[callee] === 0) taking.callees[taking.calleeCount++] = callee;
    this.#isCallee[callee] = 1;
    this.#inCallee.add(callee, weight);
  }
}

function emptyTaking(): Taking {
  const times = { weight: 0, self: 0, load: 0, samples: 0, longest: 0 };
  return { place: 0, node: 0, functionId: 0, ...times, calleeCount: 0, callees: [], bodies: null };
}

function startAgain(taking: Taking, place: number, node: number, functionId: number): void {
  taking.place = place;
  taking.node = node;
  taking.functionId = functionId;
  taking.weight = 0;
  taking.self = 0;
  taking.load = 0;
  taking.samples = 0;
  taking.longest = 0;
  taking.calleeCount = 0;
  taking.bodies = null;
}

/** Adds time under a loader frame, and to the body of the module that is loaded, where one is seen. */
function addLoad(taking: Taking, weight: number, body: number | undefined): void {
  taking.load += weight;
  if (body === undefined) return;
  taking.bodies ??= new Map<number, number>();
  taking.bodies.set(body, (taking.bodies.get(body) ?? 0) + weight);
}
