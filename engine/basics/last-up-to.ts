/** Index of the last of ascending numbers that is not greater than the limit; −1 where all are greater. */
export function lastUpTo(numbers: Int32Array, limit: number): number {
  let low = -1;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
