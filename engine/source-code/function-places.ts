import type { SourceFunction, FunctionPlaces, Place } from './source-index.ts';

export function functionPlaces(functions: readonly SourceFunction[], kind: SourceFunction['kind']): FunctionPlaces {
  const all = [...functions.entries()].flatMap(([index, fn]) => (fn.kind === kind ? [{ index, fn }] : []));
  const holds = (at: number, place: Place): boolean => isBefore(place, all[at]?.fn.bodyStart ?? nowhere);
  // Decorators are read after the code before which they are written.
  const isSorted = all.every(({ fn }, at) => !isBefore(fn.start, all[at - 1]?.fn.start ?? nowhere));
  const around = isSorted ? headsAround(all.map(({ fn }) => fn)) : null;
  /** Number of functions that begin before the place, or at it. */
  const countUpTo = (place: Place): number => {
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(place, all[middle]?.fn.start ?? nowhere)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    holding: (place) => {
      if (around === null)
        return all.findLast(({ fn }, at) => !isBefore(place, fn.start) && holds(at, place))?.index ?? -1;
      let at = countUpTo(place) - 1;
      while (at >= 0 && !holds(at, place)) at = around[at] ?? -1;
      return all[at]?.index ?? -1;
    },
    from: (place) => {
      const { line, column } = place;
      const found = isSorted
        ? all[countUpTo({ line, column: column - 1 })]
        : all.find(({ fn }) => fn.start.line === line && fn.start.column >= column);
      return found?.index ?? -1;
    },
  };
}

const nowhere: Place = { line: 0, column: 0 };

/**
 * For each function, the nearest function before it in whose head it begins. Heads contain each other, or are apart.
 */
function headsAround(functions: readonly SourceFunction[]): Int32Array {
  const around = new Int32Array(functions.length).fill(-1);
  const open: number[] = [];
  for (const [at, { start }] of functions.entries()) {
    while (open.length > 0 && !isBefore(start, functions[open.at(-1) ?? -1]?.bodyStart ?? nowhere)) open.pop();
    around[at] = open.at(-1) ?? -1;
    open.push(at);
  }
  return around;
}

function isBefore(a: Place, b: Place): boolean {
  return a.line === b.line ? a.column < b.column : a.line < b.line;
}
