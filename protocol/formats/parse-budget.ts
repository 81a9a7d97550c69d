import { errorOf } from '../failure.ts';
import * as v from 'valibot';
import type { Budget } from '../budget.ts';
import { fieldsOf, isRecord, parseJson, textOf } from '../json-value.ts';
import { type Line1, type Microseconds, milliseconds, toMilliseconds, line1 } from '../units.ts';

export type ParsedBudget =
  | {
      readonly type: 'budget';
      readonly budget: Budget;
      readonly places: JsonPlaces;
      /** Path of its schema; null where it names none. */
      readonly schema: string | null;
    }
  /** `reason` ends a sentence that begins with the file's name, and the line if it is known. */
  | {
      readonly type: 'invalid';
      readonly reason: string;
      readonly line: Line1 | null;
      /** Whether nothing of it could be kept. */
      readonly isEmpty?: boolean;
    };

const time = 'write milliseconds, such as 200';
const percentage = 'write a percentage, such as 5';
/** In ms. A program is sampled once in a millisecond. */
const MIN_MS = 1;
/** In ms: eleven days. */
const MAX_MS = 1e9;
const worst = strict(
  {
    worstMs: v.pipe(
      numberFor(time),
      v.minValue(MIN_MS, `is under ${MIN_MS} ms, which no sample can tell: ${time}`),
      v.maxValue(MAX_MS, `is over eleven days: ${time}`),
    ),
  },
  '"worstMs": 200',
);
const delayed = strict(
  { delayedOver100MsPercent: v.pipe(numberFor(percentage), v.maxValue(100, `is above 100: ${percentage}`)) },
  '"delayedOver100MsPercent": 5',
);
const schema = strict(
  {
    $schema: v.optional(v.string('is not a text: write the path of a schema, or leave it out')),
    version: v.literal(1, 'is not 1: a newer Hotspan wrote this file, or it is mistyped'),
    node: v.optional(v.string('is not a text: write a version of Node.js, such as "24.1.0", or leave it out')),
    functions: v.optional(
      keyed(/.#./s, 'names no function: write its file and its name, "src/cart.ts#Cart>total"', worst),
      {},
    ),
    files: v.optional(keyed(/./s, 'is an empty pattern: write one such as "src/**"', worst), {}),
    routes: v.optional(
      keyed(/^\S+ \S/, 'names no route: write its method and its path, "GET /orders/:id"', delayed),
      {},
    ),
    whole: v.optional(worst),
  },
  '"version": 1',
);

function numberFor(advice: string) {
  return v.pipe(
    v.number(`is not a number: ${advice}`),
    v.finite(`is not a number: ${advice}`),
    v.gtValue(0, `is not above 0: ${advice}`),
  );
}

/** An object with these keys alone. `example`: one of them with a value. */
function strict<Entries extends v.ObjectEntries>(entries: Entries, example: string) {
  const names = Object.keys(entries).filter((name) => name !== '$schema');
  return v.strictObject(entries, ({ expected }) => {
    if (expected === 'never') return `is a key that is not known here: write ${names.join(', ')}`;
    return expected === 'Object'
      ? `is not an object: write one such as { ${example} }`
      : `is missing: write ${example}`;
  });
}

/** Valibot leaves these keys out of records without a word. */
const skippedKeys: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

/** Valibot accepts lists as records, so they are refused first. `advice`: what is wrong with a key. */
function keyed<Schema extends v.GenericSchema>(key: RegExp, advice: string, schemaOfOne: Schema) {
  return v.pipe(
    v.unknown(),
    v.check(isRecord, 'is not an object with keys: write {}, or leave it out'),
    v.rawCheck(({ dataset, addIssue }) => {
      const input = fieldsOf(dataset.value);
      const skipped = Object.keys(input).find((one) => skippedKeys.has(one));
      if (skipped === undefined) return;
      const message = key.test(skipped) ? `cannot be read: write "**/${skipped}"` : advice;
      const path = { type: 'unknown', origin: 'key', input, key: skipped, value: input[skipped] } as const;
      addIssue({ message, path: [path] });
    }),
    v.record(v.pipe(v.string(), v.regex(key, advice)), schemaOfOne),
  );
}

/** Some editors begin a file with a byte order mark. */
export function parseBudget(file: string): ParsedBudget {
  const text = file.replace(/^\uFEFF/, '');
  const json = jsonOf(text);
  if (json.type === 'invalid') return json;
  const places = jsonPlaces(text);
  if (!isRecord(json.value))
    return { type: 'invalid', line: null, reason: `is not a budget: ${howToWriteOne}`, isEmpty: true };
  if (places.twice !== null) {
    const { path, line } = places.twice;
    return { type: 'invalid', line, reason: `has "${path.join('.')}" twice: leave one of them out` };
  }
  const { success, output, issues } = v.safeParse(schema, json.value);
  if (success) return { type: 'budget', places, budget: budgetOf(output), schema: output.$schema ?? null };
  const keys = (issues[0].path ?? []).map(({ key }) => String(key));
  // Where something is missing, its object has a line.
  const line = places.lineOf(keys) ?? places.lineOf(keys.slice(0, -1));
  return { type: 'invalid', line, reason: `is wrong at "${keys.join('.')}": it ${issues[0].message}` };
}

const howToWriteOne = 'write { "version": 1, "whole": { "worstMs": 200 } }, or let "hotspan check --update" write it';

function budgetOf({ functions, files, routes, whole, node }: v.InferOutput<typeof schema>): Budget {
  const times = (entries: Readonly<Record<string, { readonly worstMs: number }>>): ReadonlyMap<string, Microseconds> =>
    new Map(Object.entries(entries).map(([key, { worstMs }]) => [key, milliseconds(worstMs)]));
  return {
    functions: times(functions),
    files: times(files),
    routes: new Map(Object.entries(routes).map(([key, one]) => [key, one.delayedOver100MsPercent / 100])),
    whole: whole === undefined ? null : milliseconds(whole.worstMs),
    node: node ?? null,
  };
}

function jsonOf(
  text: string,
): { readonly type: 'json'; readonly value: unknown } | Extract<ParsedBudget, { type: 'invalid' }> {
  try {
    return { type: 'json', value: JSON.parse(text) };
  } catch (error) {
    const reason = `is empty: ${howToWriteOne}`;
    if (text.trim() === '') return { type: 'invalid', line: null, reason, isEmpty: true };
    const { message, line } = syntaxError(errorOf(error), text);
    return { type: 'invalid', line, reason: `is not JSON: ${message}` };
  }
}

/** Sorted keys keep later diffs small. `schemaPath` is null where VS Code finds the schema by the file's name. */
export function budgetText({ functions, files, routes, whole, node }: Budget, schemaPath: string | null): string {
  const times = (entries: ReadonlyMap<string, Microseconds>) =>
    Object.fromEntries(
      [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, us]) => [key, { worstMs: toMilliseconds(us) }]),
    );
  const shares = Object.fromEntries(
    [...routes].map(([key, one]) => [key, { delayedOver100MsPercent: Number((one * 100).toPrecision(12)) }]),
  );
  const budget = {
    ...(schemaPath === null ? {} : { $schema: schemaPath }),
    version: 1,
    ...(node === null ? {} : { node }),
    functions: times(functions),
    ...(files.size === 0 ? {} : { files: times(files) }),
    ...(routes.size === 0 ? {} : { routes: shares }),
    ...(whole === null ? {} : { whole: { worstMs: toMilliseconds(whole) } }),
  };
  return `${JSON.stringify(budget, null, 2)}\n`;
}

