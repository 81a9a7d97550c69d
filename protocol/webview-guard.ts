import * as v from 'valibot';
import { type FlameQuery, type FlameSearch, frameCategories } from './flame.ts';
import type { Line1, Microseconds } from './units.ts';
import type { PageMessage, PageState } from './webview.ts';

/** Whether a value that arrived from the page is one of its messages. Unknown keys are allowed. */
export function isPageMessage(value: unknown): value is PageMessage {
  return v.is(pageMessage, value);
}

/** The `type` of a message, whether it is valid or not; null where it has none. */
export function typeOf(value: unknown): string | null {
  return v.is(v.object({ type: v.string() }), value) ? value.type : null;
}

/** The number of a question or an answer, whether it is valid or not; null where it has none. */
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
const tiers = v.picklist(['split', 'merged']);

/** What a query and a search share: the part of the recording that they are about. */
const scope = {
  zoom: v.exactOptional(v.string()),
  functionId: v.exactOptional(count),
  operation: v.exactOptional(count),
  worstOf: v.exactOptional(count),
  hide: v.exactOptional(categories),
  tiers: v.exactOptional(tiers),
};
const query: v.GenericSchema<unknown, FlameQuery> = v.object({ ...scope, leastShare: finite });
const search: v.GenericSchema<unknown, FlameSearch> = v.object({ ...scope, pattern: v.string() });

const pageMessage: v.GenericSchema<unknown, PageMessage> = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'recordTiers', 'openTiers', 'openProfile']) }),
  v.object({ type: v.literal('query'), id: count, query }),
  v.object({ type: v.literal('search'), id: count, search }),
  v.object({ type: v.literal('openSource'), url: v.string(), line: v.custom<Line1>(isCount) }),
  v.object({ type: v.literal('openDeopt'), functionId: count, deopt: count }),
]);

const pageState: v.GenericSchema<unknown, PageState> = v.object({
  version: v.literal(1),
  recording: v.string(),
  zoom: v.string(),
  pattern: v.string(),
  hide: categories,
  direction: v.picklist(['icicle', 'flame']),
  view: v.picklist(['graph', 'table']),
  colors: v.picklist(['category', 'tier']),
  tiers,
  highlight: v.picklist(['none', 'optimized', 'notOptimized']),
  operation: v.nullable(count),
});

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isFinite(value: unknown): boolean {
  return Number.isFinite(value);
}
