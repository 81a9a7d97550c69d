import { groupBy } from '../basics/group-by.ts';
import { indexSource } from '../source-code/index-source.ts';
import { type SourceFunction, type SourceIndex, functionAt } from '../source-code/source-index.ts';
import type { ScriptPosition } from '../sourcemap/origin.ts';
import { type Line1, column0, line0, line1 } from '../../protocol/units.ts';

/** Where functions and lines of one text stand in another one of the same file. */
export interface PlaceInText {
  /** Where a function begins there; null where its text does not stand there; `unknown` where nobody can tell its text. */
  readonly function: (start: ScriptPosition) => Pick<ScriptPosition, 'line' | 'column'> | 'unknown' | null;
  /** A line of a function that stands there too, or, outside of these, one that each text has once; else null. */
  readonly line: (line: Line1) => Line1 | null;
}

/**
 * Functions are the same where their lines are, without the white space at the ends of these: of several on one line, that
 * whole line. `before` may be TypeScript from
 * which Node took the types. `url`: of the file.
 */
export function placeInText(before: string, now: string, url: string): PlaceInText {
  const [old, current] = [linesOf(before), linesOf(now)];
  const [oldIndex, index] = [indexSource(before, url), indexSource(now, url)];
  const sameLine = sameLines(old, current);
  const reading = withoutTypes.test(before) ? ofShape(old, current) : ofText(old, current);
  const same = oldIndex === null || index === null ? [] : sameFunctions(oldIndex, index, sameLine, reading);
  const byNumber = new Map(same.map((fn) => [fn.number, fn]));
  const innermost = innermostByLine(same);
  return {
    function: (start) => {
      const number = oldIndex === null ? -1 : functionAt(oldIndex, start.line, start.column, start.name);
      if (number < 0 || index === null) return 'unknown';
      const found = byNumber.get(number);
      if (found === undefined) return null;
      const line = start.line + found.shift;
      const indented = (current[line]?.indent ?? 0) - (old[start.line]?.indent ?? 0);
      return { line: line0(line), column: column0(Math.max(0, start.column + indented)) };
    },
    line: (line) => {
      const around = innermost.get(line);
      return around === undefined ? (sameLine.get(line) ?? null) : line1(line + around.shift);
    },
  };
}

interface SameFunction {
  /** In the index of the older text. */
  readonly number: number;
  readonly fn: SourceFunction;
  /** Lines further down. */
  readonly shift: number;
}

function innermostByLine(same: readonly SameFunction[]): ReadonlyMap<Line1, SameFunction> {
  const innermost = new Map<Line1, SameFunction>();
  for (const one of same) for (const line of linesOfFunction(one.fn)) innermost.set(line, one);
  return innermost;
}

/** In the order of the older text: an inner one comes after the one around it. Of several that read the same, the nearest. */
function sameFunctions(
  oldIndex: SourceIndex,
  index: SourceIndex,
  sameLine: ReadonlyMap<Line1, Line1>,
  { keyBefore, keyNow, isSame }: Reading,
): readonly SameFunction[] {
  const groups = groupBy(index.functions.slice(1), keyNow);
  const candidates = new Map([...groups].map(([key, alike]) => [key, inOrder(alike)]));
  return oldIndex.functions.flatMap((fn, number): readonly SameFunction[] => {
    const expected = sameLine.get(fn.start.line) ?? fn.start.line;
    const free = number === 0 ? [] : (candidates.get(keyBefore(fn)) ?? []);
    const at = nearest(free, expected, (one) => isSame(fn, one));
    const [found] = at < 0 ? [] : free.splice(at, 1);
    return found === undefined ? [] : [{ number, fn, shift: found.start.line - fn.start.line }];
  });
}

function inOrder(functions: readonly SourceFunction[]): SourceFunction[] {
  return functions.toSorted((a, b) => a.start.line - b.start.line);
}

/** Index of the one to begin nearest to a line, the upper one of two; −1: none is right. */
function nearest(functions: readonly SourceFunction[], line: Line1, isRight: (fn: SourceFunction) => boolean): number {
  const far = (index: number): number => Math.abs((functions[index]?.start.line ?? Infinity) - line);
  let below = firstFrom(functions, line);
  let above = below - 1;
  while (above >= 0 || below < functions.length) {
    const next = far(above) <= far(below) ? above-- : below++;
    const fn = functions[next];
    if (fn !== undefined && isRight(fn)) return next;
  }
  return -1;
}

