/**
 * Characters that change how the text around them looks: controls, line ends, direction marks and overrides,
 * zero-width ones. Names and paths of a profile are whatever the profiled program chose.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const misleading = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]/g;

/** A name from a profile as it can stand on the page: misleading characters spelled out, at most `most` characters long. */
export function safeName(name: string, most = 200): string {
  const start = name.slice(0, most);
  const shown = start.replace(misleading, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return name.length > most ? `${shown}…` : shown;
}
