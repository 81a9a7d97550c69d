/**
 * Numbers pairs of whole numbers in order of appearance. For 350,000 nodes a `Map` took 5 times as long, and 60 bytes
 * each, because its keys are not small integers.
 */
export class PairTable {
  #size = 0;
  #first: Int32Array;
  #second: Int32Array;
  /** Number of a pair plus 1, at its hash or in a later slot; 0 in a free slot. At least a quarter is free. */
  #slots: Int32Array;

  /** `expected`: the expected number of pairs. The table grows when it is full. */
  constructor(expected: number) {
    const capacity = Math.max(expected, 16);
    this.#first = new Int32Array(capacity);
    this.#second = new Int32Array(capacity);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2((capacity * 4) / 3)));
  }

  get size(): number {
    return this.#size;
  }

  firstOf(number: number): number {
    return this.#first[number] ?? 0;
  }

  secondOf(number: number): number {
    return this.#second[number] ?? 0;
  }

  /** First numbers of the pairs, indexed by the pair's number. */
  get firsts(): Int32Array {
    return this.#first.subarray(0, this.#size);
  }

  get seconds(): Int32Array {
    return this.#second.subarray(0, this.#size);
  }

  /** The number of a pair. A new pair gets the size before as its number. */
  numberOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(first, second) & mask;
    for (let entry = this.#slots[slot] ?? 0; entry !== 0; entry = this.#slots[slot] ?? 0) {
      if (this.#first[entry - 1] === first && this.#second[entry - 1] === second) return entry - 1;
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = this.#size + 1;
    const number = this.add(first, second);
    if (this.#size * 4 > this.#slots.length * 3) this.#spread();
    return number;
  }

  /** Gives the next number to a pair that will not be looked up with `numberOf`. */
  add(first: number, second: number): number {
    const number = this.#size++;
    this.#first[number] = first;
    this.#second[number] = second;
    if (this.#size === this.#first.length) this.#grow();
    return number;
  }

  /** Gives the memory of the slots away. After that, no pair may be looked up. */
  takeSlots(): ArrayBufferLike {
    const { buffer } = this.#slots;
    this.#slots = new Int32Array(0);
    return buffer;
  }

  /** Grows fourfold: memory that is not written to costs nothing yet, while the copied memory stays for some time. */
  #grow(): void {
    const capacity = this.#first.length * 4;
    this.#first = grown(this.#first, capacity);
    this.#second = grown(this.#second, capacity);
  }

  #spread(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    const before = this.#slots;
    // oxlint-disable-next-line typescript/prefer-for-of -- an iterator makes an object for each slot
    for (let at = 0; at < before.length; at++) {
      const entry = before[at] ?? 0;
      if (entry === 0) continue;
      let slot = hashOf(this.firstOf(entry - 1), this.secondOf(entry - 1)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry;
    }
    this.#slots = slots;
  }
}

function hashOf(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function grown(values: Int32Array, capacity: number): Int32Array {
  const all = new Int32Array(capacity);
  all.set(values);
  return all;
}
