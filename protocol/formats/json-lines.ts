import { parseJson } from '../json-value.ts';

/**
 * Calls `valueOf` with the value of each line of a `.jsonl` text, and returns the results. Lines that are not JSON are
 * left out, because the last line may be cut off. Reads at most `mostLines` lines.
 */
export function readJsonLines<Value>(text: string, valueOf: (json: unknown) => Value): readonly Value[] {
  const values: Value[] = [];
  for (let from = 0; from < text.length && values.length < mostLines;) {
    const found = text.indexOf('\n', from);
    const end = found === -1 ? text.length : found;
    const json = end === from ? undefined : parseJson(text.slice(from, end));
    if (json !== undefined) values.push(valueOf(json));
    from = end + 1;
  }
  return values;
}

export function jsonLines(text: string): readonly unknown[] {
  return readJsonLines(text, (json) => json);
}

/**
 * The most lines that are read of a file: an hour of a busy server has a million. Each takes some hundred bytes of
 * memory.
 */
export const mostLines = 5e6;
