import type { GrowingReport } from '../../engine/report/report.ts';
import { withEscapedHidden } from '../../words/formats/hidden-characters.ts';

/**
 * The text of `JSON.stringify(report, null, 2)` and a line break, in pieces. Characters that a terminal would obey are
 * escaped. It comes in pieces because a run of an hour has more operations than one string can hold.
 */
export function* reportText(report: GrowingReport): Generator<string, undefined> {
  let piece = '{';
  let separator = '\n';
  for (const [key, value] of Object.entries(report)) {
    piece += `${separator}  ${JSON.stringify(key)}: `;
    separator = ',\n';
    if (!isIterable(value)) {
      piece += indented(value, 2);
      continue;
    }
    let before = '[';
    for (const item of value) {
      piece += `${before}\n    ${indented(item, 4)}`;
      before = ',';
      if (piece.length < longestPiece) continue;
      yield piece;
      piece = '';
    }
    piece += before === '[' ? '[]' : '\n  ]';
  }
  yield `${piece}\n}\n`;
  return undefined;
}

/** A value as indented JSON with a line break, in which characters that a terminal would obey are escaped. */
export function jsonText(value: unknown): string {
  return `${indented(value, 0)}\n`;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** A value as indented JSON. Line breaks are only between its parts: those within texts are written as `\n`. */
function indented(value: unknown, spaces: number): string {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map(withEscapedHidden)
    .join(`\n${' '.repeat(spaces)}`);
}

/** Longest piece in UTF-16 units: about a megabyte. */
const longestPiece = 1 << 20;
