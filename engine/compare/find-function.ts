import { maxOf } from '../../protocol/figures.ts';
import type { ComparedFunction, ComparedPlace } from '../../protocol/comparison.ts';
import { type Line1, line1 } from '../../protocol/units.ts';
import { canonicalPath, isOfWindows } from '../../protocol/path-spelling.ts';
import { isModuleLabel } from '../../protocol/places.ts';
import { indexSource } from '../read/source-code/index-source.ts';
import { withoutOnlyPart } from '../read/source-code/source-index.ts';
import { areNested, type FunctionIdentity, identitiesIn, matchFunctions } from './match-functions.ts';
import { groupBy } from '../basics/lists.ts';
import type { SideFunction } from './side.ts';

/** A function as the user names it: by a line in its text, or by its name. */
export type FunctionQuery = PlaceQuery | { readonly type: 'name'; readonly name: string };

interface PlaceQuery {
  readonly type: 'place';
  /** Path below the root, with `/`; an absolute one where the root is not known: then its end is compared. */
  readonly file: string;
  readonly line: Line1;
  /** The present text of the file. */
  readonly text: string;
  /** Present texts of files that have changed since they ran, by `identity.file`; null for one that is gone. */
  readonly changed?: ReadonlyMap<string, string | null>;
  /** The text of the file as it was recorded; null where it is the present one, or unknown. */
  readonly recorded?: string | null;
}

/**
 * The places that `src/cart.ts:12` or, with a column, `src/cart.ts:12:5` may mean. The second may also mean line 5 of a
 * file `cart.ts:12`, which comes last. Empty for a name.
 */
export function placesOf(typed: string): readonly { readonly file: string; readonly line: Line1 }[] {
  const [, file = '', line, column] = /^(.+?):(\d+)(?::(\d+))?$/s.exec(typed) ?? [];
  if (line === undefined) return [];
  const place = { file, line: line1(Number(line)) };
  return column === undefined ? [place] : [place, { file: `${file}:${line}`, line: line1(Number(column)) }];
}

/**
 * The functions around a line in groups from the inside out: `number` in the index, `line` of the begin. No line tells
 * those of one group apart: functions that begin together, and callbacks that lie on the line itself, with the function
 * around them. The module (number 0) is only in a group where no function is, or beside callbacks on the line.
 */
export function functionsAround({ file, line, text }: PlaceQuery): readonly (readonly FunctionAround[])[] {
  const all = indexSource(text, file)?.functions ?? [];
  const around = all.flatMap(({ kind, start, end, title }, at) => {
    if (kind === 'class' || start.line > line || end.line < line) return [];
    const number = withoutOnlyPart(all, at);
    const begin = all[number]?.start.line ?? start.line;
    return [{ number, line: begin, isOnLine: start.line === end.line, title }];
  });
  const module = around.filter(({ number }) => number === 0);
  const functions = around.filter(({ number }) => number > 0);
  const [first, ...others] = [
    ...groupBy(functions.filter(({ isOnLine }) => !isOnLine).toReversed(), (fn) => fn.line).values(),
  ];
  const onLine = functions.filter(({ isOnLine }) => isOnLine);
  const outer = first ?? (onLine.some(({ title }) => title !== null) ? [] : module);
  const inner = [...onLine, ...outer];
  return inner.length === 0 ? [] : [inner, ...others];
}

interface FunctionAround {
  readonly number: number;
  readonly line: Line1;
  /** Its own name; null where it has none. */
  readonly title: string | null;
}

/**
 * The functions of a side that the query means; for a place at most one, also in an older text or another file. Where the
 * innermost function at the line is new, it is the function around it: the callback may be the change.
 */
export function findInSide(query: FunctionQuery, side: readonly SideFunction[]): readonly SideFunction[] {
  if (query.type === 'name')
    return byName(query.name, side, ({ place, identity }) => {
      return [place.label, identity.name ?? '', identity.names.slice(1).replaceAll('>', '.')];
    });
  const { file, text, changed = new Map<string, string | null>() } = query;
  const index = indexSource(text, file);
  if (index === null) return [];
  // A function that has moved is in one of the files that have changed.
  const meant = fileAmong([...side.map(({ identity }) => identity.file), ...changed.keys()], file) ?? file;
  const known = side.filter(({ identity }) => identity.file === meant || changed.has(identity.file));
  const others = [...changed].filter(([other]) => other !== meant);
  const matches = matchFunctions(
    known.map(({ identity }) => identity),
    [...identitiesIn(meant, text, index), ...others.flatMap(([other, now]) => identitiesOf(other, now))],
  );
  for (const group of functionsAround(query)) {
    const numbers = new Set(group.map(({ number }) => number));
    const isMeant = ({ identity, runs }: SideFunction, number: number): boolean =>
      numbers.has(matches.get(number)?.is ?? -1) && (identity.names !== '' || runs.some((run) => run !== null));
    const found = known.filter(isMeant);
    if (found.length > 0) return heaviest(found, ({ runs }) => runs.map((run) => run?.worst ?? 0));
  }
  return [];
}

/** Whether a side ran the file of a place, or has a function of a name. */
export function hasCodeOf(query: FunctionQuery, side: readonly SideFunction[]): boolean {
  if (query.type === 'name') return findInSide(query, side).length > 0;
  return (
    fileAmong(
      side.map(({ identity }) => identity.file),
      query.file,
    ) !== undefined
  );
}

/** What a place means in a recording, and how it is named from now on. */
export interface MeantFunction {
  readonly fn: SideFunction | undefined;
  readonly query: FunctionQuery;
  /** What held the loop at the same line of the recorded text, where that is another function; else null. */
  readonly other: SideFunction | null;
}

