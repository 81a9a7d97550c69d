import { indexSource } from '../source-code/index-source.ts';
import { type SourceFunction, type SourceIndex, functionAt } from '../source-code/source-index.ts';
import type { ScriptPosition } from '../sourcemap/ask-map.ts';
import { type Line1, column0, line0, line1, toLine0, toLine1 } from '../../../protocol/units.ts';
import { sourceTokens, type SourceTokens } from '../source-code/source-tokens.ts';
import { groupBy, firstWhere } from '../../basics/lists.ts';

export interface PlaceInText {
  /** Where a function begins in the other text; null where it is missing; `unknown` where it cannot be compared. */
  readonly function: (start: ScriptPosition) => Pick<ScriptPosition, 'line' | 'column'> | 'unknown' | null;
  /**
   * The line there, for a line of a function that is there, too; else for a line that each text has once; else null.
   */
  readonly line: (line: Line1) => Line1 | null;
}

/** Functions are the same where their tokens are, without comments. `before` may be TypeScript without its types. */
export function placeInText(before: string, now: string, url: string): PlaceInText {
  const sameLine = sameLines(before.split('\n'), now.split('\n'));
  const [oldIndex, index] = [indexSource(before, url), indexSource(now, url)];
  const reading = withoutTypes.test(before) ? ofShape(before, now) : ofTokens(before, now, url);
  const same = oldIndex === null || index === null ? [] : sameFunctions(oldIndex, index, sameLine, reading);
  const byNumber = new Map(same.map((one) => [one.number, one]));
  const innermost = innermostByLine(same);
  return {
    function: (start) => {
      const number = oldIndex === null ? -1 : functionAt(oldIndex, start.line, start.column, start.name);
      if (number < 0 || index === null) return 'unknown';
      const found = byNumber.get(number);
      return found === undefined ? null : reading.placeNow(found, start);
    },
    line: (line) => {
      const around = innermost.get(line);
      return around === undefined ? (sameLine.get(line) ?? null) : reading.lineNow(around, line);
    },
  };
}

interface SameFunction {
  readonly number: number;
  readonly fn: SourceFunction;
  readonly there: SourceFunction;
}

function innermostByLine(same: readonly SameFunction[]): ReadonlyMap<Line1, SameFunction> {
  const innermost = new Map<Line1, SameFunction>();
  for (const one of same) for (const line of linesOfFunction(one.fn)) innermost.set(line, one);
  return innermost;
}

/** The same functions in both texts, in the order of the older one (inner after outer). Of equal ones, the nearest. */
function sameFunctions(
  oldIndex: SourceIndex,
  index: SourceIndex,
  sameLine: ReadonlyMap<Line1, Line1>,
  { keyBefore, keyNow, isSame }: Reading,
): readonly SameFunction[] {
  const groups = groupBy(index.functions.slice(1), keyNow);
  const candidates = new Map(
    [...groups].map(([key, alike]) => [key, alike.toSorted((a, b) => a.start.line - b.start.line)]),
  );
  return oldIndex.functions.flatMap((fn, number): readonly SameFunction[] => {
    const expected = sameLine.get(fn.start.line) ?? fn.start.line;
    const free = number === 0 ? [] : (candidates.get(keyBefore(fn)) ?? []);
    const at = nearest(free, expected, (one) => isSame(fn, one));
    const [there] = at < 0 ? [] : free.splice(at, 1);
    return there === undefined ? [] : [{ number, fn, there }];
  });
}

/** Index of the right function that begins nearest to a line, of two the upper one; −1 where none is right. */
function nearest(functions: readonly SourceFunction[], line: Line1, isRight: (fn: SourceFunction) => boolean): number {
  const far = (index: number): number => Math.abs((functions[index]?.start.line ?? Infinity) - line);
  let below = firstWhere(functions.length, (index) => (functions[index]?.start.line ?? 0) >= line);
  let above = below - 1;
  while (above >= 0 || below < functions.length) {
    const next = far(above) <= far(below) ? above-- : below++;
    const fn = functions[next];
    if (fn !== undefined && isRight(fn)) return next;
  }
  return -1;
}

/** Functions that are the same have the same key. */
interface Reading {
  readonly keyBefore: (fn: SourceFunction) => string;
  readonly keyNow: (fn: SourceFunction) => string;
  readonly isSame: (before: SourceFunction, now: SourceFunction) => boolean;
  /** Where a place of a function is in the newer text. */
  readonly placeNow: (same: SameFunction, place: Pick<ScriptPosition, 'line' | 'column'>) => typeof place;
  readonly lineNow: (same: SameFunction, line: Line1) => Line1;
}