/** Lines of the keys in the text of a JSON. */
export interface JsonPlaces {
  /** The line of a path of keys; null where it does not exist. */
  readonly lineOf: (path: readonly string[]) => Line1 | null;
  /** The first duplicate key of an object, which `JSON.parse` accepts silently. Null where there is none. */
  readonly twice: { readonly path: readonly string[]; readonly line: Line1 } | null;
}

/** `JSON.parse` has accepted the text. */
export function jsonPlaces(text: string): JsonPlaces {
  const lines = new Map<string, Line1>();
  const state: { twice: JsonPlaces['twice'] } = { twice: null };
  const open: { path: readonly string[]; key: string | null }[] = [];
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    const inside = open.at(-1);
    const path = inside === undefined ? [] : [...inside.path, inside.key ?? String(token.index)];
    if (token[0] === '{' || token[0] === '[') open.push({ path: inside === undefined ? [] : path, key: null });
    else if (token[0] === '}' || token[0] === ']') open.pop();
    else if (inside !== undefined && /^\s*:/.test(text.slice(token.index + token[0].length))) {
      inside.key = textOf(parseJson(token[0]));
      const named = [...inside.path, inside.key];
      if (lines.has(JSON.stringify(named))) state.twice ??= { path: named, line: lineAt(text, token.index) };
      lines.set(JSON.stringify(named), lineAt(text, token.index));
    }
  }
  return { lineOf: (path) => lines.get(JSON.stringify(path)) ?? null, twice: state.twice };
}

/** Message of an error of `JSON.parse`, and its line; null where that is unknown. */
function syntaxError({ message }: Error, text: string): { readonly message: string; readonly line: Line1 | null } {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const at = message.includes('end of JSON')
    ? text.length
    : position === undefined
      ? wordThatIsNone(text)
      : Number(position);
  return {
    message: message.replace(/( in JSON at position .*|, (\.\.\.)?".*" is not valid JSON)$/s, ''),
    line: at === null ? null : lineAt(text, at),
  };
}

/** Position of a word that JSON does not have, such as NaN or a comment. */
function wordThatIsNone(text: string): number | null {
  for (const { 0: word, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/gs))
    if (parseJson(word) === undefined) return index;
  return null;
}

function lineAt(text: string, at: number): Line1 {
  return line1(text.slice(0, at).split('\n').length);
}
