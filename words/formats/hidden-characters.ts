/**
 * Characters that a terminal or an editor obeys and does not show: controls (C0 and C1), changes of the writing
 * direction, line breaks, and letters without width. The joiners are not among them, because emoji and Persian words
 * need them.
 */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164]/gu;

/**
 * A text of somebody else as one line that shows all of it: white space becomes blanks, hidden characters become
 * `\u{202e}` and the like. The result has at most `most` characters.
 */
export function visible(text: string, most = Infinity): string {
  const shown = text
    .slice(0, most)
    .replaceAll(/\s/g, ' ')
    .replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return text.length > most ? `${shown}…` : shown;
}

/**
 * The same JSON with hidden characters as `\u202e`: `JSON.stringify` escapes C0 only. Not for JSON with line breaks
 * between its parts.
 */
export function withEscapedHidden(json: string): string {
  return json.replaceAll(hidden, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
