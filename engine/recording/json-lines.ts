import { parseJson } from '../json-value.ts';

/** The values of a `.jsonl` text, one a line; what is no JSON is left out: the last line may be cut off. */
export function jsonLines(text: string): readonly unknown[] {
  return text
    .split('\n')
    .map((line) => parseJson(line))
    .filter((value) => value !== undefined);
}