/** Index of the first to begin at a line or below it, found by halves. */
function firstFrom(functions: readonly SourceFunction[], line: Line1): number {
  let [low, high] = [0, functions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((functions[middle]?.start.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How functions of two texts are compared: those that are the same have the same key. */
interface Reading {
  readonly keyBefore: (fn: SourceFunction) => string;
  readonly keyNow: (fn: SourceFunction) => string;
  readonly isSame: (before: SourceFunction, now: SourceFunction) => boolean;
}

/** Two that begin on one line differ by where. */
function ofText(before: readonly TextLine[], now: readonly TextLine[]): Reading {
  const numbers = new Map<string, number>();
  const numberOf = ({ text }: TextLine): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const keyIn = (lines: readonly TextLine[]): Reading['keyNow'] => {
    const keys = rangeKeys(lines.map(numberOf));
    return ({ kind, start, lastLine }) =>
      `${kind} ${start.column - (lines[start.line - 1]?.indent ?? 0)} ${keys(start.line - 1, lastLine)}`;
  };
  return { keyBefore: keyIn(before), keyNow: keyIn(now), isSame: () => true };
}

/** Node has put blanks in the place of types, and of a type that began a statement a semicolon. */
function ofShape(before: readonly TextLine[], now: readonly TextLine[]): Reading {
  const keyIn = (lines: readonly TextLine[]): Reading['keyNow'] => {
    const keys = rangeKeys(lines.map(({ whole }) => whole.length));
    return ({ kind, start, lastLine }) => `${kind} ${start.column} ${keys(start.line - 1, lastLine)}`;
  };
  const known = new Map<number, boolean>();
  const isSameLine = (line: number, there: number): boolean => {
    const pair = line * now.length + there;
    const same = known.get(pair) ?? isWithoutTypes(before[line]?.whole ?? '', now[there]?.whole ?? '');
    known.set(pair, same);
    return same;
  };
  return {
    keyBefore: keyIn(before),
    keyNow: keyIn(now),
    isSame: (fn, there) =>
      linesOfFunction(fn).every((line) => isSameLine(line - 1, line - 1 + there.start.line - fn.start.line)),
  };
}

function isWithoutTypes(stripped: string, typed: string): boolean {
  for (let at = 0; at < stripped.length; at += 1) {
    if (stripped[at] !== typed[at] && !/[\s;]/.test(stripped[at] ?? '')) return false;
  }
  return true;
}

/** What Node adds to such a text. */
const withoutTypes = /\n\n\/\/# sourceURL=.*\s*$/;

function linesOfFunction({ start, lastLine }: SourceFunction): readonly Line1[] {
  return Array.from({ length: lastLine - start.line + 1 }, (_, index) => line1(start.line + index));
}

interface TextLine {
  readonly whole: string;
  /** Without white space at its ends. */
  readonly text: string;
  readonly indent: number;
}

function linesOf(text: string): readonly TextLine[] {
  return text
    .split('\n')
    .map((line) => ({ whole: line, text: line.trim(), indent: line.length - line.trimStart().length }));
}

/** Lines that each text has once. */
function sameLines(old: readonly TextLine[], current: readonly TextLine[]): ReadonlyMap<Line1, Line1> {
  const now = onlyOnes(current);
  return new Map(
    [...onlyOnes(old)].flatMap(([text, line]) => {
      const there = now.get(text);
      return there === undefined ? [] : [[line, there] as const];
    }),
  );
}

function onlyOnes(lines: readonly TextLine[]): ReadonlyMap<string, Line1> {
  const groups = groupBy(
    lines.map(({ text }, index) => ({ text, line: line1(index + 1) })),
    ({ text }) => text,
  );
  return new Map(
    [...groups].flatMap(([text, [first, second]]) =>
      first === undefined || second !== undefined ? [] : [[text, first.line] as const],
    ),
  );
}

/**
 * Of a list of whole numbers below 2^26 a key for any range of it, up to and without `to`: ranges of the same numbers have
 * the same key. Each takes the same short time, however long the range is: functions lie in one another.
 */
function rangeKeys(numbers: readonly number[]): (from: number, to: number) => string {
  const hashes = moduli.map((modulus) => rangeHashes(numbers, modulus));
  return (from, to) => `${to - from} ${hashes.map((hash) => hash(from, to)).join(' ')}`;
}

/** Primes below 2^26: products stay whole numbers. Both together differ but for one in 2^51. */
const moduli = [67_108_859, 67_108_837];
const base = 31_415_927;

/** Polynomials of the numbers in front of each place, of which a range is the difference of two. */
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