function ofTokens(before: string, now: string, url: string): Reading {
  const [old, current] = [sourceTokens(before, url), sourceTokens(now, url)];
  const numbers = new Map<string, number>();
  const numberOf = (token: string): number => {
    const number = numbers.get(token) ?? numbers.size;
    numbers.set(token, number);
    return number;
  };
  const keyIn = ({ tokens, rangeOf }: SourceTokens): Reading['keyNow'] => {
    const keys = rangeKeys(tokens.map(numberOf));
    return (fn) => `${fn.kind} ${keys(...rangeOf(fn))}`;
  };
  const shiftOf = ({ fn, there }: SameFunction): number => current.rangeOf(there)[0] - old.rangeOf(fn)[0];
  return {
    keyBefore: keyIn(old),
    keyNow: keyIn(current),
    isSame: () => true,
    placeNow: (same, { line, column }) => {
      const [first] = old.rangeOf(same.fn);
      const { token, behind } = old.tokenAt(line, column);
      // A source map may give a place before the function.
      const place = current.placeOf(Math.max(first, token) + shiftOf(same));
      return token < first ? place : { line: place.line, column: column0(place.column + behind) };
    },
    lineNow: (same, line) => {
      const [first] = old.rangeOf(same.fn);
      const [from, to] = old.rangeOfLine(toLine0(line));
      // A line without a beginning of a token is inside one, such as a long template.
      const token = Math.max(first, from < to ? from : from - 1);
      const inside = from < to ? 0 : Math.max(0, line - toLine1(old.placeOf(token).line));
      return line1(toLine1(current.placeOf(token + shiftOf(same)).line) + inside);
    },
  };
}

/** Compares where Node removed types: it wrote blanks for them, and a semicolon for a type that began a statement. */
function ofShape(before: string, now: string): Reading {
  const [old, current] = [before.split('\n'), now.split('\n')];
  const keyIn = (lines: readonly string[]): Reading['keyNow'] => {
    const keys = rangeKeys(lines.map(({ length }) => length));
    return ({ kind, start, end }) => `${kind} ${start.column} ${keys(start.line - 1, end.line)}`;
  };
  const known = new Map<number, boolean>();
  const isSameLine = (line: number, there: number): boolean => {
    const pair = line * current.length + there;
    const same = known.get(pair) ?? isWithoutTypes(old[line] ?? '', current[there] ?? '');
    known.set(pair, same);
    return same;
  };
  const shiftOf = ({ fn, there }: SameFunction): number => there.start.line - fn.start.line;
  return {
    keyBefore: keyIn(old),
    keyNow: keyIn(current),
    isSame: (fn, there) =>
      linesOfFunction(fn).every((line) => isSameLine(line - 1, line - 1 + there.start.line - fn.start.line)),
    placeNow: (same, { line, column }) => ({ line: line0(line + shiftOf(same)), column }),
    lineNow: (same, line) => line1(line + shiftOf(same)),
  };
}

function isWithoutTypes(stripped: string, typed: string): boolean {
  for (let at = 0; at < stripped.length; at += 1) {
    if (stripped[at] !== typed[at] && !/[\s;]/.test(stripped[at] ?? '')) return false;
  }
  return true;
}

/** Node adds this line to a text from which it has removed the types. */
const withoutTypes = /\n\n\/\/# sourceURL=.*\s*$/;

function linesOfFunction({ start, end }: SourceFunction): readonly Line1[] {
  return Array.from({ length: end.line - start.line + 1 }, (_, index) => line1(start.line + index));
}

/** The lines that each text has exactly once, trimmed, by their numbers in the older one. */
function sameLines(old: readonly string[], current: readonly string[]): ReadonlyMap<Line1, Line1> {
  const now = onlyOnes(current);
  return new Map(
    [...onlyOnes(old)].flatMap(([text, line]) => {
      const there = now.get(text);
      return there === undefined ? [] : [[line, there] as const];
    }),
  );
}

function onlyOnes(lines: readonly string[]): ReadonlyMap<string, Line1> {
  const groups = groupBy(
    lines.map((whole, index) => ({ text: whole.trim(), line: line1(index + 1) })),
    ({ text }) => text,
  );
  return new Map(
    [...groups].flatMap(([text, [first, second]]) =>
      first === undefined || second !== undefined ? [] : [[text, first.line] as const],
    ),
  );
}

/**
 * Makes keys for ranges of a list of whole numbers below 2^26, `to` excluded: equal ranges have equal keys. Each takes
 * the same short time, however long the range is, because functions contain each other.
 */
function rangeKeys(numbers: readonly number[]): (from: number, to: number) => string {
  const hashes = moduli.map((modulus) => rangeHashes(numbers, modulus));
  return (from, to) => `${to - from} ${hashes.map((hash) => hash(from, to)).join(' ')}`;
}

/** Primes below 2^26: products stay whole numbers. With both, different ranges have the same key once in 2^51. */
const moduli = [67_108_859, 67_108_837];
const base = 31_415_927;

/** Polynomials of the numbers before each place. That of a range is the difference of two. */
function rangeHashes(numbers: readonly number[], modulus: number): (from: number, to: number) => number {
  const [before, powers] = [[0], [1]];
  for (const number of numbers) {
    before.push(((before.at(-1) ?? 0) * base + number + 1) % modulus);
    powers.push(((powers.at(-1) ?? 1) * base) % modulus);
  }
  return (from, to) => {
    const left = ((before[from] ?? 0) * (powers[to - from] ?? 1)) % modulus;
    return ((before[to] ?? 0) - left + modulus) % modulus;
  };
}
