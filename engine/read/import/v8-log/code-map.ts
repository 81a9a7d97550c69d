import { tierNumbers } from '../../samples/tiered-samples.ts';
import type { CodePositions } from './code-positions.ts';
import { tierOf } from './frame-places.ts';

/** A code object that V8 made. There are many, so each has only what is needed. */
export interface Code {
  readonly start: number;
  /** Size in bytes. */
  readonly size: number;
  /** Its function, and how it was compiled, as `frameKind`; −1 for code that is not a frame (built-ins). */
  readonly kind: number;
  readonly positions: CodePositions;
}

/**
 * Whether code is bytecode. An interpreted frame is at the bytecode that runs; a frame of machine code is behind the
 * call.
 */
export function isBytecode({ kind }: Code): boolean {
  return kind >= 0 && tierOf(kind) === tierNumbers.ignition;
}

/**
 * The living code by address. New code removes the code that it overlaps. The list is sorted, and cut into leaves of a
 * few hundred: code comes and goes all the time, and one long list would have to be moved each time.
 */
export class CodeMap {
  readonly #leaves: Leaf[] = [new Leaf(-Infinity)];
  /** Grows when code is removed. As long as it stays the same, an address that has code has the same code. */
  removals = 0;
  /** Where the last search ended: the leaf, and the slot in it. Slot −1 means that nothing begins so early. */
  #leaf = 0;
  #slot = -1;

  /** The code that contains this address. */
  find(address: number): Code | undefined {
    this.#seek(address);
    const code = this.#leaves[this.#leaf]?.codes[this.#slot];
    return code !== undefined && address < code.start + code.size ? code : undefined;
  }

  /** The code that begins at this address. */
  startingAt(address: number): Code | undefined {
    this.#seek(address);
    const code = this.#leaves[this.#leaf]?.codes[this.#slot];
    return code?.start === address ? code : undefined;
  }

  add(code: Code): void {
    for (;;) {
      this.#seek(Math.max(code.start, code.start + code.size - 1));
      const leaf = this.#leaves[this.#leaf];
      const last = leaf?.codes[this.#slot];
      if (
        leaf === undefined ||
        last === undefined ||
        (last.start + last.size <= code.start && last.start !== code.start)
      )
        break;
      leaf.remove(this.#slot);
      this.removals++;
    }
    const at = this.#leafOf(code.start);
    const leaf = this.#leaves[at];
    leaf?.insert(leaf.slotOf(code.start) + 1, code);
    if (leaf?.codes.length === largestLeaf) this.#leaves.splice(at + 1, 0, leaf.split());
  }

  remove(address: number): Code | undefined {
    const code = this.startingAt(address);
    if (code === undefined) return undefined;
    this.#leaves[this.#leaf]?.remove(this.#slot);
    this.removals++;
    return code;
  }

  /** Goes to the last code that begins at or before the address. */
  #seek(address: number): void {
    this.#leaf = this.#leafOf(address);
    this.#slot = this.#leaves[this.#leaf]?.slotOf(address) ?? -1;
    while (this.#slot === -1 && this.#leaf > 0) this.#slot = (this.#leaves[--this.#leaf]?.codes.length ?? 0) - 1;
  }

  #leafOf(address: number): number {
    let low = 0;
    let high = this.#leaves.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#leaves[middle]?.lowest ?? 0) <= address) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/**
 * Code that begins at or after `lowest`, and before the next leaf's code. Starts have an array of their own, so that a
 * search reads nothing else.
 */
class Leaf {
  readonly lowest: number;
  readonly codes: Code[] = [];
  readonly #starts = new Float64Array(largestLeaf);

  constructor(lowest: number) {
    this.lowest = lowest;
  }

  /** Slot of the last code that begins at or before the address; −1 where there is none. */
  slotOf(address: number): number {
    const starts = this.#starts;
    let low = -1;
    let high = this.codes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= address) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  insert(slot: number, code: Code): void {
    this.#starts.copyWithin(slot + 1, slot, this.codes.length);
    this.#starts[slot] = code.start;
    this.codes.splice(slot, 0, code);
  }

  remove(slot: number): void {
    this.#starts.copyWithin(slot, slot + 1, this.codes.length);
    this.codes.splice(slot, 1);
  }

  /** Splits off its upper half. */
  split(): Leaf {
    const half = this.codes.length >> 1;
    const upper = new Leaf(this.#starts[half] ?? 0);
    for (const [slot, code] of this.codes.splice(half).entries()) upper.insert(slot, code);
    return upper;
  }
}

const largestLeaf = 256;
