import { commonPrefix } from './graft-plainly.ts';
import type { PlainFunction } from './plain-function.ts';
import type { PlainSample } from './plain-samples.ts';

/** Rule 6: the stacks of one operation's samples. */
export function bridged(samples: readonly PlainSample[]): readonly (readonly PlainFunction[])[] {
  const stacks = samples.map(({ stack }) => stack);
  let interrupted: readonly PlainFunction[] = [];
  for (const [index, { meta, stack }] of samples.entries()) {
    if (meta === '(garbage collector)') stacks[index] = interrupted;
    else interrupted = stack;
  }
  const isGap = samples.map(
    ({ meta }, index) =>
      meta === '(program)' || meta === '(root)' || (meta === '(garbage collector)' && stacks[index]?.length === 0),
  );
  let index = 0;
  while (index < samples.length) {
    const begin = index;
    while (isGap[index] === true) index++;
    const between = commonPrefix(stacks[begin - 1] ?? [], stacks[index] ?? []);
    for (let inside = begin; inside < index; inside++) stacks[inside] = between;
    index++;
  }
  return stacks;
}
