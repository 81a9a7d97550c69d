import { functionAt, type Place } from '../source-code/source-index.ts';
import { onceEach } from '../../basics/once.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import type { Surroundings, Origin, ScriptPosition } from './ask-map.ts';

/**
 * Finds the functions in which bundlers wrap modules (`"src/a.js"(exports, module) {`, `123: (e, t, n) => {`, `function
 * requireA() {`) and whole bundles. No map names them, but they are open at the first word of a source. `surroundings`
 * has one entry for each start, `text` is that of the bundle.
 */
export async function withModules(
  starts: readonly ScriptPosition[],
  origins: readonly Origin[],
  surroundings: readonly Surroundings[],
  text: string,
  indexes: SourceIndexes,
): Promise<readonly Origin[]> {
  const isOpen = createBodyScanner(text);
  const begins = await Promise.all(origins.map(async (origin, at) => beginsSource(origin, starts[at], indexes)));
  return origins.map((origin, at) => {
    const start = starts[at];
    if (begins[at] === true && origin.type === 'original') return { type: 'module', url: origin.url };
    const { after = null, sourceBegins = null } = surroundings[at] ?? {};
    if (start === undefined || after === null || sourceBegins === null) return origin;
    const isInSource = origin.type === 'original' && origin.url === after.url;
    if (isInSource || isModuleBody(start) || !isOpen(start, sourceBegins.at)) return origin;
    const hasOthers = sourceBegins.next !== null && isOpen(start, sourceBegins.next);
    return hasOthers ? { type: 'bundle' } : { type: 'module', url: after.url };
  });
}

/**
 * Whether a map puts a wrapper at the begin of its source. Then no function is there, or it is named after the file.
 */
async function beginsSource(
  origin: Origin,
  start: ScriptPosition | undefined,
  indexes: SourceIndexes,
): Promise<boolean> {
  if (origin.type !== 'original' || start === undefined || isModuleBody(start)) return false;
  if (origin.line > 0 || origin.column > 0) return false;
  if (/[\\/]/.test(start.name)) return true;
  const index = await indexes.of(origin.url);
  return index !== null && functionAt(index, origin.line, origin.column, start.name) < 0;
}

function isModuleBody({ line, column }: Place): boolean {
  return line === 0 && column <= 0;
}

/**
 * Whether the body of the function whose parameters begin at `from` is still open at `to`. Counts brackets outside of
 * strings, templates, regular expressions and comments. Reads each place of the text once.
 */
export function createBodyScanner(text: string): (from: Place, to: Place) => boolean {
  const starts = lineStarts(text);
  const offsetOf = ({ line, column }: Place): number => (starts[line] ?? text.length) + column;
  const endOf = onceEach((begin: number) => bodyOf(text, begin));
  return (from, to) => offsetOf(to) < endOf(offsetOf(from));
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The position behind the last brace of a body; its begin where it has none. */
function bodyOf(text: string, begin: number): number {
  const open = { brackets: 0, braces: 0 };
  const scanner = new Scanner(text, begin);
  for (let sign = scanner.next(); sign !== ''; sign = scanner.next()) {
    const isOutside = open.braces === 0;
    if (isOutside && sign === '(') open.brackets += 1;
    if (isOutside && sign === ')') open.brackets -= 1;
    if (open.brackets === 0 && sign === '{') open.braces += 1;
    if (open.brackets === 0 && sign === '}') open.braces -= 1;
    if (open.brackets < 0 || open.braces < 0) return begin;
    const isHead = isOutside && sign === ')' && open.brackets === 0;
    if (isHead && !bodyBegins.test(text.slice(scanner.at, scanner.at + MAX_GAP))) return begin;
    if (sign === '}' && open.brackets === 0 && open.braces === 0) return scanner.at;
  }
  return open.braces > 0 ? text.length : begin;
}

/** Matches what may be between parameters and body. Any other text is the expression of an arrow function. */
const bodyBegins = /^\s*(?:=>\s*)?(?:\/\*[^*]*\*\/\s*|\/\/.*\s*)?\{/;

/** In UTF-16 units. */
const MAX_GAP = 200;

/** Finds the brackets of a text. */
class Scanner {
  readonly #text: string;
  /** The last sign that is not white space, which decides what a slash means. */
  #last = '(';
  /** Up to this position a slash begins nothing, because no regular expression ends before its line does. */
  #noRegExpBefore = 0;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** The next bracket; `''` at the end. */
  next(): string {
    while (this.at < this.#text.length) {
      const sign = this.#text[this.at] ?? '';
      const behind = this.#behind(sign);
      const isSign = behind === this.at;
      this.at = isSign ? this.at + 1 : behind;
      if (sign.trim() !== '') this.#last = isSign ? sign : ')';
      if (isSign && '(){}'.includes(sign)) return sign;
    }
    return '';
  }

  /** The position behind a string, template, comment or regular expression that begins here, else this position. */
  #behind(sign: string): number {
    if (sign === '"' || sign === "'" || sign === '`') return this.#closing(sign).end;
    if (sign !== '/') return this.at;
    const next = this.#text[this.at + 1];
    if (next === '/') return this.#found('\n', 0);
    if (next === '*') return this.#found('*/', 2);
    if (!beforeRegExp.has(this.#last) || this.at < this.#noRegExpBefore) return this.at;
    const { end, isClosed } = this.#closing('/');
    if (!isClosed) this.#noRegExpBefore = end;
    return isClosed ? end : this.at;
  }

  #found(words: string, size: number): number {
    const found = this.#text.indexOf(words, this.at + 2);
    return found < 0 ? this.#text.length : found + size;
  }

  /** Where a string, template or regular expression ends. Bundlers write no templates in templates. */
  #closing(sign: string): { readonly end: number; readonly isClosed: boolean } {
    let isInClass = false;
    for (let end = this.at + 1; end < this.#text.length; end += 1) {
      const here = this.#text[end];
      if (here === '\\') end += 1;
      else if (here === '\n' && sign !== '`') return { end, isClosed: false };
      else if (sign === '/' && here === '[') isInClass = true;
      else if (sign === '/' && here === ']') isInClass = false;
      else if (here === sign && !isInClass) return { end: end + 1, isClosed: true };
    }
    return { end: this.#text.length, isClosed: false };
  }
}

/** Signs after which a slash begins a regular expression and is not a division. */
const beforeRegExp = new Set('(,=:[!&|?{};+-*%~^<>');
