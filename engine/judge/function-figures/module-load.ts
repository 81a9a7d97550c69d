import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { CallTree } from '../../read/samples/call-tree.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import type { OperationTree, PreparedStream } from './operation-tree.ts';
import { firstDifference, compareTexts, groupBy } from '../../basics/lists.ts';

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

/** Sums of one module, in µs, and of what the modules that asked for it took of `total`, by url. */
interface OpenLoad {
  self: number;
  total: number;
  readonly askers: Map<string, number>;
}

const noModule = '(loader)';

/** Tallies load time: samples without a culprit, below a loader that is deeper than a module body or innermost. */
export class LoadTally {
  readonly #functions: readonly FunctionInfo[];
  /** Urls of modules with several bodies: from before and after an edit, or from two transformations. */
  readonly #several: ReadonlySet<string>;
  readonly #found = new Map<string, OpenLoad>();

  constructor(functions: readonly FunctionInfo[]) {
    this.#functions = functions;
    const bodies = groupBy(
      functions.filter(({ moduleBody }) => moduleBody),
      ({ url }) => url,
    );
    this.#several = new Set([...bodies].flatMap(([url, { length }]) => (length > 1 ? [url] : [])));
  }

  /** Adds and gives the loading of an operation in µs. `owner`: the culprit's place by place, −1 for none. */
  add(tree: OperationTree, { facts, stream }: PreparedStream, owner: Int32Array | null): number {
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
    for (const [module, weight] of self) this.#of(this.#functions[module]?.url ?? noModule).self += weight;
    if (self.has(-1)) this.#of(noModule).total += self.get(-1) ?? 0;
    this.#addTotals(below, facts, stream.tree);
    return load;
  }

  /** All modules, longest first. */
  modules(): readonly ModuleLoad[] {
    return [...this.#found]
      .map(([url, { self, total, askers }]) => ({
        url,
        self: microseconds(self),
        total: microseconds(total),
        askers: [...askers]
          .map(([asker, us]) => ({ url: asker, us: microseconds(us) }))
          .toSorted((x, y) => firstDifference(y.us - x.us, compareTexts(x.url, y.url))),
      }))
      .toSorted((x, y) => firstDifference(y.total - x.total, compareTexts(x.url, y.url)));
  }

  #of(url: string): OpenLoad {
    const known = this.#found.get(url) ?? { self: 0, total: 0, askers: new Map() };
    this.#found.set(url, known);
    return known;
  }

  /** Adds to each outermost body of a module what was loaded below it, by node of the body; −1 for none. */
  #addTotals(below: ReadonlyMap<number, number>, facts: TreeFacts, { parent, functionId }: CallTree): void {
    const urlOf = (body: number): string | undefined => this.#functions[functionId[body] ?? -1]?.url;
    const bodyAbove = (body: number): number => facts.moduleBody[parent[body] ?? 0] ?? -1;
    const isWithinItself = (body: number, url: string): boolean => {
      if (!this.#several.has(url)) return false;
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
      const [url, asker] = [urlOf(body), urlOf(above)];
      sums.set(above, (sums.get(above) ?? 0) + sum);
      if (facts.outermost[body] === 0 || url === undefined || isWithinItself(body, url)) continue;
      const loaded = this.#of(url);
      loaded.total += sum;
      if (asker !== undefined) loaded.askers.set(asker, (loaded.askers.get(asker) ?? 0) + sum);
    }
  }
}
