/** Numbers that grow: 4 bytes each as long as all are whole and small, then 8. NaN stands for what is no number. */
export class NumberList {
  size = 0;
  #values: Int32Array | Float64Array = new Int32Array(64);

  push(value: number): void {
    if (this.size === this.#values.length) this.#grow();
    // NaN and fractions differ from what is left of them in 32 bits.
    if ((value | 0) !== value && this.#values instanceof Int32Array) this.#values = Float64Array.from(this.#values);
    this.#values[this.size++] = value;
  }

  append(values: Int32Array): void {
    while (this.size + values.length > this.#values.length) this.#grow();
    this.#values.set(values, this.size);
    this.size += values.length;
  }

  /** NaN beyond the end. */
  at(index: number): number {
    return index < this.size ? (this.#values[index] ?? Number.NaN) : Number.NaN;
  }

  /** As 32 bits each, whatever they were. */
  toInt32(): Int32Array {
    return Int32Array.from(this.#values.subarray(0, this.size));
  }

  cutTo(size: number): void {
    this.size = size;
  }

  #grow(): void {
    const { length } = this.#values;
    const grown = this.#values instanceof Int32Array ? new Int32Array(length * 2) : new Float64Array(length * 2);
    grown.set(this.#values);
    this.#values = grown;
  }
}
