import type { Report } from '../protocol/report.ts';

/**
 * The text of `JSON.stringify(report, null, 2)` and a line break, in pieces: a run of an hour has more operations than
 * one string can hold.
 */
export function* reportText(report: Report): Generator<string, undefined> {
  let piece = '{';
  let separator = '\n';
  for (const [key, value] of Object.entries(report)) {
    piece += `${separator}  ${JSON.stringify(key)}: `;
    separator = ',\n';
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    if (items.length === 0) piece += indented(value, 2);
    for (const [index, item] of items.entries()) {
      piece += `${index === 0 ? '[' : ','}\n    ${indented(item, 4)}`;
      if (piece.length < longestPiece) continue;
      yield piece;
      piece = '';
    }
    if (items.length > 0) piece += '\n  ]';
  }
  yield `${piece}\n}\n`;
  return undefined;
}

/** Line breaks stand only between the parts of JSON: those within texts are written as `\n`. */
function indented(value: unknown, spaces: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

/** In UTF-16 units: about a megabyte. */
const longestPiece = 1 << 20;
