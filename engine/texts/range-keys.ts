/**
 * Of a list of whole numbers below 2^26 a key for any range of it, up to and without `to`: ranges of the same numbers have
 * the same key. Each takes the same short time, however long the range is: functions lie in one another.
 */
export function rangeKeys(numbers: readonly number[]): (from: number, to: number) => string {
  const hashes = moduli.map((modulus) => rangeHashes(numbers, modulus));
  return (from, to) => `${to - from} ${hashes.map((hash) => hash(from, to)).join(' ')}`;
}

/** Primes below 2^26: products stay whole numbers. Both together differ but for one in 2^51. */
const moduli = [67_108_859, 67_108_837];
const base = 31_415_927;

/** Polynomials of the numbers in front of each place, of which a range is the difference of two. */
function rangeHashes(numbers: readonly number[], modulus: number): (from: number, to: number) => number {
  const [before, powers] = [[0], [1]];
  for (const number of numbers) {
    before.push(((before.at(-1) ?? 0) * base + number + 1) % modulus);
    powers.push(((powers.at(-1) ?? 1) * base) % modulus);
  }
  return (from, to) => {
    const left = ((before[from] ?? 0) * (powers[to - from] ?? 1)) % modulus;
    return ((before[to] ?? 0) - left + modulus) % modulus;
  };
}
