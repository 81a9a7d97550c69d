import * as v from 'valibot';
import { diffViews } from './diff.ts';
import type { FlameFind, FlameFold, FlameQuery, FlameSearch, FunctionOrder } from './flame.ts';
import { frameCategories, functionColumns } from './flame.ts';
import { operationOrders, type RunPart } from './time.ts';
import type { Line1, Microseconds } from './units.ts';
import { flameViews, type PageMessage, type PageState } from './webview.ts';

/** Whether a value is a message of the page. Unknown keys are allowed. */
export function isPageMessage(value: unknown): value is PageMessage {
  return v.is(pageMessage, value);
}

/** The `type` of a message, valid or not; null where it has none. */
export function typeOf(value: unknown): string | null {
  return v.is(v.object({ type: v.string() }), value) ? value.type : null;
}

/** The id of a question or an answer, valid or not; null where it has none. */
export function idOf(value: unknown): number | null {
  return v.is(v.object({ id: count }), value) ? value.id : null;
}

/** Whether this version of the page can continue from a kept state. */
export function isPageState(value: unknown): value is PageState {
  return v.is(pageState, value);
}

/** An id, an index: whole and not negative. */
export const count = v.custom<number>(isCount);
export const finite = v.custom<number>(isFinite);
export const time = v.custom<Microseconds>(isFinite);
export const textOrNull = v.nullable(v.string());
const categories = v.array(v.picklist(frameCategories));
const fold: v.GenericSchema<unknown, FlameFold> = v.object({
  kinds: categories,
  open: v.array(v.string()),
  apart: v.exactOptional(v.literal(true)),
});
const functionOrder: v.GenericSchema<unknown, FunctionOrder> = v.object({
  by: v.picklist(functionColumns),
  isDescending: v.boolean(),
});
const tiers = v.picklist(['split', 'merged']);
const side = v.picklist(diffViews);

const part: v.GenericSchema<unknown, RunPart> = v.object({
  lane: v.nullable(count),
  range: v.nullable(v.object({ from: time, until: time })),
});

/** Limit in characters of what is copied or saved. A picture of 4000 frames has 3 million. */
const MAX_TAKEN = 100_000_000;

/** Keys that queries and searches share. */
const scope = {
  operation: v.exactOptional(count),
  worstOf: v.exactOptional(count),
  around: v.exactOptional(count),
  part: v.exactOptional(part),
  fold: v.exactOptional(fold),
  tiers: v.exactOptional(tiers),
  side: v.exactOptional(side),
  perOperationOf: v.exactOptional(count),
};
const wanted = { pattern: v.string(), isRegex: v.boolean() };
const find: v.GenericSchema<unknown, FlameFind> = v.object({
  ...wanted,
  from: textOrNull,
  step: v.picklist([1, 0, -1]),
});
const query: v.GenericSchema<unknown, FlameQuery> = v.object({
  ...scope,
  zoom: v.exactOptional(v.string()),
  functionId: v.exactOptional(count),
  reveal: v.exactOptional(count),
  functions: v.exactOptional(functionOrder),
  find: v.exactOptional(find),
  operations: v.exactOptional(v.object({ by: v.picklist(operationOrders), step: finite })),
  inTime: v.exactOptional(v.literal(true)),
  leastShare: finite,
  namedShare: v.exactOptional(finite),
  rows: v.exactOptional(count),
});
const search: v.GenericSchema<unknown, FlameSearch> = v.object({ ...scope, ...wanted });

const pageMessage: v.GenericSchema<unknown, PageMessage> = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'profileAgain', 'recordTiers', 'openTiers', 'openProfile']) }),
  v.object({ type: v.literal('query'), id: count, query }),
  v.object({ type: v.literal('search'), id: count, search }),
  v.object({ type: v.literal('timeline'), id: count, timeline: v.object({ columns: count, lane: v.nullable(count) }) }),
  v.object({ type: v.literal('openSource'), url: v.string(), line: v.custom<Line1>(isCount) }),
  v.object({ type: v.literal('openBefore'), functionId: count }),
  v.object({ type: v.literal('openDeopt'), functionId: count, deopt: count }),
  v.object({ type: v.literal('copy'), text: v.pipe(v.string(), v.maxLength(MAX_TAKEN)) }),
  v.object({
    type: v.literal('savePicture'),
    form: v.picklist(['svg', 'png']),
    data: v.pipe(v.string(), v.maxLength(MAX_TAKEN)),
  }),
]);

const pageState: v.GenericSchema<unknown, PageState> = v.object({
  version: v.literal(2),
  recording: v.string(),
  written: v.exactOptional(v.string()),
  zoom: v.string(),
  pattern: v.string(),
  folded: categories,
  open: v.array(v.string()),
  direction: v.picklist(['icicle', 'flame']),
  isRegex: v.boolean(),
  view: v.picklist(flameViews),
  around: v.nullable(count),
  order: functionOrder,
  colors: v.picklist(['category', 'tier']),
  tiers,
  highlight: v.picklist(['none', 'optimized', 'notOptimized']),
  operation: v.nullable(count),
  part: v.exactOptional(part),
  operations: v.exactOptional(v.picklist(operationOrders)),
  isInTime: v.exactOptional(v.boolean()),
  side,
  perOperationOf: v.nullable(count),
});

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isFinite(value: unknown): boolean {
  return Number.isFinite(value);
}
