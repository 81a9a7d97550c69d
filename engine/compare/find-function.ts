import type { ComparedFunction, ComparedPlace } from '../../protocol/comparison.ts';
import { type Line1, line1 } from '../../protocol/units.ts';
import { indexSource } from '../source-code/index-source.ts';
import { identitiesIn } from './identify.ts';
import { matchFunctions } from './match-functions.ts';
import type { SideFunction } from './side.ts';

/** A function as a person names it: by a line in its text, or by its name. */
export type FunctionQuery =
  | {
      readonly type: 'place';
      /** Path as a recording may have it: below some root, with `/`. It is compared from its end. */
      readonly file: string;
      readonly line: Line1;
      /** The text of the file as it is now. */
      readonly text: string;
    }
  | { readonly type: 'name'; readonly name: string };

/** `src/cart.ts:12`, also with a column, or a name. */
export function parseFunctionQuery(
  typed: string,
): { readonly file: string; readonly line: Line1 } | { readonly name: string } {
  const [, file, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(typed) ?? [];
  return file === undefined || line === undefined ? { name: typed } : { file, line: line1(Number(line)) };
}

/** The function around a line of a text: where it begins; null where only the module is, or the text cannot be parsed. */
export function functionAround(
  text: string,
  file: string,
  line: Line1,
): { readonly number: number; readonly line: Line1 } | null {
  const index = indexSource(text, file);
  const number =
    index?.functions.findLastIndex(
      ({ start, end, kind }, at) => at > 0 && kind === 'function' && start.line <= line && line <= end.line,
    ) ?? -1;
  const fn = index?.functions[number];
  return fn === undefined ? null : { number, line: fn.start.line };
}

/** Those of the functions of a side that the query means; of a place at most one, also where the text is older. */
export function findInSide(query: FunctionQuery, side: readonly SideFunction[]): readonly SideFunction[] {
  if (query.type === 'name')
    return byName(query.name, side, ({ place, identity }) => [place.label, identity.name ?? '']);
  const known = side.filter(({ place }) => isSameFile(place, query.file));
  const index = indexSource(query.text, query.file);
  const around = functionAround(query.text, query.file, query.line);
  const file = known[0]?.identity.file;
  if (index === null || around === null || file === undefined) return [];
  const now = identitiesIn(file, query.text, index);
  const matches = matchFunctions(
    known.map(({ identity }) => identity),
    now,
  );
  return known.filter((_, number) => matches.get(number)?.is === around.number);
}

/** Those of the compared functions that the query means. */
export function findInComparison(
  query: FunctionQuery,
  functions: readonly ComparedFunction[],
): readonly ComparedFunction[] {
  if (query.type === 'name') return byName(query.name, functions, ({ is, was }) => [is?.label ?? '', was?.label ?? '']);
  const around = functionAround(query.text, query.file, query.line);
  return functions.filter(
    ({ is }) => is !== null && around !== null && isSameFile(is, query.file) && is.line === around.line,
  );
}

/** Exact names; where there is none, names that end with it (`Cart.total` for `total`). */
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

function isSameFile({ file }: ComparedPlace, asked: string): boolean {
  const normal = asked.replaceAll('\\', '/');
  return normal === file || normal.endsWith(`/${file}`) || file.endsWith(`/${normal}`);
}
