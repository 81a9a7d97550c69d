import type { Alias, SourceFunction, SourceIndex } from './source-index.ts';

/** What a name means inside a function. */
export type Meaning =
  /** A function or class of this file, by its number in the index. */
  | { readonly type: 'function'; readonly index: number }
  | { readonly type: 'alias'; readonly alias: Alias }
  /** It is a parameter, or a variable whose value nobody knows. */
  | { readonly type: 'value' }
  /** It is declared nowhere in the file. */
  | { readonly type: 'global' };

/** The meaning of a name, looked up from the function outwards. Blocks are not told apart. */
export function meaningOf(name: string, body: SourceFunction, { functions }: SourceIndex): Meaning {
  for (let scope: SourceFunction | undefined = body; scope !== undefined; scope = functions[scope.parent]) {
    const own = scope.inner.get(name);
    const declared = scope.names.get(name);
    if (declared !== undefined && declared !== null) return { type: 'alias', alias: declared };
    if (own !== undefined) return { type: 'function', index: own };
    if (declared === null) return { type: 'value' };
  }
  return { type: 'global' };
}
