import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { compareTexts } from '../functions/compare-functions.ts';
import { firstDifference } from '../functions/first-difference.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import type { OperationTree } from './operation-tree.ts';
import type { PreparedStream } from './prepared-stream.ts';

/** Load time of one module: what it asks for, found, read, transformed, compiled and evaluated. */
export interface ModuleLoad {
  /** `(loader)` for what no module asked for. */
  readonly url: string;
  readonly self: Microseconds;
  readonly total: Microseconds;
}

export interface LoadTally {
  /** Adds what of an operation was loading; answers how much, in µs. `isTaken`: a culprit took the node's samples. */
  readonly add: (tree: OperationTree, prepared: PreparedStream, isTaken: (node: number) => boolean) => number;
  /** Longest first. */
  readonly modules: () => readonly ModuleLoad[];
}

/**
 * Load time is what no culprit took and has a loader frame deeper than a module body, or a loader's frame as the
 * innermost among loader and user frames.
 */
export function createLoadTally(functions: readonly FunctionInfo[]): LoadTally {
  const found = new Map<string, { self: number; total: number }>();
  const entry = (url: string): { self: number; total: number } => {
    const known = found.get(url) ?? { self: 0, total: 0 };
    found.set(url, known);
    return known;
  };
  return {
    add: (tree, prepared, isTaken) => {
      const { facts, stream } = prepared;
      const below = new Map<number, number>();
      let load = 0;
      for (let index = tree.nodes.length - 1; index >= 0; index--) {
        const node = tree.nodes[index] ?? 0;
        const self = isTaken(node) ? 0 : (tree.self.weight[node] ?? 0);
        const module = functions[facts.loadingModule[node] ?? -1];
        const isLoad = self > 0 && (module !== undefined || facts.innermostLoads[node] === 1);
        const sum = (below.get(node) ?? 0) + (isLoad ? self : 0);
        if (isLoad) load += self;
        if (isLoad) entry(module?.url ?? noModule).self += self;
        if (isLoad && module === undefined) entry(noModule).total += self;
        if (sum === 0) continue;
        const fn = functions[stream.tree.functionId[node] ?? -1];
        if (fn?.moduleBody === true && facts.outermost[node] === 1) entry(fn.url).total += sum;
        const above = stream.tree.parent[node] ?? 0;
        below.set(above, (below.get(above) ?? 0) + sum);
      }
      return load;
    },
    modules: () =>
      [...found]
        .map(([url, { self, total }]) => ({ url, self: microseconds(self), total: microseconds(total) }))
        .toSorted((a, b) => firstDifference(b.total - a.total, compareTexts(a.url, b.url))),
  };
}

const noModule = '(loader)';
