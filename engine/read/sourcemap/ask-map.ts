import type { MappingItem, SourceMapConsumer } from 'source-map';
import { type Column0, type Line0, type Line1, column0, line0, line1, toLine0 } from '../../../protocol/units.ts';
import type { Place } from '../source-code/source-index.ts';
import { type MapText, lineCount } from './map-text.ts';

/** Where a function was written. It is a helper where no mapping is before it on its line. */
export function originOf(start: ScriptPosition, map: MapText, consumer: SourceMapConsumer): Origin {
  if (start.line === 0 && start.column <= 0) return moduleBody(start, map);
  const found = lookUp(start.line, start.column, consumer);
  const url = sourceAt(found.source, map);
  if (url === null || found.line === null || found.column === null) {
    return start.line === 0 && start.name.startsWith('Object.<anonymous>') ? moduleBody(start, map) : helper;
  }
  return {
    type: 'original',
    url,
    line: toLine0(line1(found.line)),
    column: column0(found.column),
    name: nameOf(start, consumer),
  };
}

const helper = { type: 'helper' } as const;

/** The origin of a function that is a whole script: the whole of its source. A bundle has several sources. */
function moduleBody(start: ScriptPosition, map: MapText): Origin {
  const [only, ...others] = map.sources;
  const url = only?.url ?? null;
  if (others.length > 0) return { type: 'bundle' };
  if (url === null) return { type: 'asWritten' };
  return { type: 'original', url, line: line0(0), column: column0(0), name: start.name };
}

/**
 * The original name of a function. V8's position is that of the parameters, so the name before it is asked for: at the
 * position itself, an arrow function has the name of its parameter.
 */
function nameOf({ line, column, name }: ScriptPosition, consumer: SourceMapConsumer): string {
  if (name === '' || column === 0) return name;
  const before = lookUp(line, column0(column - 1), consumer);
  return before.name === null || name.endsWith(before.name) ? name : before.name;
}

function lookUp(
  line: Line0,
  column: Column0,
  consumer: SourceMapConsumer,
): ReturnType<SourceMapConsumer['originalPositionFor']> {
  const isPlace = isIndex(line) && isIndex(column);
  if (!isPlace) return { source: null, line: null, column: null, name: null };
  return consumer.originalPositionFor({ line: line + 1, column });
}

/** The originals of these lines of a script, in the order of the text; empty for a generated line. */
export function originalLines(
  lines: readonly Line1[],
  map: MapText,
  consumer: SourceMapConsumer,
): ReadonlyMap<Line1, readonly OriginalLine[]> {
  const found = new Map<Line1, Map<string, OriginalLine>>(lines.map((line) => [line, new Map<string, OriginalLine>()]));
  const skipping = new Set<Line1>();
  let hasColumns = false;
  let last: MappingItem | null = null;
  consumer.eachMapping((mapping) => {
    hasColumns ||= mapping.generatedColumn > 0;
    if (last !== null && mapping.source === last.source && mapping.originalLine > last.originalLine + 1)
      skipping.add(line1(last.generatedLine));
    last = mapping;
    const here = found.get(line1(mapping.generatedLine));
    const url = here === undefined ? null : sourceAt(mapping.source, map);
    const isGuess = map.certainLines !== null && !map.certainLines.has(mapping.generatedLine);
    const line = line1(mapping.originalLine);
    if (url !== null) here?.set(`${mapping.source}:${line}`, { url, line, isGuess });
  });
  const isUnsure = (line: Line1): boolean => !hasColumns && skipping.has(line);
  return new Map(
    [...found].map(([line, originals]) => [
      line,
      [...originals.values()].map((original) => (isUnsure(line) ? { ...original, isGuess: true } : original)),
    ]),
  );
}

