import type { Analysis } from '../../engine/analysis.ts';

/** Names of the functions on each sample's stack, outermost first, as sampled and grafted; empty for meta frames. */
export function stacksOf({ streams, functions }: Pick<Analysis, 'streams' | 'functions'>): readonly string[][] {
  return streams.flatMap(({ nodes, tree }) =>
    Array.from(nodes, (sampled) => {
      const names: string[] = [];
      for (let node = sampled; node > 0; node = tree.parent[node] ?? 0) {
        const fn = functions.functions[tree.functionId[node] ?? -1];
        if (fn !== undefined) names.unshift(fn.name);
      }
      return names;
    }),
  );
}
