/** Numbers that grow: 4 bytes each as long as all are whole and small, then 8. NaN stands for what is no number. */
export class NumberList {
  size = 0;
  #values: Int32Array | Float64Array;

  /** `memory`: for as many numbers as are expected, and of 8 bytes where they are wanted so. */
  constructor(memory: Int32Array | Float64Array = new Int32Array(64)) {
    this.#values = memory;
  }

  push(value: number): void {
    if (this.size === this.#values.length) this.#grow(this.size + 1);
    // NaN and fractions differ from what is left of them in 32 bits.
    if ((value | 0) !== value && this.#values instanceof Int32Array) this.#values = Float64Array.from(this.#values);
    this.#values[this.size++] = value;
  }

  append(values: Int32Array): void {
    if (this.size + values.length > this.#values.length) this.#grow(this.size + values.length);
    this.#values.set(values, this.size);
    this.size += values.length;
  }

  cutTo(size: number): void {
    this.size = size;
  }

  /** The list's own memory. Who writes to it is the last one to read the list. */
  values(): Int32Array | Float64Array {
    return this.#values.subarray(0, this.size);
  }

  /** As 32 bits each, whatever they were: the list's own memory where they were so before. */
  toInt32(): Int32Array {
    const values = this.values();
    return values instanceof Int32Array ? values : Int32Array.from(values);
  }

  /** As 64 bits each: the list's own memory where they were so before. */
  toFloat64(): Float64Array {
    const values = this.values();
    return values instanceof Float64Array ? values : Float64Array.from(values);
  }

  /** Fourfold: memory that is not written to yet costs nothing, but what it is copied from stays for a while. */
  #grow(size: number): void {
    const capacity = Math.max(size, this.#values.length * 4);
    const grown = this.#values instanceof Int32Array ? new Int32Array(capacity) : new Float64Array(capacity);
    grown.set(this.#values.subarray(0, this.size));
    this.#values = grown;
  }
}
