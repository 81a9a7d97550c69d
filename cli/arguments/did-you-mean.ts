/** The word that was probably meant; null where none is near. Case does not count. */
export function nearest(typed: string, words: Iterable<string>): string | null {
  const [start, all] = [typed.toLowerCase(), [...words]];
  for (let edits = 0; edits <= Math.min(2, Math.floor(typed.length / 3)); edits++) {
    const near = all.find((word) => isWithin(edits, start, word.toLowerCase()));
    if (near !== undefined) return near;
  }
  const begun = start.length < 3 ? [] : all.filter((word) => word.startsWith(start));
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

/**
 * Whether one word becomes the other where so many letters are changed, added, taken away, or exchanged with their
 * neighbour (optimal string alignment). The time grows with four to the power of `edits`.
 */
function isWithin(edits: number, from: string, to: string): boolean {
  if (from === to) return true;
  if (Math.abs(from.length - to.length) > edits || edits === 0) return false;
  const [fromRest, toRest] = [from.slice(1), to.slice(1)];
  if (from[0] === to[0]) return isWithin(edits, fromRest, toRest);
  const isExchanged = from[0] === to[1] && from[1] === to[0];
  return (
    isWithin(edits - 1, fromRest, toRest) ||
    isWithin(edits - 1, fromRest, to) ||
    isWithin(edits - 1, from, toRest) ||
    (isExchanged && isWithin(edits - 1, from.slice(2), to.slice(2)))
  );
}
