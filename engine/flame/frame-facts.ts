import { type FlameFrame, type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import { line1, toLine1 } from '../../protocol/units.ts';
import type { Analysis } from '../analysis.ts';
import { plainUrl } from '../files/text-version.ts';
import { firstTimeOf, waitOf } from '../hot-functions.ts';
import type { FlameTree } from './frame-run.ts';

export type FrameFacts = Pick<
  FlameFrame,
  'name' | 'category' | 'functionId' | 'url' | 'line' | 'figures' | 'firstTime' | 'role' | 'changed'
>;

/** The texts and figures of one frame. */
export function factsOf(frame: number, tree: FlameTree, analysis: Analysis): FrameFacts {
  const functionId = tree.functionId[frame] ?? -1;
  const category = categoryOfFrame(frame, tree);
  const fn = analysis.functions.functions[functionId];
  if (fn === undefined)
    return {
      name: frame === 0 ? 'all' : namesOfNoFunction[category],
      category,
      functionId: -1,
      url: '',
      line: line1(0),
    };
  return {
    name: fn.label,
    category,
    functionId,
    url: plainUrl(fn.url),
    line: toLine1(fn.line),
    ...culpritFacts(functionId, analysis),
    ...(fn.role === null ? {} : { role: fn.role }),
    ...(analysis.changed.functionIds.has(functionId) ? { changed: true } : {}),
  };
}

export function categoryOfFrame(frame: number, { category }: FlameTree): FrameCategory {
  return frameCategories[category[frame] ?? -1] ?? 'program';
}

const namesOfNoFunction: Readonly<Record<FrameCategory, string>> = {
  own: '',
  test: '',
  dependency: '',
  runner: '',
  node: '',
  native: '',
  gc: '(garbage collector)',
  program: '(program)',
};

function culpritFacts(functionId: number, analysis: Analysis): Pick<FlameFrame, 'figures' | 'firstTime'> {
  const found = analysis.figures[functionId];
  const culprit = found?.culprit ?? null;
  if (found === undefined || culprit === null) return {};
  const { worst, longCount, distinctStacks, estimated } = culprit;
  const waited = waitOf(culprit.waited, functionId, analysis);
  const firstTime = firstTimeOf(found, analysis);
  return {
    figures: { worstUs: worst, longCount, distinctStacks, estimated, waited },
    ...(firstTime === null ? {} : { firstTime }),
  };
}