/** A place in an original. Lines count from 1. */
export interface MappedPlace {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** The last mapping before a place, and the first behind it. */
export interface Surroundings {
  readonly before: MappedPlace | null;
  readonly after: MappedPlace | null;
  /** Where `after` is the first mapping of its source: its place in the script, and where the next source begins. */
  readonly sourceBegins: { readonly at: Place; readonly next: Place | null } | null;
}

/** The nearest mappings around positions, on any lines, in the order asked. */
export function surroundingsOf(
  starts: readonly ScriptPosition[],
  map: MapText,
  consumer: SourceMapConsumer,
): readonly Surroundings[] {
  const inOrder = [...starts.keys()].toSorted((a, b) => compare(starts[a], starts[b]));
  const found: Surroundings[] = starts.map(() => ({ before: null, after: null, sourceBegins: null }));
  /** Where each source begins, in the order of the script. */
  const begins = new Map<string, Place>();
  let last: MappedPlace | null = null;
  let next = 0;
  consumer.eachMapping((mapping) => {
    const url = sourceAt(mapping.source, map);
    if (url === null) return;
    const place = { url, line: mapping.originalLine, column: mapping.originalColumn };
    const at = { line: mapping.generatedLine - 1, column: mapping.generatedColumn };
    for (let index = inOrder[next]; index !== undefined && compare(starts[index], at) < 0; index = inOrder[next]) {
      found[index] = { before: last, after: place, sourceBegins: begins.has(url) ? null : { at, next: null } };
      next += 1;
    }
    last = place;
    if (!begins.has(url)) begins.set(url, at);
  });
  const order = [...begins.values()];
  const behind = new Map(order.map((place, index) => [place, order[index + 1] ?? null]));
  return found.map(({ sourceBegins, ...places }) => {
    if (sourceBegins === null) return { ...places, sourceBegins };
    const { at } = sourceBegins;
    return { ...places, sourceBegins: { at, next: behind.get(at) ?? null } };
  });
}

function compare(a: Place | undefined, b: Place | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return a.line === b.line ? a.column - b.column : a.line - b.line;
}

/** Url of the source of that number; null where the map leaves it open. */
function sourceAt(number: string | null, { sources }: MapText): string | null {
  return number === null ? null : (sources[Number(number)]?.url ?? null);
}

function isIndex(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}

/** Of the words of a script that a map leads to the text of a source: how many are there, and how many are not. */
export interface SameWords {
  readonly there: number;
  readonly missing: number;
}

/** Compares the words of a script with those at their places in the sources, by url of the source. */
export function sameWords(
  text: string,
  sources: ReadonlyMap<string, string>,
  map: MapText,
  consumer: SourceMapConsumer,
): ReadonlyMap<string, SameWords> {
  const lines = text.split('\n');
  const linesOf = new Map([...sources].map(([url, source]) => [url, source.split('\n')]));
  const found = new Map<string, { there: number; missing: number }>();
  consumer.eachMapping((mapping) => {
    const url = sourceAt(mapping.source, map);
    const source = url === null ? undefined : linesOf.get(url);
    if (url === null || source === undefined) return;
    const made = codeAt(lines[mapping.generatedLine - 1], mapping.generatedColumn);
    const word = firstWord(made);
    if (word === '' || isCompilers.test(word) || madeName.test(word)) return;
    const written = codeAt(source[mapping.originalLine - 1], mapping.originalColumn);
    const counts = found.get(url) ?? { there: 0, missing: 0 };
    found.set(url, counts);
    if (firstWord(written) === mapping.name || isSameWord(word, made, written)) counts.there += 1;
    else counts.missing += 1;
  });
  return found;
}

/** The code from a place on; a part of a long line, in which there are many places. */
function codeAt(line: string | undefined, column: number): string {
  return (line ?? '').slice(column, column + MAX_WORD);
}

/** In UTF-16 units. */
const MAX_WORD = 500;

/** The name, number or text that a code begins with; empty for a sign. */
function firstWord(code: string): string {
  return /^(?:[\p{L}\p{N}_$]+|'[^']*'|"[^"]*")/u.exec(code)?.[0] ?? '';
}

/** Whether a word is the one that was written, or made of it: compilers move names, and bundlers leave some out. */
function isSameWord(word: string, made: string, written: string): boolean {
  const source = firstWord(written);
  if (source === '') return /^(?:<|`|\.\.\.)/.test(written); // An element, a template, the rest of the arguments.
  if (plainWord(source) === plainWord(word) || written.startsWith(`${source}.${word}`)) return true;
  if (made.startsWith(`${word} /* `)) return true; // The value of a member of an enum.
  const at = made.indexOf(source, word.length);
  const between = made.slice(word.length, at).replace('.prototype', '').replace(word, '');
  return at > 0 && /^[.["]+$/.test(between); // A member of an enum, a namespace or a class.
}

/** A word in one of the ways to write it: compilers change quotes, and `0b11` or `1_000`. */
function plainWord(word: string): string {
  if (/^\d/.test(word)) return String(Number(word.replaceAll('_', '')));
  return /^['"]/.test(word) ? word.slice(1, -1) : word;
}

/** Signs, and words that compilers write themselves, such as `const` for an import that became a `require`. */
export const isCompilers =
  /^(?:[^\p{L}\p{N}_$'"`].*|const|let|var|function|return|class|new|this|void|if|else|for|while|switch|case|break|try|catch|finally|throw|yield|await|async|static|get|set|of|in|extends|super|null|true|false|undefined|require|exports|module|default|Object|Promise|arguments|value|enumerable|configurable|writable|prototype)$/u;

/** Matches names that compilers make: `cart_1` for an import, `item2`, `__awaiter`, `Math` of a power. */
const madeName = /^_|^import_|^\D.*\d$|^(?:constructor|export|Math)$/;

/** Where a function of a script begins, according to V8. Module bodies begin at line 0, column 0 or less. */
export interface ScriptPosition {
  readonly line: Line0;
  readonly column: Column0;
  /** V8's name; `''` for an anonymous function. */
  readonly name: string;
}

export type Origin =
  | OriginalPosition
  /** A bundler put the function around one module: it is the body of this source. */
  | { readonly type: 'module'; readonly url: string }
  /** A bundler put the function around all modules of its script. */
  | { readonly type: 'bundle' }
  /** In a file whose text is not the one that ran: a function of that name is at this place of it. */
  | { readonly type: 'foundByName'; readonly line: Line0; readonly column: Column0 }
  /** Where it was written is unknown: what ran is not the text of its file. `url`: the source, where one is known. */
  | { readonly type: 'lost'; readonly url?: string }
  /** The file that ran was deleted, and its source map with it. Its lines are those of a file that cannot be opened. */
  | { readonly type: 'gone' }
  /** A compiler's helper in a script that has a map. Its line in the profile is not a line of a source. */
  | { readonly type: 'helper' }
  /** There is no usable map: the script counts as written. */
  | { readonly type: 'asWritten' };

/** `url` is an absolute path, or a URL where the source is not a file; `name` is the original's. */
export interface OriginalPosition extends ScriptPosition {
  /** Present where the source has another text than the one that was built: its function of that name is here. */
  readonly byName?: true;
  readonly type: 'original';
  readonly url: string;
}

export interface OriginalLine {
  readonly url: string;
  readonly line: Line1;
  /** True where the line was found by its words, or the map has only lines and leaves some of them out. */
  readonly isGuess: boolean;
}

export function isPlaceIn(lines: readonly string[], { line, column }: ScriptPosition): boolean {
  const text = lines[line];
  return line < 0 || (text !== undefined && column <= text.length + (line === 0 ? MAX_WRAPPER : 0));
}

/** In columns: `(function (exports, require, module, __filename, __dirname) {` and the like, before a first line. */
const MAX_WRAPPER = 100;

/** Number of lines of the originals whose text the map has. */
export function endsOf({ sources }: MapText): ReadonlyMap<string, number> {
  return new Map(
    sources.flatMap(({ url, content }) => (url === null || content === null ? [] : [[url, lineCount(content)]])),
  );
}

/** The origin, if it is within the compiled text. Code behind its end was added by an instrumenter such as istanbul. */
export function withinText(origin: Origin, ends: ReadonlyMap<string, number>): Origin {
  if (origin.type !== 'original') return origin;
  const end = ends.get(origin.url);
  return end !== undefined && origin.line >= end ? { type: 'helper' } : origin;
}
