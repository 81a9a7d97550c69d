/** Memory of a list. Numbers that do not fit move to one with more bytes for each. */
export type NumberMemory = Uint16Array | Int32Array | Float64Array;

/**
 * A growing list of numbers: 4 bytes each for 32-bit integers, else 8. A list on a Uint16Array takes 2 while all are <
 * 65,536. NaN means: not a number.
 */
export class NumberList {
  size = 0;
  #values: NumberMemory;

  /** `memory` is as long as the list is expected to become. */
  constructor(memory: NumberMemory = new Int32Array(64)) {
    this.#values = memory;
  }

  push(value: number): void {
    if (this.size === this.#values.length) this.#grow(this.size + 1);
    this.set(this.size++, value);
  }

  /** Replaces the number at an index below `size`. */
  set(index: number, value: number): void {
    if ((value & 0xffff) !== value && this.#values instanceof Uint16Array) this.#widen(Int32Array);
    // NaN, fractions and large numbers are not equal to their 32-bit value.
    if ((value | 0) !== value && this.#values instanceof Int32Array) this.#widen(Float64Array);
    this.#values[index] = value;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  get isShort(): boolean {
    return this.#values instanceof Uint16Array;
  }

  /** Adds numbers, which are copied without a look at each where they have as many bytes as those of the list. */
  append(values: Int32Array | Uint16Array): void {
    if (this.#values instanceof Uint16Array && values instanceof Int32Array) this.#widen(Int32Array);
    if (this.size + values.length > this.#values.length) this.#grow(this.size + values.length);
    this.#values.set(values, this.size);
    this.size += values.length;
  }

  cutTo(size: number): void {
    this.size = size;
  }

  /** The numbers, in the list's own memory. Do not use the list after writing to them. */
  values(): NumberMemory {
    return this.#values.subarray(0, this.size);
  }

  /** The numbers in 32 bits each. They are in the list's own memory where they had 32 bits before. */
  toInt32(): Int32Array {
    const values = this.values();
    return values instanceof Int32Array ? values : Int32Array.from(values);
  }

  /** The numbers in 64 bits each. They are in the list's own memory where they had 64 bits before. */
  toFloat64(): Float64Array {
    const values = this.values();
    return values instanceof Float64Array ? values : Float64Array.from(values);
  }

  /** Moves the numbers to as much room with more bytes for each. What is not used yet is not written to. */
  #widen(Room: Int32ArrayConstructor | Float64ArrayConstructor): void {
    const room = new Room(this.#values.length);
    room.set(this.values());
    this.#values = room;
  }

  /** Grows fourfold: memory that is not written to costs nothing yet, while the copied memory stays for some time. */
  #grow(size: number): void {
    const capacity = Math.max(size, this.#values.length * 4);
    const before = this.#values.subarray(0, this.size);
    this.#values = roomLike(before, capacity);
    this.#values.set(before);
  }
}

function roomLike(values: NumberMemory, capacity: number): NumberMemory {
  if (values instanceof Uint16Array) return new Uint16Array(capacity);
  return values instanceof Int32Array ? new Int32Array(capacity) : new Float64Array(capacity);
}
