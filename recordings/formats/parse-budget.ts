import * as v from 'valibot';
import type { Budget } from '../../protocol/budget.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { type Microseconds, milliseconds, toMilliseconds } from '../../protocol/units.ts';

export type ParsedBudget =
  | { readonly type: 'budget'; readonly budget: Budget }
  /** `reason` ends a sentence that begins with the file's name. */
  | { readonly type: 'invalid'; readonly reason: string };

const positive = v.pipe(v.number('is no number'), v.finite('is no number'), v.gtValue(0, 'is not above 0'));
const share = v.pipe(positive, v.maxValue(100, 'is above 100'));
const worst = v.strictObject({ worstMs: positive }, keysMessage);
const schema = v.strictObject(
  {
    $schema: v.optional(v.string('is no text')),
    version: v.literal(1, 'is not 1: a newer Hotspan wrote this file, or somebody mistyped it'),
    functions: v.optional(keyed(worst), {}),
    files: v.optional(keyed(worst), {}),
    routes: v.optional(keyed(v.strictObject({ delayedOver100MsPercent: share }, keysMessage)), {}),
    whole: v.optional(worst),
  },
  keysMessage,
);

/** Valibot takes lists for records, so these are refused first. */
function keyed<Schema extends v.GenericSchema>(schemaOfOne: Schema) {
  return v.pipe(v.unknown(), v.check(isRecord, 'is no object with keys'), v.record(v.string(), schemaOfOne));
}

function keysMessage({ expected }: { readonly expected: string | null }): string {
  if (expected === 'never') return 'is a key that no budget has';
  return expected === 'Object' ? 'is no object, as {"worstMs": 200} is one' : 'is missing';
}

/** Parses the text of a `hotspan.budget.json`. */
export function parseBudget(text: string): ParsedBudget {
  const json = jsonOf(text);
  if (json.type === 'invalid') return json;
  const { success, output, issues } = v.safeParse(schema, json.value);
  if (!success) {
    const [issue] = issues;
    const where = v.getDotPath(issue);
    return {
      type: 'invalid',
      reason:
        where === null
          ? 'is no budget: "hotspan check --update" writes one'
          : `is wrong at "${where}": it ${issue.message}`,
    };
  }
  const times = (entries: Readonly<Record<string, { readonly worstMs: number }>>): ReadonlyMap<string, Microseconds> =>
    new Map(Object.entries(entries).map(([key, { worstMs }]) => [key, milliseconds(worstMs)]));
  return {
    type: 'budget',
    budget: {
      functions: times(output.functions),
      files: times(output.files),
      routes: new Map(Object.entries(output.routes).map(([key, one]) => [key, one.delayedOver100MsPercent / 100])),
      whole: output.whole === undefined ? null : milliseconds(output.whole.worstMs),
    },
  };
}

function jsonOf(
  text: string,
): { readonly type: 'json'; readonly value: unknown } | Extract<ParsedBudget, { type: 'invalid' }> {
  try {
    return { type: 'json', value: JSON.parse(text) };
  } catch (error) {
    return { type: 'invalid', reason: `is no JSON (${error instanceof Error ? error.message : String(error)})` };
  }
}

/**
 * The text of a budget, with its keys in order, so that a later version differs only where a budget does. `schemaPath`
 * is null where the schema is not beside the budget: VS Code then finds it by the file's name.
 */
export function budgetText({ functions, files, routes, whole }: Budget, schemaPath: string | null): string {
  const times = (entries: ReadonlyMap<string, Microseconds>) =>
    Object.fromEntries(
      [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, us]) => [key, { worstMs: toMilliseconds(us) }]),
    );
  const shares = Object.fromEntries([...routes].map(([key, one]) => [key, { delayedOver100MsPercent: one * 100 }]));
  const budget = {
    ...(schemaPath === null ? {} : { $schema: schemaPath }),
    version: 1,
    functions: times(functions),
    ...(files.size === 0 ? {} : { files: times(files) }),
    ...(routes.size === 0 ? {} : { routes: shares }),
    ...(whole === null ? {} : { whole: { worstMs: toMilliseconds(whole) } }),
  };
  return `${JSON.stringify(budget, null, 2)}\n`;
}
