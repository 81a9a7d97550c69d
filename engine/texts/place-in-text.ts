import { groupBy } from '../group-by.ts';
import { indexSource } from '../lines/index-source.ts';
import { type SourceFunction, type SourceIndex, functionAt } from '../lines/source-index.ts';
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
 * Functions are the same where their lines are, without the white space at the ends of these; `before` may be TypeScript from
 * which Node took the types. `url`: of the file.
 */
export function placeInText(before: string, now: string, url: string): PlaceInText {
  const [old, current] = [linesOf(before), linesOf(now)];
  const [oldIndex, index] = [indexSource(before, url), indexSource(now, url)];
  const sameLine = sameLines(old, current);
  const reading = withoutTypes.test(before) ? ofShape : ofText;
  const same =
    oldIndex === null || index === null ? [] : sameFunctions(oldIndex, old, index, current, sameLine, reading);
  return {
    function: (start) => {
      const number = oldIndex === null ? -1 : functionAt(oldIndex, start.line, start.column, start.name);
      if (number < 0 || index === null) return 'unknown';
      const found = same.find((fn) => fn.number === number);
      if (found === undefined) return null;
      const line = start.line + found.shift;
      const indented = (current[line]?.indent ?? 0) - (old[start.line]?.indent ?? 0);
      return { line: line0(line), column: column0(Math.max(0, start.column + indented)) };
    },
    line: (line) => {
      const around = same.findLast(({ fn }) => fn.start.line <= line && line <= fn.lastLine);
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

/** In the order of the older text: an inner one comes after the one around it. Of several that read the same, the nearest. */
function sameFunctions(
  oldIndex: SourceIndex,
  old: readonly TextLine[],
  index: SourceIndex,
  current: readonly TextLine[],
  sameLine: ReadonlyMap<Line1, Line1>,
  { keyOf, isSame }: Reading,
): readonly SameFunction[] {
  const candidates = groupBy(index.functions.slice(1), (fn) => keyOf(fn, current));
  const taken = new Set<SourceFunction>();
  return oldIndex.functions.flatMap((fn, number): readonly SameFunction[] => {
    const expected = sameLine.get(fn.start.line) ?? fn.start.line;
    const alike = number === 0 ? [] : (candidates.get(keyOf(fn, old)) ?? []);
    const free = alike.filter((one) => !taken.has(one) && isSame(linesIn(fn, old), linesIn(one, current)));
    const far = ({ start }: SourceFunction): number => Math.abs(start.line - expected);
    const [nearest] = free.toSorted((a, b) => far(a) - far(b));
    if (nearest === undefined) return [];
    taken.add(nearest);
    return [{ number, fn, shift: nearest.start.line - fn.start.line }];
  });
}

/** How functions are compared: those that are the same have the same key. */
interface Reading {
  readonly keyOf: (fn: SourceFunction, lines: readonly TextLine[]) => string;
  readonly isSame: (before: readonly TextLine[], now: readonly TextLine[]) => boolean;
}

/** Two that begin on one line differ by where. */
const ofText: Reading = {
  keyOf: (fn, lines) => {
    const own = linesIn(fn, lines);
    return [fn.kind, fn.start.column - (own[0]?.indent ?? 0), ...own.map(({ text }) => text)].join('\n');
  },
  isSame: () => true,
};

/** Node has put blanks in the place of types, and of a type that began a statement a semicolon. */
const ofShape: Reading = {
  keyOf: (fn, lines) => [fn.kind, fn.start.column, ...linesIn(fn, lines).map(({ whole }) => whole.length)].join(' '),
  isSame: (before, now) =>
    before.every(({ whole }, line) => {
      const typed = now[line]?.whole ?? '';
      return whole.split('').every((character, at) => character === typed[at] || /[\s;]/.test(character));
    }),
};

/** What Node adds to such a text. */
const withoutTypes = /\n\n\/\/# sourceURL=.*\s*$/;

function linesIn({ start, lastLine }: SourceFunction, lines: readonly TextLine[]): readonly TextLine[] {
  return lines.slice(start.line - 1, lastLine);
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
