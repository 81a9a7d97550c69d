type Pair = readonly [string, string];

interface Options {
  /** How many letters two spellings of one name may differ by. */
  readonly tolerance: number;
}

/** Customers that were probably entered twice: `Jon Miller` and `John Miller`. */
export function duplicateCustomers(names: readonly string[], options: Options = { tolerance: 1 }): Pair[] {
  const pairs: Pair[] = [];
  names.forEach((name, index) => {
    for (const other of names.slice(index + 1)) {
      if (editDistance(name, other) <= options.tolerance) pairs.push([name, other]);
    }
  });
  return pairs;
}

/** Levenshtein's: the least number of letters to insert, delete or replace. */
export function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[to.length] ?? 0;
}
