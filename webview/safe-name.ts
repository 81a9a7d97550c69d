/**
 * Characters that change how the text around them looks: controls and line ends, direction marks and overrides,
 * characters without width. Names and paths of a profile are whatever the profiled program chose.
 */
const misleading = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164]/gu;

/** A name from a profile as it can stand on the page: misleading characters spelled out, at most `most` characters long. */
export function safeName(name: string, most = 200): string {
  const shown = name.slice(0, most).replaceAll(misleading, spelledOut);
  return name.length > most ? `${shown}…` : shown;
}

/** `\u{202e}`. */
function spelledOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
