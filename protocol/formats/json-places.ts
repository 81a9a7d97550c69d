import { parseJson } from '../json-value.ts';
import { type Line1, line1 } from '../units.ts';

/** Where things stand in the text of a JSON. */
export interface JsonPlaces {
  /** The line of what a path of keys leads to; null where there is nothing. */
  readonly lineOf: (path: readonly string[]) => Line1 | null;
  /** The first key that its object has twice: `JSON.parse` takes the later one, and says nothing. Null where none is. */
  readonly twice: { readonly path: readonly string[]; readonly line: Line1 } | null;
}

/** Reads a text that `JSON.parse` has taken. */
export function jsonPlaces(text: string): JsonPlaces {
  const lines = new Map<string, Line1>();
  const state: { twice: JsonPlaces['twice'] } = { twice: null };
  const open: { path: readonly string[]; key: string | null }[] = [];
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    const inside = open.at(-1);
    const path = inside === undefined ? [] : [...inside.path, inside.key ?? String(token.index)];
    if (token[0] === '{' || token[0] === '[') open.push({ path: inside === undefined ? [] : path, key: null });
    else if (token[0] === '}' || token[0] === ']') open.pop();
    else if (inside !== undefined && /^\s*:/.test(text.slice(token.index + token[0].length))) {
      inside.key = keyOf(token[0]);
      const named = [...inside.path, inside.key];
      if (lines.has(JSON.stringify(named))) state.twice ??= { path: named, line: lineAt(text, token.index) };
      lines.set(JSON.stringify(named), lineAt(text, token.index));
    }
  }
  return { lineOf: (path) => lines.get(JSON.stringify(path)) ?? null, twice: state.twice };
}

function keyOf(quoted: string): string {
  const key = parseJson(quoted);
  return typeof key === 'string' ? key : '';
}

/** What an error of `JSON.parse` says, and the line where it is; null where that is unknown. */
export function syntaxError(
  { message }: Error,
  text: string,
): { readonly message: string; readonly line: Line1 | null } {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const at = message.includes('end of JSON')
    ? text.length
    : position === undefined
      ? wordThatIsNone(text)
      : Number(position);
  return {
    message: message.replace(/( in JSON at position .*|, (\.\.\.)?".*" is not valid JSON)$/s, ''),
    line: at === null ? null : lineAt(text, at),
  };
}

/** Where a word stands that no JSON has, such as NaN or a comment. */
function wordThatIsNone(text: string): number | null {
  for (const { 0: word, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/gs))
    if (parseJson(word) === undefined) return index;
  return null;
}

function lineAt(text: string, at: number): Line1 {
  return line1(text.slice(0, at).split('\n').length);
}
