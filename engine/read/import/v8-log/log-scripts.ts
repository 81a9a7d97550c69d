import { NumberList } from '../../../basics/number-list.ts';

export interface LogScript {
  /** Url as in the log, escaped; null where no record has it. */
  readonly url: string | null;
  /** Lines of its text; null where the log does not have the text. */
  readonly text: TextLines | null;
  /** Length in UTF-16 units, known from the function that is all of it; 0 where none was compiled. */
  readonly length: number;
}

/** The scripts of a log, renumbered, because each isolate has its own numbers. */
export class LogScripts {
  readonly scripts: LogScript[] = [];
  /** Our number, by V8's number. */
  readonly #numbers = new Map<number, number>();

  numberOf(script: number): number {
    const known = this.#numbers.get(script);
    if (known !== undefined) return known;
    const number = this.scripts.push({ url: null, text: null, length: 0 }) - 1;
    this.#numbers.set(script, number);
    return number;
  }

  set(number: number, facts: Partial<LogScript>): void {
    const script = this.scripts[number];
    if (script !== undefined) this.scripts[number] = { ...script, ...facts };
  }

  /** Notes the begin and end of a function. A function that begins where its script begins may be the whole script. */
  noteFunction(number: number, start: number, end: number): void {
    if (start === 0 && end > (this.scripts[number]?.length ?? 0)) this.set(number, { length: end });
  }

  /** Forgets V8's numbers, because the log of another isolate begins. */
  restart(): void {
    this.#numbers.clear();
  }
}

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
