import { PairTable } from '../../../basics/pair-table.ts';

/** Packs the function that ran, and how it ran. `tier` is an index into `tiers`. */
export function frameKind(fn: number, tier: number, isInlined: boolean, isOsr: boolean): number {
  return fn * 32 + tier + (isInlined ? 8 : 0) + (isOsr ? 16 : 0);
}

export function functionOf(kind: number): number {
  return kind >> 5;
}

export function tierOf(kind: number): number {
  return kind & 7;
}

export function isInlined(kind: number): boolean {
  return (kind & 8) !== 0;
}

export function isOsr(kind: number): boolean {
  return (kind & 16) !== 0;
}

/** Numbers *places*, which are frames at an offset of their script, and lists of places. */
export class PlaceTable {
  /** Kind (`frameKind`) and offset of each place; the offset is −1 where it is not known. */
  readonly places = new PairTable(1024);
  /** The outermost place of each list, and the list of those inside it; −1 where there is none. */
  readonly #lists = new PairTable(1024);

  number(kind: number, offset: number): number {
    return this.places.numberOf(kind, offset);
  }

  list(place: number, inside: number): number {
    return this.#lists.numberOf(place, inside);
  }

  outermostOf(list: number): number {
    return this.#lists.firstOf(list);
  }

  insideOf(list: number): number {
    return this.#lists.secondOf(list);
  }
}
