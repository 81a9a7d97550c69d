/**
 * Warnings by code: an entry makes the sentence from the warning's data, and so declares code, data and sentence. Times
 * are in µs, `file` is a name, `path` a path, `process` the pid, or the isolate's name where its start was not recorded.
 */
export type Texts = Readonly<Record<string, (data: never) => string>>;

/** The warnings of a table, or those of some codes. */
export type WarningOf<Table extends Texts, Type extends keyof Table = keyof Table> = {
  readonly [One in Type]: { readonly type: One } & (Parameters<Table[One]> extends readonly [infer Data]
    ? Data
    : unknown);
}[Type];

/** The first three names: `a.js, b.js, c.js, …`. */
export function firstNames(names: readonly string[]): string {
  return `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}`;
}

const MAX_NAMED = 3;
