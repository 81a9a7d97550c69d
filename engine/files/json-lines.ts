import { parseJson } from '../basics/json-value.ts';

/**
 * The values of a `.jsonl` text, one on each line, and no more than `mostLines`. Lines that are no JSON are left out:
 * the last line may be cut off.
 */
export function jsonLines(text: string): readonly unknown[] {
  const values: unknown[] = [];
  for (let from = 0; from < text.length && values.length < mostLines;) {
    const found = text.indexOf('\n', from);
    const end = found === -1 ? text.length : found;
    const value = end === from ? undefined : parseJson(text.slice(from, end));
    if (value !== undefined) values.push(value);
    from = end + 1;
  }
  return values;
}

/** Most lines of a file: an hour of a busy server has a million. Each takes some hundred bytes. */
export const mostLines = 5e6;

/** Sentence to be put after the name of a file with too many lines. */
export const tooManyLines = 'has over 5 million lines: what comes behind them is left out; record a shorter run';
