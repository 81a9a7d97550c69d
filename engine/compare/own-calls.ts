import { PairTable } from '../basics/pair-table.ts';
import { firstFunctionNode, noFunction, type CallTree } from '../read/samples/call-tree.ts';
import type { FunctionIdentity } from './match-functions.ts';

/** The stacks of one side over all its runs, as a tree of paths of own functions. */
export class OwnCalls {
  /** Parent and function of each path; parents come first. */
  readonly #paths = new PairTable(1024);
  readonly #numbers = new Map<FunctionIdentity, number>();
  readonly #functions: FunctionIdentity[] = [];

  /** `identities`: of own functions, by the function ids of the tree; null for code of others. */
  add({ size, parent, functionId }: CallTree, identities: readonly (FunctionIdentity | null)[]): void {
    const paths = new Int32Array(size).fill(-1);
    for (let node = firstFunctionNode; node < size; node++) {
      const above = paths[parent[node] ?? 0] ?? -1;
      const id = functionId[node] ?? noFunction;
      const identity = id === noFunction ? null : (identities[id] ?? null);
      paths[node] = identity === null ? above : this.#paths.numberOf(above, this.#numberOf(identity));
    }
  }

  /**
   * The functions on a stack with one of these: what they call and what calls them, at any distance. A module counts only
   * where it calls a changed function itself: a change in what it loads does not change its inputs.
   */
  besides(changed: ReadonlySet<FunctionIdentity>): ReadonlySet<FunctionIdentity> {
    const { size, firsts, seconds } = this.#paths;
    const isChanged = Uint8Array.from(this.#functions, (fn) => (changed.has(fn) ? 1 : 0));
    const isBelow = new Uint8Array(size);
    const isAbove = new Uint8Array(size);
    for (let path = 0; path < size; path++)
      isBelow[path] = (isChanged[seconds[path] ?? 0] ?? 0) | (isBelow[firsts[path] ?? -1] ?? 0);
    for (let path = size - 1; path >= 0; path--) {
      const above = firsts[path] ?? -1;
      if (above >= 0 && ((isAbove[path] ?? 0) | (isChanged[seconds[path] ?? 0] ?? 0)) === 1) isAbove[above] = 1;
    }
    const calls = this.#modulesThatCall(isChanged);
    const found = new Set<FunctionIdentity>();
    for (const [path, number] of seconds.entries()) {
      const fn = this.#functions[number];
      if (fn === undefined) continue;
      if (fn.names === '' ? calls[path] === 1 : ((isBelow[path] ?? 0) | (isAbove[path] ?? 0)) === 1) found.add(fn);
    }
    return found;
  }

  /** The functions that call one of these, at any distance; one of these only where it calls another one. */
  callersOf(called: ReadonlySet<FunctionIdentity>): ReadonlySet<FunctionIdentity> {
    const { firsts, seconds } = this.#paths;
    const found = new Set<FunctionIdentity>();
    for (const [path, number] of seconds.entries()) {
      const fn = this.#functions[number];
      if (fn === undefined || !called.has(fn)) continue;
      for (let above = firsts[path] ?? -1; above >= 0; above = firsts[above] ?? -1) {
        const caller = this.#functions[seconds[above] ?? 0];
        if (caller !== undefined && caller !== fn) found.add(caller);
      }
    }
    return found;
  }

  /** By path: 1 where a function of these is below the last function, and no module between. */
  #modulesThatCall(isChanged: Uint8Array): Uint8Array {
    const { size, firsts, seconds } = this.#paths;
    const calls = new Uint8Array(size);
    for (let path = size - 1; path >= 0; path--) {
      const [above, number] = [firsts[path] ?? -1, seconds[path] ?? 0];
      if (above < 0 || this.#functions[number]?.names === '') continue;
      calls[above] = (calls[above] ?? 0) | (calls[path] ?? 0) | (isChanged[number] ?? 0);
    }
    return calls;
  }

  #numberOf(identity: FunctionIdentity): number {
    const known = this.#numbers.get(identity);
    if (known !== undefined) return known;
    const number = this.#functions.push(identity) - 1;
    this.#numbers.set(identity, number);
    return number;
  }
}
