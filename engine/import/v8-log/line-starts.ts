import { NumberList } from '../../basics/number-list.ts';

/** The lines of a text, as V8 counts them. */
export interface TextLines {
  /** Offset of the first unit of each line. */
  readonly starts: Int32Array;
  /** Length in UTF-16 units. */
  readonly length: number;
}

/** Finds the lines of a text, as V8 counts them, from its UTF-16 units one after the other. */
export class LineStarts {
  readonly #starts = new NumberList();
  #units = 0;
  #isAfterReturn = false;

  constructor() {
    this.#starts.push(0);
  }

  add(unit: number): void {
    // A carriage return before a line feed is part of the same line break.
    if (this.#isAfterReturn && unit !== lineFeed) this.#starts.push(this.#units);
    this.#isAfterReturn = unit === carriageReturn;
    this.#units++;
    if (unit === lineFeed || unit === lineSeparator || unit === paragraphSeparator) this.#starts.push(this.#units);
  }

  build(): TextLines {
    return { starts: this.#starts.toInt32(), length: this.#units };
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const lineSeparator = 0x2028;
const paragraphSeparator = 0x2029;
