import { type Column0, type Line0, toLine0 } from '../../../protocol/units.ts';
import { groupBy } from '../../basics/lists.ts';
import { indexSource } from '../source-code/index-source.ts';
import { isBefore, type SourceFunction } from '../source-code/source-index.ts';
import { sourceTokens, type SourceTokens } from '../source-code/source-tokens.ts';
import type { ScriptPosition } from '../sourcemap/ask-map.ts';

/** Where functions that ran are in a text, in the order asked. */
export interface FoundFunctions {
  /** True where each begins on the line that V8 gives: then this is the text that ran, as far as V8 knows it. */
  readonly isSame: boolean;
  /** Where each is now, if the text is another one; null where that is not known. */
  readonly places: readonly (ScriptPosition | null)[];
}

/**
 * Looks for functions on the lines that V8 gives and, where one is not there, for all of them by their names. The old
 * text is unknown here, so `matchFunctions` and `mapCode`, which compare the tokens of two texts, cannot do it.
 */
export function findFunctions(text: string, url: string, starts: readonly ScriptPosition[]): FoundFunctions {
  const index = indexSource(text, url);
  if (index === null) return { isSame: true, places: starts }; // A text that cannot be parsed says nothing.
  const tokens = sourceTokens(text, url);
  const heads = index.functions.flatMap((fn) =>
    fn.kind === 'function' || fn.kind === 'class' ? [headOf(fn, tokens)] : [],
  );
  const lines = text.split('\n');
  if (starts.every((start) => isThere(start, heads, lines))) return { isSame: true, places: starts };
  const shortest = text.length > MAX_USUAL_LINE * lines.length ? MIN_MINIFIED_NAME : 1;
  const named = placesByName(starts, heads, shortest);
  return { isSame: false, places: starts.map((start, at) => named[at] ?? placeBetween(start, starts, named, heads)) };
}

/** In UTF-16 units, on average: in a minified text lines are longer. */
const MAX_USUAL_LINE = 200;
/** In UTF-16 units. Minifiers hand out shorter names differently in each build, so those identify nothing. */
const MIN_MINIFIED_NAME = 4;

/** What a function has before its body. */
interface Head {
  readonly fn: SourceFunction;
  /** Its own name; empty where it has none. */
  readonly name: string;
  readonly firstLine: Line0;
  readonly lastLine: Line0;
  /** Where V8 says that it begins: at its parameters; an arrow function and a class at their very begin. */
  readonly line: Line0;
  readonly column: Column0;
}

export function headOf(fn: SourceFunction, { tokens, rangeOf, tokenAt, placeOf }: SourceTokens): Head {
  const firstLine = toLine0(fn.start.line);
  const lastLine = fn.kind === 'class' ? firstLine : toLine0(fn.bodyStart.line);
  const title = fn.title ?? '';
  const [first] = rangeOf(fn);
  const body = tokenAt(toLine0(fn.bodyStart.line), fn.bodyStart.column).token;
  const parameters = tokens.indexOf('(', first);
  const isArrow = tokens[body - 1] === '=>';
  const hasBegin = fn.kind === 'class' || isArrow || parameters < 0 || parameters >= body;
  return {
    name: title.includes(' ') ? '' : lastName(title),
    fn,
    firstLine,
    lastLine,
    ...(hasBegin ? { line: firstLine, column: fn.start.column } : placeOf(parameters)),
  };
}

/** Whether a function can begin where V8 says. In usual lines columns do not count: engines give different ones. */
function isThere(start: ScriptPosition, heads: readonly Head[], lines: readonly string[]): boolean {
  if (isModuleBody(start) || start.line < 0) return true;
  const name = lastName(start.name);
  const near = lines.slice(Math.max(0, start.line - NAMED_ABOVE), start.line + 1).join('\n');
  return heads.some((head) => {
    if (isOfFields(head, start)) return true;
    if (start.line < head.firstLine || start.line > head.lastLine) return false;
    if ((lines[start.line]?.length ?? 0) > MAX_USUAL_LINE && !isIn(head, start)) return false;
    return name === '' || head.name === name || (head.name === '' && near.includes(name));
  });
}

/** V8 puts the code that sets the fields of a class at the first of them, under the name of the class. */
function isOfFields({ fn, name }: Head, start: ScriptPosition): boolean {
  const isNamed = start.name.startsWith('<') || lastName(start.name) === name;
  return fn.kind === 'class' && isNamed && start.line >= toLine0(fn.start.line) && start.line < fn.end.line;
}

function isIn({ fn: { start, bodyStart } }: Head, { line, column }: ScriptPosition): boolean {
  const place = { line: line + 1, column };
  return !isBefore(place, start) && isBefore(place, bodyStart);
}

