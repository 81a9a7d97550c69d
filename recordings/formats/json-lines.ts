import { parseJson } from '../../protocol/json-value.ts';

/**
 * What `valueOf` makes of the values of a `.jsonl` text, one a line; what is no JSON is left out: the last line may be cut
 * off. No more than `mostLines`.
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

/** Most lines of a file: an hour of a busy server has a million. Each takes some hundred bytes. */
export const mostLines = 5e6;
