/** JSON text with what `JSON.stringify` would never write: `1e400`, a hundred thousand brackets, half a word. */

/** Stands in a value for a text that is written as it is. */
export function raw(text: string): string {
  return `${mark}${text}`;
}

const mark = '@raw:';

export interface Writing {
  /** White space of one level. */
  readonly indent: '' | ' ' | '\t' | '\n';
  /** Keys of every object backwards. */
  readonly backwards: boolean;
}

export function write(value: unknown, { indent, backwards }: Writing): string {
  const text = JSON.stringify(value, backwards ? reversedKeys : undefined, indent);
  return text.replaceAll(/"@raw:((?:[^"\\]|\\.)*)"/g, (_, escaped: string) => String(JSON.parse(`"${escaped}"`)));
}

function reversedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toReversed());
}