/**
 * The function that a place means. Results name lines of the recorded text: where no function at the line of today was
 * long, and another one was at this line of the recorded text, it is that one.
 */
export function functionMeant(query: PlaceQuery, side: readonly SideFunction[], thresholdUs: number): MeantFunction {
  const [fn] = findInSide(query, side);
  const { recorded = null, file } = query;
  const [before] = recorded === null ? [] : findInSide({ type: 'place', file, line: query.line, text: recorded }, side);
  const hasHeld = (before?.runs ?? []).some((run) => run !== null && !run.isBelow);
  if (before === undefined || before === fn || !hasHeld) return { fn, query, other: null };
  const isLong = (fn?.runs ?? []).some((run) => run !== null && (!run.isBelow || run.presence >= thresholdUs));
  const line = lineIn(query.text, before, side);
  // A callback that is gone is judged as a part of its function.
  const isPart = line === null && fn !== undefined && areNested(before.identity, fn.identity);
  if (isLong) return { fn, query, other: isPart ? null : before };
  return {
    fn: before,
    query: line === null ? { type: 'name', name: before.place.label } : { ...query, line },
    other: null,
  };
}

function identitiesOf(file: string, text: string | null): readonly FunctionIdentity[] {
  const index = text === null ? null : indexSource(text, file);
  return text === null || index === null ? [] : identitiesIn(file, text, index);
}

/**
 * The line at which a function begins in another text of its file; null where it is not there any more. `side` has the
 * functions of the file.
 */
export function lineIn(text: string, { identity }: SideFunction, side: readonly SideFunction[]): Line1 | null {
  const known = side.map((fn) => fn.identity).filter(({ file }) => file === identity.file);
  const index = indexSource(text, identity.file);
  if (index === null) return null;
  const found = matchFunctions(known, identitiesIn(identity.file, text, index)).get(known.indexOf(identity));
  return index.functions[found?.is ?? -1]?.start.line ?? null;
}

/** Of several functions that no line tells apart, the one that held the loop for longest. */
function heaviest<Item>(found: readonly Item[], timesOf: (item: Item) => readonly number[]): readonly Item[] {
  return found.toSorted((a, b) => Math.max(0, maxOf(timesOf(b))) - Math.max(0, maxOf(timesOf(a)))).slice(0, 1);
}

/**
 * The compared functions that the query means, as in `findInSide`. `measured`: the one that it meant in the recording. No
 * line of today names it, or a callback in it, where an edit made it so quick that it was not seen.
 */
export function findInComparison(
  query: FunctionQuery,
  functions: readonly ComparedFunction[],
  measured: ComparedPlace | null,
): readonly ComparedFunction[] {
  if (query.type === 'name') return byName(query.name, functions, ({ is, was }) => [is?.label ?? '', was?.label ?? '']);
  const files = functions.flatMap(({ is }) => is?.file ?? []);
  const file = fileAmong(files, query.file);
  const inFile = functions.filter(({ is }) => is !== null && is.file === file);
  const groups = functionsAround(query).map((group) => {
    const lines = new Set(group.flatMap(({ number, line }) => (number === 0 ? [] : line)));
    const hasModule = group.some(({ number }) => number === 0);
    const isMeant = (is: ComparedPlace): boolean => (isModuleLabel(is.label) ? hasModule : lines.has(is.line));
    return inFile.filter(({ is }) => is !== null && isMeant(is));
  });
  const [inner = [], ...outer] = groups.map((group) => group.filter(({ was }) => was !== null));
  const gone = functions.filter(({ is, was }) => is === null && was !== null && isPartOf(was, measured));
  const candidates = [inner, gone, ...outer, ...groups].filter((group) => group.length > 0);
  const found = candidates.find((group) => group.some(hasVerdict)) ?? candidates[0] ?? [];
  return heaviest(found, ({ worst }) => [...worst.wasUs, ...worst.isUs]);
}

/** Whether it is more than a function that no run reached for long: then the function around it is the answer. */
function hasVerdict({ verdict, worst }: ComparedFunction): boolean {
  return verdict !== 'notReached' || !worst.wasBelow || !worst.isBelow;
}

function isPartOf({ file, label }: ComparedPlace, whole: ComparedPlace | null): boolean {
  return whole?.file === file && (label === whole.label || label.endsWith(`() callback in ${whole.label}`));
}

/** Functions of exactly this name; without any, those whose name ends with it (`Cart.total` for `total`). */
function byName<Item>(
  name: string,
  items: readonly Item[],
  namesOf: (item: Item) => readonly string[],
): readonly Item[] {
  const exact = items.filter((item) => namesOf(item).includes(name));
  return exact.length > 0
    ? exact
    : items.filter((item) => namesOf(item).some((one) => one.endsWith(`.${name}`) || one.endsWith(` ${name}`)));
}

/** The file of these that is asked for; where several are an end of an absolute path, the longest one. */
function fileAmong(files: readonly string[], asked: string): string | undefined {
  const whole = withoutBreaks(canonicalPath(asked));
  const isWhole = whole.startsWith('/') || isOfWindows(whole);
  const fitting = [...new Set(files)].filter((one) => {
    const file = withoutBreaks(one);
    return file === whole || (isWhole && whole.endsWith(`/${file}`));
  });
  return fitting.toSorted((a, b) => b.length - a.length)[0];
}

/** V8 has the urls of files without line breaks and tabs, so a recording may have the name without them. */
function withoutBreaks(path: string): string {
  return path.replaceAll(/[\t\n\r]/g, '');
}
