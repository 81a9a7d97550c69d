/** What a comparison by several things answers: the first difference that is one, 0 where there is none. */
export function firstDifference(...differences: readonly number[]): number {
  return differences.find((difference) => difference !== 0) ?? 0;
}
