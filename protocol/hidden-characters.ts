/** What a terminal or an editor obeys and does not show: controls (C0 and C1), changes of the writing direction, breaks of lines. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of somebody else without them, white space as blanks. */
export function withoutHidden(text: string): string {
  return text.replaceAll(/\s/g, ' ').replaceAll(hidden, '');
}

/** The same JSON, with them as `\u202e`: `JSON.stringify` does so with C0 alone. Not for JSON with line breaks between its parts. */
export function withEscapedHidden(json: string): string {
  return json.replaceAll(hidden, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
