import { PairTable } from '../../basics/pair-table.ts';
import type { Code } from './code.ts';
import { PlaceTable } from './place-table.ts';

/** The places in code at which a tick was, each looked up once: a log has few, however often ticks are there. */
export class SeenPlaces {
  readonly table = new PlaceTable();
  /** Number of the code's positions, and offset in the code. */
  readonly #seen = new PairTable(1024);
  readonly #lists: number[] = [];

  /** The frames there, as a list of the table's. */
  framesAt({ positions, kind }: Code, offset: number): number {
    const place = this.#seen.numberOf(positions.number, offset);
    const known = this.#lists[place];
    if (known !== undefined) return known;
    const list = positions.framesAt(offset, kind, this.table);
    this.#lists.push(list);
    return list;
  }
}
