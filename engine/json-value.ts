/** Questions to a value from JSON that somebody else wrote. */

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // No JSON has this value: the caller says what is wrong.
  }
}

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
