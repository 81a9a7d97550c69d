import type { GrowingReport } from '../../show/report/report.ts';
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
      piece += indented(value);
      continue;
    }
    let before = '[';
    for (const items of inGroups(value)) {
      // Without the brackets of the group, its items are those of the list.
      piece += before + indented(items).slice('['.length, -'\n  ]'.length);
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

/** Items in lists of a few: writing each by itself takes longer. */
function* inGroups(items: Iterable<unknown>): Generator<readonly unknown[], undefined> {
  let group: unknown[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < mostInGroup) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
  return undefined;
}

const mostInGroup = 64;

/** A value as indented JSON with a line break, in which characters that a terminal would obey are escaped. */
export function jsonText(value: unknown): string {
  return `${withoutHidden(JSON.stringify(value, null, 2))}\n`;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/**
 * A value as indented JSON, as it stands within an object. Line breaks are only between its parts: those within texts are
 * written as `\n`.
 */
function indented(value: unknown): string {
  return withoutHidden(JSON.stringify([value], null, 2).slice('[\n  '.length, -'\n]'.length));
}

function withoutHidden(json: string): string {
  return isPlain.test(json) ? json : json.split('\n').map(withEscapedHidden).join('\n');
}

/** Most reports have nothing else in them. */
const isPlain = /^[\n -~]*$/;

/** Longest piece in UTF-16 units: about a megabyte. */
const longestPiece = 1 << 20;
