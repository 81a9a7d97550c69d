import { type FlameFold, type FunctionList, type FunctionOrder, tierOf } from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { byTier, v8Tiers } from '../../protocol/v8-tiers.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { compareTexts, firstDifference } from '../../engine/basics/lists.ts';
import { tierNumbers, tiers } from '../../engine/read/samples/tiered-samples.ts';
import { isRecorder } from '../../engine/read/files/file-path.ts';
import { outermostFrames } from './flame-tree.ts';
import type { FlameView } from './flame-view.ts';
import { factsOfFunction } from './frame-facts.ts';
import { frameRun, gc } from './frame-run.ts';

/** Maximum number of functions in one answer: a row has 14 elements, and the page at most 3000. */
const MAX_ROWS = 180;

/** The functions of a view in the order of the query; equal ones by their total time, then by their place. */
export function functionRows(
  { plain, tiers: viewTiers }: Pick<FlameView, 'plain' | 'tiers'>,
  analysis: Analysis,
  { by, isDescending }: FunctionOrder,
  fold: FlameFold | null,
): FunctionList {
  const all = rowsOf(plain, analysis);
  const shown = all.filter(({ category }) => fold?.kinds.includes(category) !== true);
  const sign = isDescending ? -1 : 1;
  const sorted = shown.toSorted((a, b) =>
    firstDifference(
      sign * comparedBy[by](a, b),
      b.value - a.value,
      compareTexts(a.url, b.url),
      a.functionId - b.functionId,
    ),
  );
  return {
    rows: sorted
      .slice(0, MAX_ROWS)
      .map(({ tiers: ran, ...row }) => (viewTiers === null ? row : { ...row, tiers: ran })),
    more: Math.max(0, sorted.length - MAX_ROWS),
    folded: all.length - shown.length,
  };
}

type Row = ReturnType<typeof rowsOf>[number];

const comparedBy: Readonly<Record<FunctionOrder['by'], (a: Row, b: Row) => number>> = {
  name: (a, b) => compareTexts(a.name, b.name),
  total: (a, b) => a.value - b.value,
  self: (a, b) => a.selfUs - b.selfUs,
  worst: (a, b) => (a.figures?.worstUs ?? -1) - (b.figures?.worstUs ?? -1),
  count: (a, b) => (a.figures?.longCount ?? -1) - (b.figures?.longCount ?? -1),
  stacks: (a, b) => (a.figures?.distinctStacks ?? -1) - (b.figures?.distinctStacks ?? -1),
  tier: (a, b) => v8Tiers.indexOf(tierOf(a.tiers)) - v8Tiers.indexOf(tierOf(b.tiers)),
};

/**
 * Sums for each function but the recorder's over all of its places. Recursive calls add no total time. A collection, which
 * has a frame of its own, is self time of the function that it interrupted.
 */
function rowsOf({ tree, self, total }: FlameView['plain'], analysis: Analysis) {
  const count = analysis.functions.functions.length;
  const isOutermost = outermostFrames(tree, (frame) => tree.functionId[frame] ?? -1, count);
  const [selfOf, totalOf] = [new Float64Array(count), new Float64Array(count)];
  const ran = new Float64Array(count * tiers.length);
  for (const [frame, functionId] of tree.functionId.entries()) {
    const id = tree.category[frame] === gc ? (tree.functionId[tree.parent[frame] ?? 0] ?? -1) : functionId;
    if (id < 0) continue;
    selfOf[id] = (selfOf[id] ?? 0) + (self[frame] ?? 0);
    if (isOutermost[frame] !== 1) continue;
    totalOf[id] = (totalOf[id] ?? 0) + (total[frame] ?? 0);
    const at = id * tiers.length + frameRun(tree.run[frame] ?? 0).tier;
    ran[at] = (ran[at] ?? 0) + (total[frame] ?? 0);
  }
  const none = microseconds(0);
  return [...totalOf.keys()].flatMap((id) => {
    if ((totalOf[id] ?? 0) <= 0 || isRecorder(analysis.functions.functions[id]?.path ?? null)) return [];
    return {
      ...{ id: `f${id}`, ...factsOfFunction(id, analysis) },
      ...{ value: microseconds(totalOf[id] ?? 0), selfUs: microseconds(selfOf[id] ?? 0), hiddenUs: none, children: [] },
      tiers: {
        ...byTier((tier) => microseconds(ran[id * tiers.length + tierNumbers[tier]] ?? 0)),
        ...{ inlined: none, osr: none },
      },
    };
  });
}
