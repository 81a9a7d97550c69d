import type { ReferenceAnalysis } from './reference-analysis.ts';

/** Samples between the first and the last one that hold a function, and those among them that do not, by what they have. */
export interface Gaps {
  readonly samples: number;
  readonly otherStack: number;
  /** Native code and collections, with nothing on the stack. */
  readonly noStack: number;
}

/**
 * The gaps of the function of this name, grafted and bridged, in the thread in which it is longest; null where none has
 * it.
 */
export function gapsOf({ threads }: ReferenceAnalysis, name: string): Gaps | null {
  const found = threads.flatMap(({ samples }): readonly Gaps[] => {
    const holds = samples.map(({ stack }) => stack.some((fn) => fn.name === name));
    const inside = samples.slice(holds.indexOf(true), holds.lastIndexOf(true) + 1);
    if (!holds.includes(true)) return [];
    const without = inside.filter(({ stack }) => !stack.some((fn) => fn.name === name));
    const noStack = without.filter(({ stack }) => stack.length === 0).length;
    return [{ samples: inside.length, otherStack: without.length - noStack, noStack }];
  });
  return found.toSorted((a, b) => b.samples - a.samples)[0] ?? null;
}
