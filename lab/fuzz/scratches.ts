import fc from 'fast-check';

/** One change of a file's bytes. Places are shares of its length, from 0 to 1. */
export interface Scratch {
  readonly kind: 'flip' | 'cut' | 'remove' | 'insert' | 'repeat';
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

export function scratchOf(): fc.Arbitrary<Scratch> {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const sign = fc.constantFrom(...'{}[],:"\\0-9eE. \n'.split('')).map((letter) => new TextEncoder().encode(letter));
  return fc.record({
    kind: fc.constantFrom('flip', 'cut', 'remove', 'insert', 'repeat'),
    from: share,
    to: share,
    bytes: fc.oneof(sign, fc.uint8Array({ minLength: 1, maxLength: 6 })),
  });
}

export function scratched(bytes: Uint8Array, scratches: readonly Scratch[]): Uint8Array {
  return scratches.reduce(scratchedOnce, bytes);
}

function scratchedOnce(all: Uint8Array, { kind, from, to, bytes }: Scratch): Uint8Array {
  const start = Math.floor(Math.min(from, to) * all.length);
  // Mostly a little: what is half gone is soon told.
  const end = Math.min(all.length, start + 1 + Math.floor(Math.abs(to - from) ** 6 * all.length));
  switch (kind) {
    case 'flip':
      return all.map((byte, at) => (at >= start && at < end ? byte ^ (bytes[(at - start) % bytes.length] ?? 1) : byte));
    case 'cut':
      return all.slice(0, start);
    case 'remove':
      return Buffer.concat([all.subarray(0, start), all.subarray(end)]);
    case 'insert':
      return Buffer.concat([all.subarray(0, start), bytes, all.subarray(start)]);
    case 'repeat':
      return Buffer.concat([all.subarray(0, end), all.subarray(start)]);
  }
}

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
