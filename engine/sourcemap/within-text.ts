import type { MapText } from './map-text.ts';
import type { Origin, ScriptPosition } from './origin.ts';

export function isPlaceIn(lines: readonly string[], { line, column }: ScriptPosition): boolean {
  const text = lines[line];
  return line < 0 || (text !== undefined && column <= text.length + (line === 0 ? longestWrapper : 0));
}

/**
 * Longest wrapper in columns: `(function (exports, require, module, __filename, __dirname) {` and its like are before a
 * first line.
 */
const longestWrapper = 100;

/** Number of lines of the originals whose text the map has. */
export function endsOf({ sources }: MapText): ReadonlyMap<string, number> {
  return new Map(
    sources.flatMap(({ url, content }) => (url === null || content === null ? [] : [[url, lineCount(content)]])),
  );
}

/**
 * The origin, if it is within the text. What is behind the end of the text that was compiled was added by an
 * instrumenter such as istanbul, with its template's lines.
 */
export function withinText(origin: Origin, ends: ReadonlyMap<string, number>): Origin {
  if (origin.type !== 'original') return origin;
  const end = ends.get(origin.url);
  return end !== undefined && origin.line >= end ? { type: 'helper' } : origin;
}

export function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
