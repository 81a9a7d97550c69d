/**
 * Characters that a terminal or an editor obeys instead of showing them: controls (C0 and C1), bidirectional marks, line
 * breaks, and letters without width; not the joiners, which emoji and Persian words need.
 */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164]/gu;

/** A foreign text on one line: white space becomes spaces, hidden characters become `\u{202e}`. Cuts after `most` characters. */
export function visible(text: string, most = Infinity): string {
  const shown = text
    .slice(0, most)
    .replaceAll(/\s/g, ' ')
    .replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return text.length > most ? `${shown}…` : shown;
}

/** JSON on one line with hidden characters as `\u202e`; `JSON.stringify` escapes only C0. */
export function withEscapedHidden(json: string): string {
  return json.replaceAll(hidden, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
