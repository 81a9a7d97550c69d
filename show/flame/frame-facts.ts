import type { FrameCategory, FlameCode, FrameTiers, TiersAnswer } from '../../protocol/flame.ts';
import { frameCategories } from '../../protocol/flame.ts';
import type { PickedOperation } from '../../protocol/time.ts';
import { line1, toLine1, type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { firstTimeOf, waitOf } from '../../engine/hot-functions.ts';
import { plainUrl } from '../../engine/read/files/file-path.ts';
import { categoryOf } from './flame-tree.ts';
import type { FlameTree } from './frame-run.ts';
import { tierNumbers, tiers } from '../../engine/read/samples/tiered-samples.ts';
import { placeText } from '../../words/places.ts';
import { deoptGroups, diagnosisText, inlinedText } from '../../words/tier-words.ts';
import { type DescribedFrame, type FlameView, type ViewTiers, framesBelow, runColumns } from './flame-view.ts';
import { byTier, type V8Tier } from '../../protocol/v8-tiers.ts';

/** The texts and figures of one frame. */
export function factsOf(frame: number, tree: FlameTree, analysis: Analysis): DescribedFrame {
  const functionId = tree.functionId[frame] ?? -1;
  if (analysis.functions.functions[functionId] !== undefined) return factsOfFunction(functionId, analysis);
  const category = categoryOfFrame(frame, tree);
  const name = frame === 0 ? 'all' : nameOfCategory(category);
  return { name, category, functionId: -1, url: '', line: line1(0) };
}

/** The texts and figures of a function. Throws for an unknown id. */
export function factsOfFunction(functionId: number, analysis: Analysis): DescribedFrame {
  const fn = analysis.functions.functions[functionId];
  if (fn === undefined) throw new RangeError(`no function ${functionId}`);
  const culprit = culpritFacts(functionId, analysis);
  return {
    name: fn.label,
    category: categoryOf(fn),
    functionId,
    url: plainUrl(fn.url),
    line: toLine1(fn.line),
    ...(culprit === null ? {} : { figures: culprit.figures }),
    ...(culprit?.firstTime ? { firstTime: culprit.firstTime } : {}),
    ...(fn.role === null ? {} : { role: fn.role }),
    ...(analysis.changed.functionIds.has(functionId) ? { changed: true } : {}),
  };
}

export function categoryOfFrame(frame: number, { category }: FlameTree): FrameCategory {
  return frameCategories[category[frame] ?? -1] ?? 'program';
}

/** The name of a frame without a function. */
export function nameOfCategory(category: FrameCategory): string {
  return category === 'gc' ? '(garbage collector)' : category === 'program' ? '(program)' : '';
}

/** The figures of a function's own parts; null for a function without any. */
export function culpritFacts(functionId: number, analysis: Analysis): PickedOperation['culprit'] {
  const found = analysis.figures[functionId];
  const culprit = found?.culprit ?? null;
  if (found === undefined || culprit === null) return null;
  const { worst, longCount, distinctStacks, estimated, runs } = culprit;
  const waited = waitOf(culprit.waited, functionId, analysis);
  return {
    figures: { worstUs: worst, longCount, distinctStacks, estimated, waited, ...(runs === undefined ? {} : { runs }) },
    firstTime: firstTimeOf(found, analysis),
  };
}

/** How the code of a frame ran. */
export function ranOf(frame: number, { ran }: ViewTiers): FrameTiers {
  const us = (column: (typeof runColumns)[number]): Microseconds =>
    microseconds(ran[frame * runColumns.length + runColumns.indexOf(column)] ?? 0);
  return { ...byTier(us), inlined: us('inlined'), osr: us('osr') };
}

/** The tiers of the whole answer. */
export function answeredTiers(
  analysis: Analysis,
  { view, zoomed }: { readonly view: FlameView; readonly zoomed: number },
  shown: readonly number[],
): TiersAnswer {
  const second = analysis.tiers?.secondRun ?? null;
  if (view.tiers !== null) {
    const functionIds = new Set(shown.map((frame) => view.tree.functionId[frame] ?? -1));
    const code = [...functionIds].flatMap((functionId) => codeOf(functionId, analysis));
    return { type: 'recorded', selfByTier: selfByTier(view.tiers.self, zoomed, view.tree), code };
  }
  if (second !== null) return { type: 'secondRun', recording: second.path, startedAt: second.startedAt };
  return { type: 'none' };
}

function codeOf(functionId: number, analysis: Analysis): readonly FlameCode[] {
  const found = analysis.tiers?.functions.get(functionId);
  if (found === undefined) return [];
  const notes = [inlinedText(found, analysis), diagnosisText(found)].filter((text) => text !== null);
  const deopts = deoptGroups(found)
    .slice(0, MAX_DEOPTS)
    .map(({ reason, place, count }) => ({ reason, place: placeText(place, analysis), count }));
  return notes.length === 0 && deopts.length === 0 ? [] : [{ functionId, notes, deopts }];
}

const MAX_DEOPTS = 3;

function selfByTier(self: Float64Array, zoomed: number, tree: FlameTree): Readonly<Record<V8Tier, Microseconds>> {
  const sums = new Float64Array(tiers.length);
  for (const [frame, isBelow] of framesBelow(tree, zoomed).entries()) {
    if (isBelow !== 1) continue;
    for (let tier = 0; tier < tiers.length; tier++)
      sums[tier] = (sums[tier] ?? 0) + (self[frame * tiers.length + tier] ?? 0);
  }
  return byTier((tier) => microseconds(sums[tierNumbers[tier]] ?? 0));
}
