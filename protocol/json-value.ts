/** Questions to a value from JSON that somebody else wrote. */

/** Undefined where the text is no JSON, or holds more values than memory does. */
export function parseJson(text: string): unknown {
  if (text.length > alwaysFits && hasTooMany(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // No JSON has this value: the caller says what is wrong.
  }
}

/** In UTF-16 units. */
const alwaysFits = 1 << 24;

/** Of values: three bytes of a file, `[],`, can be eighty in memory. */
const mostValues = 1e7;

function hasTooMany(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= mostValues; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfText(text, at + 1);
    else if (unit === comma || unit === openBracket || unit === openBrace) count++;
  }
  return count > mostValues;
}

/** Where the quote stands that ends a text. */
function endOfText(text: string, from: number): number {
  for (let at = from; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash && at - escapes > from) escapes++;
    if (escapes % 2 === 0) return at;
  }
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** Of a line or column, counted from 0; −1 where it is none that a file could have. */
export function positionOf(value: unknown): number {
  const position = numberOf(value, -1);
  return Number.isInteger(position) && position >= 0 && position < 2 ** 31 - 1 ? position : -1;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
