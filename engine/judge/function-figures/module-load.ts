import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { CallTree } from '../../read/samples/call-tree.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import type { OperationTree, PreparedStream } from './operation-tree.ts';
import { firstDifference, compareTexts } from '../../basics/lists.ts';

/** Load time of one module: finding, reading, transforming, compiling and evaluating what it asks for. */
export interface ModuleLoad {
  /** Url of the module; `(loader)` for what no module asked for. */
  readonly url: string;
  readonly self: Microseconds;
  readonly total: Microseconds;
  /** The modules that asked for this one while they were evaluated, with their part of `total`, longest first. */
  readonly askers: readonly ModuleAsker[];
}

export interface ModuleAsker {
  readonly url: string;
  readonly us: Microseconds;
}

export interface LoadTally {
  /**
   * Adds the loading of an operation and gives it in µs. `owner` has the culprit's place by place, −1 for none; null
   * without a culprit.
   */
  readonly add: (tree: OperationTree, prepared: PreparedStream, owner: Int32Array | null) => number;
  /** All modules, longest first. */
  readonly modules: () => readonly ModuleLoad[];
}

/**
 * Tallies load time: samples without a culprit, whose loader frame is deeper than a module body or is the innermost of
 * loader and user frames.
 */
export function createLoadTally(functions: readonly FunctionInfo[]): LoadTally {
  const sums = new LoadSums();
  const several = urlsOfSeveralBodies(functions);
  return {
    add: (tree, { facts, stream }, owner) => {
      let load = 0;
      /** Self time by id of the module's function; −1 for none. Most operations load nothing, and make no maps. */
      let self: Map<number, number> | null = null;
      /** Time loaded below a module body and no other body, by the node of the body; −1 for none. */
      let below: Map<number, number> | null = null;
      for (let place = 1; place < tree.size; place++) {
        const weight = tree.self.weight[place] ?? 0;
        if (weight === 0) continue;
        const node = tree.nodes[place] ?? 0;
        const module = facts.loadingModule[node] ?? -1;
        if ((module === -1 && facts.innermostLoads[node] === 0) || (owner?.[place] ?? -1) !== -1) continue;
        load += weight;
        self ??= new Map();
        below ??= new Map();
        self.set(module, (self.get(module) ?? 0) + weight);
        const body = facts.moduleBody[node] ?? -1;
        below.set(body, (below.get(body) ?? 0) + weight);
      }
      if (self === null || below === null) return 0;
      for (const [module, weight] of self) sums.of(functions[module]?.url ?? noModule).self += weight;
      if (self.has(-1)) sums.of(noModule).total += self.get(-1) ?? 0;
      const urlOf = (body: number): string | undefined => functions[stream.tree.functionId[body] ?? -1]?.url;
      addTotals(below, facts, stream.tree, { urlOf, several }, (body, sum, above) => {
        sums.addTotal(urlOf(body), urlOf(above), sum);
      });
      return load;
    },
    modules: () => sums.modules(),
  };
}

const noModule = '(loader)';

interface OpenLoad {
  self: number;
  total: number;
  /** Times of the modules that asked for it, by url. */
  readonly askers: Map<string, number>;
}

class LoadSums {
  readonly #found = new Map<string, OpenLoad>();

  of(url: string): OpenLoad {
    const known = this.#found.get(url) ?? { self: 0, total: 0, askers: new Map() };
    this.#found.set(url, known);
    return known;
  }

  addTotal(url: string | undefined, asker: string | undefined, sum: number): void {
    if (url === undefined) return;
    const loaded = this.of(url);
    loaded.total += sum;
    if (asker !== undefined) loaded.askers.set(asker, (loaded.askers.get(asker) ?? 0) + sum);
  }

  modules(): readonly ModuleLoad[] {
    return [...this.#found]
      .map(([url, { self, total, askers }]) => {
        const told = [...askers].map(([asker, us]) => ({ url: asker, us: microseconds(us) }));
        return { url, self: microseconds(self), total: microseconds(total), askers: told.toSorted(longestFirst) };
      })
      .toSorted((a, b) => firstDifference(b.total - a.total, compareTexts(a.url, b.url)));
  }
}

function longestFirst(a: ModuleAsker, b: ModuleAsker): number {
  return firstDifference(b.us - a.us, compareTexts(a.url, b.url));
}

interface ModuleUrls {
  readonly urlOf: (body: number) => string | undefined;
  readonly several: ReadonlySet<string>;
}

/** Urls of modules with several bodies: from before and after an edit, or from two transformations. */
function urlsOfSeveralBodies(functions: readonly FunctionInfo[]): ReadonlySet<string> {
  const [once, several] = [new Set<string>(), new Set<string>()];
  for (const { moduleBody, url } of functions) if (moduleBody) (once.has(url) ? several : once).add(url);
  return several;
}

/** Adds to each outermost body of a module what was loaded below it. `above` is the next body above; −1 for none. */
function addTotals(
  below: ReadonlyMap<number, number>,
  facts: TreeFacts,
  { parent }: CallTree,
  { urlOf, several }: ModuleUrls,
  add: (body: number, sum: number, above: number) => void,
): void {
  const bodyAbove = (body: number): number => facts.moduleBody[parent[body] ?? 0] ?? -1;
  const isWithinItself = (body: number): boolean => {
    const url = urlOf(body);
    if (url === undefined || !several.has(url)) return false;
    for (let above = bodyAbove(body); above !== -1; above = bodyAbove(above)) if (urlOf(above) === url) return true;
    return false;
  };
  const sums = new Map(below);
  for (const innermost of below.keys()) {
    for (let body = bodyAbove(innermost); body !== -1 && !sums.has(body); body = bodyAbove(body)) sums.set(body, 0);
  }
  for (const body of [...sums.keys()].filter((node) => node !== -1).toSorted((a, b) => b - a)) {
    const sum = sums.get(body) ?? 0;
    const above = bodyAbove(body);
    if (facts.outermost[body] === 1 && !isWithinItself(body)) add(body, sum, above);
    sums.set(above, (sums.get(above) ?? 0) + sum);
  }
}
