import { analysisOf } from './drawn-analysis.ts';
import type { HotLine } from '../../../../engine/judge/lines/hot-lines.ts';

/** `3: 20 ms × 1, 1 stack, exact`: line, worst, long count, stacks, precision; `!` where it is decorated. */
export function shown({ line, worst, longCount, distinctStacks, precision, decorated }: HotLine): string {
  return `${line}: ${worst / 1000} ms × ${longCount}, ${distinctStacks} ${precision}${decorated ? ' !' : ''}`;
}

export async function linesOf(...drawn: Parameters<typeof analysisOf>): Promise<readonly string[]> {
  return (await analysisOf(...drawn)).lines.map(shown);
}
