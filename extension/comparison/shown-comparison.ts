import * as v from 'valibot';
import type { Comparison } from '../../protocol/comparison.ts';
import { isComparison } from '../../protocol/comparison-guard.ts';
import { parseJson } from '../../protocol/json-value.ts';

/** What a person compared with what, to do it again. Paths of recordings are absolute. */
export type Asked =
  /** Runs the command of a recording on a commit, and on the person's files. */
  | { readonly type: 'commit'; readonly ref: string; readonly recording: string }
  /** The same with the sources of a baseline. */
  | { readonly type: 'baseline'; readonly name: string; readonly recording: string }
  /** Runs nothing. */
  | { readonly type: 'recordings'; readonly base: readonly string[]; readonly head: readonly string[] };

export interface ShownComparison {
  readonly asked: Asked;
  readonly comparison: Comparison;
  /**
   * The text of the line at which each function of the comparison begins, without white space around it: by it the line
   * is found again after an edit. Null where it is not known.
   */
  readonly lines: readonly (string | null)[];
}

/** The comparison that was kept as a text; null where the text is none that this version of the extension can show. */
export function parseShownComparison(kept: string): ShownComparison | null {
  const value = parseJson(kept);
  return isShownComparison(value) ? value : null;
}

function isShownComparison(value: unknown): value is ShownComparison {
  return v.is(shownComparison, value);
}

const paths = v.array(v.string());
const shownComparison: v.GenericSchema<unknown, ShownComparison> = v.object({
  asked: v.variant('type', [
    v.object({ type: v.literal('commit'), ref: v.string(), recording: v.string() }),
    v.object({ type: v.literal('baseline'), name: v.string(), recording: v.string() }),
    v.object({ type: v.literal('recordings'), base: paths, head: paths }),
  ]),
  comparison: v.custom<Comparison>(isComparison),
  lines: v.array(v.nullable(v.string())),
});
