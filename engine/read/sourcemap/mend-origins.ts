import { type SourceFunction, type SourceIndex, functionAt, isBefore } from '../source-code/source-index.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import { toLine0 } from '../../../protocol/units.ts';
import type { MappedPlace, Surroundings, Origin, OriginalPosition, ScriptPosition } from './ask-map.ts';
import { groupBy } from '../../basics/lists.ts';

export interface MappedFunctions {
  readonly starts: readonly ScriptPosition[];
  /** Origins, one for each start, like the other lists. */
  readonly origins: readonly Origin[];
  /** Surroundings, one for each start; empty where no start is a helper's. */
  readonly surroundings: readonly Surroundings[];
  /** Sources of a script whose map was found by its words; null for maps of a compiler. */
  readonly foundIn: readonly string[] | null;
}

/** The origins, corrected by the sources where a map does not know a function, or was itself found by words. */
export async function mendOrigins(mapped: MappedFunctions, indexes: SourceIndexes): Promise<readonly Origin[]> {
  const { starts, origins, surroundings, foundIn } = mapped;
  const wrappers = wrappersOf(origins.filter((origin) => origin.type === 'original'));
  const mended: Origin[] = [];
  let looks = 0;
  for (const [at, origin] of origins.entries()) {
    if (looks > MAX_LOOKS) {
      mended.push(origin);
      continue;
    }
    const name = starts[at]?.name ?? '';
    const around = surroundings[at];
    const behind = origin.type === 'helper' ? (around?.after?.url ?? null) : null;
    const sources = await sourcesAt(foundIn ?? (behind === null ? [] : [behind]), name, indexes);
    looks += sources.reduce((sum, { index }) => sum + index.functions.length, 0);
    const named = foundIn === null ? null : byName(origin, sources);
    const source = sources.find(({ url }) => url === behind);
    const isUnknown = named === null && source !== undefined && around !== undefined;
    mended.push(named ?? (isUnknown ? madeFrom(around, source, wrappers) : null) ?? origin);
  }
  return mended;
}

/** Per script. No compiler writes thousands of helpers before thousands of functions. */
const MAX_LOOKS = 1e9;

/** The first of these origins that is a function of a source, by the function's index. */
type Wrappers = (source: Source) => ReadonlyMap<number, OriginalPosition>;

function wrappersOf(known: readonly OriginalPosition[]): Wrappers {
  const byUrl = groupBy(known, ({ url }) => url);
  const found = new Map<string, ReadonlyMap<number, OriginalPosition>>();
  return ({ url, index }) => {
    const wrappers =
      found.get(url) ??
      new Map((byUrl.get(url) ?? []).toReversed().map((origin) => [functionOf(origin, index), origin]));
    found.set(url, wrappers);
    return wrappers;
  };
}

async function sourcesAt(urls: readonly string[], name: string, indexes: SourceIndexes): Promise<readonly Source[]> {
  const all = await Promise.all(urls.map(async (url) => ({ url, index: await indexes.of(url), name })));
  return all.flatMap(({ index, ...source }) => (index === null ? [] : [{ ...source, index }]));
}

/** A source, and V8's name for the function that is looked for. */
interface Source {
  readonly url: string;
  readonly index: SourceIndex;
  readonly name: string;
}

/** The function of that name: the only one, or the one that was found. Null where no function has the name. */
function byName(origin: Origin, sources: readonly Source[]): Origin | null {
  const all = sources.flatMap((source) => {
    const title = titleFor(source.name);
    return [...source.index.functions.entries()].flatMap(([at, fn]) => (isTitled(fn, title) ? [{ source, at }] : []));
  });
  const [only, ...others] = all;
  if (only === undefined) return null;
  const isFound = all.some(
    ({ source, at }) =>
      origin.type === 'original' && origin.url === source.url && functionOf(origin, source.index) === at,
  );
  if (isFound) return origin;
  return others.length > 0 ? { type: 'helper' } : startOf(only.at, only.source);
}

/**
 * The function that a compiler split: `function* ()` in `__awaiter(…)` and `function (_state)` in `__generator(…)` are
 * the body of an `async` function. Such a function is between two mappings of one function, or has the name of the only
 * function that begins between them. A helper is neither. Null where there is none. `wrappers` has known origins of the
 * same script.
 */
function madeFrom({ before, after }: Surroundings, source: Source, wrappers: Wrappers): OriginalPosition | null {
  const { index, url, name } = source;
  if (before === null || after === null || before.url !== url || after.url !== url) return null;
  const at = functionAround(before, after, index) ?? functionBetween(before, after, titleFor(name), index);
  if (at === null) return null;
  return wrappers(source).get(at) ?? startOf(at, source);
}

function functionAround(before: MappedPlace, after: MappedPlace, { functions }: SourceIndex): number | null {
  const at = functions.findLastIndex((fn) => fn.kind === 'function' && isInside(after, fn));
  const fn = functions[at];
  // Behind a helper that is before a function, the next mapping is the very begin of that function.
  return fn !== undefined && isInside(before, fn) && isBefore(fn.start, after) ? at : null;
}

function functionBetween(
  before: MappedPlace,
  after: MappedPlace,
  title: string,
  { functions }: SourceIndex,
): number | null {
  const [only, ...others] = [...functions.entries()].filter(
    ([, fn]) => isTitled(fn, title) && !isBefore(fn.start, before) && !isBefore(after, fn.start),
  );
  return only === undefined || others.length > 0 ? null : only[0];
}

function startOf(at: number, { url, index, name }: Source): OriginalPosition | null {
  const fn = index.functions[at];
  if (fn === undefined) return null;
  const { start, title } = fn;
  const named = name === '' ? (title ?? '') : name;
  return { type: 'original', url, line: toLine0(start.line), column: start.column, name: named };
}

/** Title for V8's name: `total` for `Cart.total`, `size` for `get size`; `''` for a function without a name. */
function titleFor(name: string): string {
  return (
    name
      .replace(/^(?:get|set) /, '')
      .split('.')
      .at(-1) ?? ''
  );
}

function isTitled({ kind, title }: SourceFunction, wanted: string): boolean {
  return kind === 'function' && wanted !== '' && title === wanted;
}

function functionOf({ line, column, name }: OriginalPosition, index: SourceIndex): number {
  return functionAt(index, line, column, name);
}

function isInside(place: MappedPlace, fn: SourceFunction): boolean {
  return !isBefore(place, fn.start) && place.line <= fn.end.line;
}
