import { indexSource } from '../lines/index-source.ts';
import { type SourceFunction, type SourceIndex, functionAt } from '../lines/source-index.ts';
import { toLine0 } from '../../protocol/units.ts';
import type { MappedPlace, Surroundings } from './ask-map.ts';
import type { OriginalPosition, ScriptPosition } from './origin.ts';

/**
 * The function that a compiler made a function from of which its map says nothing: `function* ()` in `__awaiter(…)`
 * and `function (_state)` in `__generator(…)` are the body of an `async` function. It lies between two mappings of one
 * function, in the order of its text, or it has the name of the only function that begins between them; a helper does
 * neither. Null where there is none such. `known` are origins of the same script: the wrapper's own, with which it is one.
 */
export function madeFrom(
  { name }: ScriptPosition,
  { before, after }: Surroundings,
  source: { readonly text: string; readonly url: string },
  known: readonly OriginalPosition[],
): OriginalPosition | null {
  const index = before === null || after === null ? null : indexSource(source.text, source.url);
  if (before === null || after === null || index === null || isBefore(after, before)) return null;
  const at = functionAround(before, after, index) ?? functionBetween(before, after, name, index);
  const fn = at === null ? undefined : index.functions[at];
  if (fn === undefined) return null;
  const { start, title } = fn;
  const wrapper = known.find((origin) => origin.url === source.url && functionOf(origin, index) === at);
  const made = { type: 'original', url: source.url, line: toLine0(start.line), column: start.column } as const;
  return wrapper ?? { ...made, name: name === '' ? (title ?? '') : name };
}

function functionAround(before: MappedPlace, after: MappedPlace, { functions }: SourceIndex): number | null {
  const at = functions.findLastIndex((fn) => fn.kind === 'function' && isInside(after, fn));
  const fn = functions[at];
  return fn !== undefined && isInside(before, fn) ? at : null;
}

function functionBetween(
  before: MappedPlace,
  after: MappedPlace,
  name: string,
  { functions }: SourceIndex,
): number | null {
  const called = name.split('.').at(-1);
  const found = [...functions.entries()].filter(
    ([, { kind, title, start }]) =>
      kind === 'function' && title === called && !isBefore(start, before) && !isBefore(after, start),
  );
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

function functionOf({ line, column, name }: OriginalPosition, index: SourceIndex): number {
  return functionAt(index, line, column, name);
}

function isInside(place: MappedPlace, fn: SourceFunction): boolean {
  return !isBefore(place, fn.start) && place.line <= fn.lastLine;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

function isBefore(a: Place, b: Place): boolean {
  return a.line === b.line ? a.column < b.column : a.line < b.line;
}
