import { codeText } from '../../../protocol/code-text.ts';
import { column0, type Column0, line0, type Line0, toLine0 } from '../../../protocol/units.ts';
import { firstFrom } from '../../basics/lists.ts';
import type { SourceFunction } from './source-index.ts';

/** The tokens of a source by the places of its index, without comments and white space. */
export interface SourceTokens {
  readonly tokens: readonly string[];
  /** The tokens of a function: the first one, and the one behind the last. */
  readonly rangeOf: (fn: SourceFunction) => readonly [first: number, end: number];
  /** The tokens that begin on a line from 0: the first one, and the one behind the last. */
  readonly rangeOfLine: (line: Line0) => readonly [first: number, end: number];
  /** The last token that begins at or before a place, and how many UTF-16 units behind its beginning that is. */
  readonly tokenAt: (line: Line0, column: number) => { readonly token: number; readonly behind: number };
  readonly placeOf: (token: number) => { readonly line: Line0; readonly column: Column0 };
}

export function sourceTokens(text: string, path: string): SourceTokens {
  const lines = lineStarts(text);
  const { tokens, starts } = codeText(text, path);
  const startOf = (line: number): number => lines[line] ?? (line < 0 ? 0 : text.length);
  const firstAt = ({ line, column }: SourceFunction['start']): number =>
    firstFrom(starts, startOf(toLine0(line)) + column);
  return {
    tokens,
    rangeOf: ({ kind, start, end }) => (kind === 'module' ? [0, tokens.length] : [firstAt(start), firstAt(end)]),
    rangeOfLine: (line) => [firstFrom(starts, startOf(line)), firstFrom(starts, startOf(line + 1))],
    tokenAt: (line, column) => {
      const offset = startOf(line) + column;
      const token = Math.max(0, firstFrom(starts, offset + 1) - 1);
      return { token, behind: Math.max(0, offset - (starts[token] ?? 0)) };
    },
    placeOf: (token) => {
      const offset = starts[token] ?? text.length;
      const line = firstFrom(lines, offset + 1) - 1;
      return { line: line0(line), column: column0(offset - startOf(line)) };
    },
  };
}

/** Where each line begins in a text, by the line ends of JavaScript. */
function lineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|[\n\u2028\u2029]/g), ({ index, 0: end }) => index + end.length)];
}