/** In lines: V8 names a function after what it is assigned to, a little above. */
const NAMED_ABOVE = 3;

/** The functions whose names are once in the text, and once in what ran. */
function placesByName(
  starts: readonly ScriptPosition[],
  heads: readonly Head[],
  shortest: number,
): readonly (ScriptPosition | null)[] {
  const byName = groupBy(
    heads.filter(({ fn }) => fn.kind === 'function'),
    ({ name }) => name,
  );
  const ran = groupBy(starts, ({ name }) => lastName(name));
  return starts.map((start) => {
    const name = lastName(start.name);
    const [found, ...others] = byName.get(name) ?? [];
    const isOnly = others.length === 0 && ran.get(name)?.every(({ line, column }) => isAt(start, line, column));
    if (name.length < shortest || found === undefined || isOnly !== true) return null;
    return { ...start, line: found.line, column: found.column };
  });
}

function isAt(place: Pick<ScriptPosition, 'line' | 'column'>, line: number, column: number): boolean {
  return place.line === line && place.column === column;
}

/**
 * The place of a function without a name between two that were found: as far from them as before, or the only one that
 * begins in its column. Null where it may be another one.
 */
function placeBetween(
  start: ScriptPosition,
  starts: readonly ScriptPosition[],
  named: readonly (ScriptPosition | null)[],
  heads: readonly Head[],
): ScriptPosition | null {
  if (lastName(start.name) !== '' || isModuleBody(start) || start.line < 0) return null;
  const anchors = starts.flatMap((was, at) => {
    const now = named[at] ?? null;
    return now === null ? [] : [{ was: was.line, now: now.line }];
  });
  const above = anchors.filter(({ was }) => was <= start.line).toSorted((a, b) => b.was - a.was)[0];
  const below = anchors.filter(({ was }) => was > start.line).toSorted((a, b) => a.was - b.was)[0];
  if (above === undefined && below === undefined) return null;
  const isBetween = (line: number, side: 'was' | 'now'): boolean =>
    line >= (above?.[side] ?? 0) && line <= (below?.[side] ?? Infinity);
  const inColumn = heads.filter(
    ({ name, line, column }) => name === '' && column === start.column && isBetween(line, 'now'),
  );
  const shift = above === undefined ? null : above.now - above.was;
  const isShifted = shift !== null && below !== undefined && below.now - below.was === shift;
  const rivals = starts.filter(
    (one) => lastName(one.name) === '' && one.column === start.column && isBetween(one.line, 'was'),
  );
  const fitting = isShifted ? inColumn.filter(({ line }) => line === start.line + shift) : inColumn;
  const [only, ...others] = fitting;
  const isSure = only !== undefined && others.length === 0 && (isShifted || rivals.length === 1);
  return isSure ? { ...start, line: only.line, column: only.column } : null;
}

/**
 * Whether all functions can begin where V8 says in this text, seen from the characters there alone: a tenth of the
 * time of parsing it. False proves nothing, as other engines give other columns.
 */
export function mayHaveRun(text: string, starts: readonly ScriptPosition[]): boolean {
  const lines = text.split('\n');
  return starts.every((start) => {
    if (isModuleBody(start) || start.line < 0 || start.column < 0) return true;
    const line = lines[start.line];
    return line !== undefined && start.column < line.length && isBegin(line, start.column, lastName(start.name));
  });
}

/** Whether a function of that name may begin here: at its parameters, or at an arrow function or class itself. */
function isBegin(line: string, column: number, name: string): boolean {
  const before = line.slice(Math.max(0, column - MAX_BEFORE), column).trimEnd();
  if (line[column] !== '(') return begin.test(line.slice(column, column + MAX_BEFORE));
  const word = /[\p{L}\p{N}_$#]+$/u.exec(before)?.[0] ?? '';
  return word === '' || word === name || isKeyword.test(word);
}

/** In UTF-16 units. */
const MAX_BEFORE = 100;
const begin = /^(?:async\b|class\b|static\b|function\b|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u;
const isKeyword = /^(?:function|async|return|yield|await|default|constructor|of|in|case|throw|void|typeof)$/;

/** Whether it is the body of a whole script, maybe in the function that a test runner puts around it. */
export function isModuleBody({ line, column, name }: ScriptPosition): boolean {
  return line === 0 && (column <= 0 || name === 'Object.<anonymous>');
}

/** The name in the source: `total` of `Cart.total`, `price` of `get price`. Empty for `(anonymous)`. */
export function lastName(name: string): string {
  return /[\p{L}\p{N}_$]+$/u.exec(name)?.[0] ?? '';
}
