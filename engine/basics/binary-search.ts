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

/** Number of the first sample that was taken at `time` (in µs) or later; the number of samples where there is none. */
export function firstSampleFrom(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
