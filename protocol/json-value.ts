/** Reads untrusted JSON. */

/** Undefined where the text, without its byte order mark, is not JSON, or has more values than fit in memory. */
export function parseJson(text: string): unknown {
  if (text.length > alwaysFits && hasTooMany(text)) return undefined;
  try {
    return JSON.parse(text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text);
  } catch {
    return undefined; // No JSON has the value undefined. The caller says what is wrong.
  }
}

/** Length in UTF-16 units up to which any text is parsed. */
const alwaysFits = 1 << 24;

/** Limit of values in a longer text: three bytes of a file, `[],`, can be eighty in memory. */
const MAX_VALUES = 1e7;

function hasTooMany(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= MAX_VALUES; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfText(text, at + 1);
    else if (unit === comma || unit === openBracket || unit === openBrace) count++;
  }
  return count > MAX_VALUES;
}

/** Position of the quote that ends a string. */
function endOfText(text: string, from: number): number {
  for (let at = from; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash && at - escapes > from) escapes++;
    if (escapes % 2 === 0) return at;
  }
}

const byteOrderMark = 0xfeff;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

export type Fields = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The record; empty for another value. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The list; empty for another value. */
export function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}

export function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** A whole number that is not negative: 0 for another value. */
export function amountOf(value: unknown): number {
  return Math.max(0, Math.round(numberOf(value, 0)));
}

/** A line or column from 0; −1 where no file can have it. */
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

/** A date as JSON has it; null where it is none. */
export function dateOrNull(value: unknown): string | null {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;
}

/** FNV-1a of a text's UTF-16 units, unsigned 32 bits. Takes 4 ns for each unit. */
export function fnv1a(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/**
 * The `valueOf` of each line of a `.jsonl` text, up to `mostLines`, without lines that are not JSON (a cut-off last
 * one).
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

/** Limit of lines that are read of a file: an hour of a busy server has a million. Each takes a few hundred bytes. */
export const mostLines = 5e6;
