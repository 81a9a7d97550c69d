import {
  type FlameFrame,
  type FlameFold,
  type FrameTiers,
  type FunctionList,
  type FunctionOrder,
  tierOf,
} from '../../protocol/flame.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { byTier, v8Tiers } from '../../protocol/v8-tiers.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { compareTexts, firstDifference } from '../../engine/basics/lists.ts';
import { tierNumbers, tiers } from '../../engine/read/samples/tiered-samples.ts';
import type { FlameView } from './flame-view.ts';
import { type FrameFacts, factsOfFunction } from './frame-facts.ts';
import { frameRun } from './frame-run.ts';
import { outermostFrames } from './flame-tree.ts';

/** Most functions in one answer: a row has 14 elements, and the page at most 3000. */
const most = 180;

/** The functions of a view in the order that was asked for; equal ones by their total time, then by their place. */
export function functionRows(
  { plain, tiers: viewTiers }: Pick<FlameView, 'plain' | 'tiers'>,
  analysis: Analysis,
  { by, isDescending }: FunctionOrder,
  fold: FlameFold | null,
): FunctionList {
  const times = functionTimes(plain, analysis.functions.functions.length);
  const rows = [...times.total.keys()].filter((id) => (times.total[id] ?? 0) > 0);
  const all = rows.map((id): Row => ({ id, ...timesIn(id, times), facts: factsOfFunction(id, analysis) }));
  const shown = all.filter(({ facts }) => fold?.kinds.includes(facts.category) !== true);
  const sign = isDescending ? -1 : 1;
  const sorted = shown.toSorted((a, b) =>
    firstDifference(
      sign * comparedBy[by](a, b),
      b.totalUs - a.totalUs,
      compareTexts(a.facts.url, b.facts.url),
      a.id - b.id,
    ),
  );
  return {
    rows: sorted.slice(0, most).map((row) => frameOf(row, viewTiers !== null)),
    more: Math.max(0, sorted.length - most),
    folded: all.length - shown.length,
  };
}

interface Row {
  readonly id: number;
  readonly totalUs: Microseconds;
  readonly selfUs: Microseconds;
  readonly ran: FrameTiers;
  readonly facts: FrameFacts;
}

const comparedBy: Readonly<Record<FunctionOrder['by'], (a: Row, b: Row) => number>> = {
  name: (a, b) => compareTexts(a.facts.name, b.facts.name),
  total: (a, b) => a.totalUs - b.totalUs,
  self: (a, b) => a.selfUs - b.selfUs,
  worst: (a, b) => (a.facts.figures?.worstUs ?? -1) - (b.facts.figures?.worstUs ?? -1),
  count: (a, b) => (a.facts.figures?.longCount ?? -1) - (b.facts.figures?.longCount ?? -1),
  stacks: (a, b) => (a.facts.figures?.distinctStacks ?? -1) - (b.facts.figures?.distinctStacks ?? -1),
  tier: (a, b) => v8Tiers.indexOf(tierOf(a.ran)) - v8Tiers.indexOf(tierOf(b.ran)),
};

function frameOf({ id, totalUs, selfUs, ran, facts }: Row, isTiered: boolean): FlameFrame {
  const times = { value: totalUs, selfUs, hiddenUs: microseconds(0), children: [] };
  return { id: `f${id}`, ...facts, ...times, ...(isTiered ? { tiers: ran } : {}) };
}

/** Times in µs by function id; `ran` by how the function's own code ran, at `id * tiers.length + tier`. */
interface FunctionTimes {
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly ran: Float64Array;
}

/** Sums over all places of each function. A call inside of another call of the same function adds no total time. */
function functionTimes({ tree, self, total }: FlameView['plain'], count: number): FunctionTimes {
  const isOutermost = outermostFrames(tree, (frame) => tree.functionId[frame] ?? -1, count);
  const times = {
    self: new Float64Array(count),
    total: new Float64Array(count),
    ran: new Float64Array(count * tiers.length),
  };
  for (const [frame, id] of tree.functionId.entries()) {
    if (id < 0) continue;
    times.self[id] = (times.self[id] ?? 0) + (self[frame] ?? 0);
    if (isOutermost[frame] !== 1) continue;
    times.total[id] = (times.total[id] ?? 0) + (total[frame] ?? 0);
    const at = id * tiers.length + frameRun(tree.run[frame] ?? 0).tier;
    times.ran[at] = (times.ran[at] ?? 0) + (total[frame] ?? 0);
  }
  return times;
}

function timesIn(id: number, times: FunctionTimes): Pick<Row, 'totalUs' | 'selfUs' | 'ran'> {
  const ran = byTier((tier) => microseconds(times.ran[id * tiers.length + tierNumbers[tier]] ?? 0));
  const unmarked = { inlined: microseconds(0), osr: microseconds(0) };
  return {
    totalUs: microseconds(times.total[id] ?? 0),
    selfUs: microseconds(times.self[id] ?? 0),
    ran: { ...ran, ...unmarked },
  };
}
