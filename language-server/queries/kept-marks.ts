import type { Analysis } from '../../engine/analysis.ts';
import { type HotFunction, hotFunctions } from '../../engine/hot-functions.ts';
import type { HotLine } from '../../engine/judge/lines/hot-lines.ts';
import type { MarkedFunction } from '../../recordings/kept-files.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';

/** Functions that keep their mark from the run before, and their lines, with the figures at the lower threshold. */
export interface KeptMarks {
  readonly functions: readonly (HotFunction & { readonly kept: true })[];
  readonly lines: readonly HotLine[];
}

export const noKeptMarks: KeptMarks = { functions: [], lines: [] };

/** A mark appears above the threshold, and disappears below this share of it, so that none flickers from run to run. */
const goesBelow = 0.8;

/**
 * `marked` is from the run before. `at` gives the analysis at another threshold, and is asked only where a mark would
 * disappear.
 */
export async function keptMarks(
  analysis: Analysis,
  marked: readonly MarkedFunction[],
  at: (thresholdUs: Microseconds) => Promise<Analysis>,
): Promise<KeptMarks> {
  const still = new Set(hotFunctions(analysis).map(({ functionId }) => functionId));
  const wanted = new Set(marked.map(keyOf));
  const candidates = new Set(
    analysis.functions.functions.flatMap(({ id, path, label }) =>
      path !== null && !still.has(id) && wanted.has(keyOf({ path, label })) ? [id] : [],
    ),
  );
  if (candidates.size === 0) return noKeptMarks;
  const lower = await at(microseconds(Math.round(analysis.thresholdUs * goesBelow)));
  return {
    functions: hotFunctions(lower)
      .filter(({ functionId }) => candidates.has(functionId))
      .map((fn) => ({ ...fn, kept: true })),
    lines: lower.lines.filter(({ functionIds: [first] }) => first !== undefined && candidates.has(first)),
  };
}

/** The functions whose marks the next run may keep. */
export function markedFunctions(analysis: Analysis, { functions }: KeptMarks): readonly MarkedFunction[] {
  return [...hotFunctions(analysis), ...functions].flatMap(({ functionId }) => {
    const { path = null, label = '' } = analysis.functions.functions[functionId] ?? {};
    return path === null ? [] : [{ path, label }];
  });
}

function keyOf({ path, label }: MarkedFunction): string {
  return `${path}\n${label}`;
}
