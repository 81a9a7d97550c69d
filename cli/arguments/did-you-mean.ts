/** The word that was probably meant; null where none is near. Case does not count. */
export function nearest(typed: string, words: Iterable<string>): string | null {
  const most = Math.min(2, Math.floor(typed.length / 3));
  const all = [...words].map((word) => ({ word, distance: distanceOf(typed.toLowerCase(), word.toLowerCase()) }));
  const begun = all.filter(({ word }) => typed.length >= 3 && word.startsWith(typed.toLowerCase()));
  const near = all.filter(({ distance }) => distance <= most).toSorted((a, b) => a.distance - b.distance);
  return near[0]?.word ?? (begun.length === 1 ? (begun[0]?.word ?? null) : null);
}

/**
 * How many letters have to be changed, added, taken away, or exchanged with their neighbour, to make one word of the
 * other (optimal string alignment).
 */
function distanceOf(from: string, to: string): number {
  let [before, row]: readonly (readonly number[])[] = [
    [],
    Array.from({ length: to.length + 1 }, (_, column) => column),
  ];
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[line - 1] === to[column - 1];
      const isExchanged = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      next[column] = Math.min(
        at(row, column) + 1,
        at(next, column - 1) + 1,
        at(row, column - 1) + (isSame ? 0 : 1),
        isExchanged ? at(before, column - 2) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return at(row, to.length);
}

function at(row: readonly number[] | undefined, column: number): number {
  return row?.[column] ?? Infinity;
}
