import type { LazyReport } from '../../show/report/report.ts';
import { withEscapedHidden } from '../../words/formats/foreign-text.ts';

/**
 * `JSON.stringify(report, null, 2)` and a line break, with characters that a terminal obeys escaped. In pieces, because the
 * operations of a run of an hour do not fit into one string.
 */
export function* reportText(report: LazyReport): Generator<string, void> {
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
      if (piece.length < MAX_PIECE) continue;
      yield piece;
      piece = '';
    }
    piece += before === '[' ? '[]' : '\n  ]';
  }
  yield `${piece}\n}\n`;
}

/** Groups items, because writing them one by one takes longer. */
function* inGroups(items: Iterable<unknown>): Generator<readonly unknown[], void> {
  let group: unknown[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < MAX_IN_GROUP) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

const MAX_IN_GROUP = 64;

/** A value as indented JSON with a line break, with characters that a terminal obeys escaped. */
export function jsonText(value: unknown): string {
  return `${withoutHidden(JSON.stringify(value, null, 2))}\n`;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** A value as indented JSON inside an object. Line breaks are only between its parts. */
function indented(value: unknown): string {
  return withoutHidden(JSON.stringify([value], null, 2).slice('[\n  '.length, -'\n]'.length));
}

function withoutHidden(json: string): string {
  return isPlain.test(json) ? json : json.split('\n').map(withEscapedHidden).join('\n');
}

const isPlain = /^[\n -~]*$/;

/** In UTF-16 units. */
const MAX_PIECE = 1 << 20;
