/** Sums by index, in the unit of what is added. */
export class Sums extends Float64Array {
  add(index: number, value: number): void {
    this[index] = (this[index] ?? 0) + value;
  }
}
