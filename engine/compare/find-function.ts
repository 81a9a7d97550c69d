import type { ComparedFunction, ComparedPlace } from '../../protocol/comparison.ts';
import { type Line1, line1 } from '../../protocol/units.ts';
import { indexSource } from '../read/source-code/index-source.ts';
import { identitiesIn, matchFunctions } from './match-functions.ts';
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

/**
 * The places that a person may mean by `src/cart.ts:12` or `src/cart.ts:12:5`, with a column. The second one may also be
 * line 5 of a file that is called `cart.ts:12`, which comes last. None where it is no place, but a name.
 */
export function placesOf(typed: string): readonly { readonly file: string; readonly line: Line1 }[] {
  const [, file = '', line, column] = /^(.+?):(\d+)(?::(\d+))?$/s.exec(typed) ?? [];
  if (line === undefined) return [];
  const place = { file, line: line1(Number(line)) };
  return column === undefined ? [place] : [place, { file: `${file}:${line}`, line: line1(Number(column)) }];
}

/** A function around a line: its number in the index of the text, and the line where it begins. */
interface Around {
  readonly number: number;
  readonly line: Line1;
}

/** The functions around the line of a query, the innermost first; none where only the module is. */
export function functionsAround({ file, line, text }: Extract<FunctionQuery, { type: 'place' }>): readonly Around[] {
  const all = indexSource(text, file)?.functions ?? [];
  const around = all.flatMap(({ kind, start, end }, number) =>
    number > 0 && kind === 'function' && start.line <= line && line <= end.line ? [{ number, line: start.line }] : [],
  );
  return around.toReversed();
}

/**
 * Those of the functions of a side that the query means; of a place at most one, also where the text is older. Where the
 * innermost function at the line is new, it is the one around it: the callback may be the change.
 */
export function findInSide(query: FunctionQuery, side: readonly SideFunction[]): readonly SideFunction[] {
  if (query.type === 'name')
    return byName(query.name, side, ({ place, identity }) => {
      return [place.label, identity.name ?? '', identity.names.slice(1).replaceAll('>', '.')];
    });
  const known = side.filter(({ place }) => isSameFile(place, query.file));
  const index = indexSource(query.text, query.file);
  const file = known[0]?.identity.file;
  if (index === null || file === undefined) return [];
  const now = identitiesIn(file, query.text, index);
  const matches = matchFunctions(
    known.map(({ identity }) => identity),
    now,
  );
  for (const around of functionsAround(query)) {
    const found = known.filter((_, number) => matches.get(number)?.is === around.number);
    if (found.length > 0) return found;
  }
  return [];
}

/** Those of the compared functions that the query means, as `findInSide` finds them. */
export function findInComparison(
  query: FunctionQuery,
  functions: readonly ComparedFunction[],
): readonly ComparedFunction[] {
  if (query.type === 'name') return byName(query.name, functions, ({ is, was }) => [is?.label ?? '', was?.label ?? '']);
  const inFile = functions.filter(({ is }) => is !== null && isSameFile(is, query.file));
  const around = functionsAround(query);
  const at = (line: Line1, isKnown: boolean): readonly ComparedFunction[] =>
    inFile.filter(({ is, was }) => is?.line === line && (was !== null || !isKnown));
  const known = around.map(({ line }) => at(line, true)).find((found) => found.length > 0);
  return known ?? around.map(({ line }) => at(line, false)).find((found) => found.length > 0) ?? [];
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

/** Node leaves line breaks and tabs out of the url of a file, so a recording has the name without them. */
function isSameFile({ file }: ComparedPlace, asked: string): boolean {
  const normal = asked.replaceAll('\\', '/').replaceAll(/[\t\n\r]/g, '');
  return normal === file || normal.endsWith(`/${file}`) || file.endsWith(`/${normal}`);
}
