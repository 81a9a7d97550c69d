import { type FlameFrame, type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import { line1, toLine1 } from '../../protocol/units.ts';
import type { Analysis } from '../analysis.ts';
import { plainUrl } from '../texts/text-version.ts';
import type { FlameTree } from './flame-tree.ts';

export type FrameFacts = Pick<FlameFrame, 'name' | 'category' | 'functionId' | 'url' | 'line' | 'figures' | 'changed'>;

/** What a frame says of itself. */
export function factsOf(frame: number, tree: FlameTree, { functions, figures, changed }: Analysis): FrameFacts {
  const functionId = tree.functionId[frame] ?? -1;
  const category = categoryOfFrame(frame, tree);
  const fn = functions.functions[functionId];
  if (fn === undefined)
    return {
      name: frame === 0 ? 'all' : namesOfNoFunction[category],
      category,
      functionId: -1,
      url: '',
      line: line1(0),
    };
  const culprit = figures[functionId]?.culprit ?? null;
  return {
    name: fn.label,
    category,
    functionId,
    url: plainUrl(fn.url),
    line: toLine1(fn.line),
    ...(culprit === null ? {} : { figures: figuresOf(culprit) }),
    ...(changed.functionIds.has(functionId) ? { changed: true } : {}),
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

type Culprit = NonNullable<Analysis['figures'][number]['culprit']>;

function figuresOf({ worst, longCount, distinctStacks, estimated }: Culprit): NonNullable<FlameFrame['figures']> {
  return { worstUs: worst, longCount, distinctStacks, estimated };
}
