import { type FunctionInfo, isTextKnown } from '../../read/functions/function-table.ts';
import { functionAt, type SourceIndex } from '../../read/source-code/source-index.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { onceEach } from '../../basics/once.ts';
import { firstDifference } from '../../basics/lists.ts';

/** Whether a function is written inside another one. False where no source shows it. */
export type IsWrittenInside = (inner: number, outer: number) => boolean;

/** Reads the sources of these functions. The answer is for them, and for what is around them. */
export async function readNesting(
  functions: readonly FunctionInfo[],
  ids: ReadonlySet<number>,
  indexes: SourceIndexes,
): Promise<IsWrittenInside> {
  const known = new Map<string, SourceIndex | null>();
  for (const url of new Set([...ids].flatMap((id) => functions[id]?.url ?? []))) known.set(url, await indexes.of(url));
  const numberOf = onceEach((id: number): number => {
    const fn = functions[id];
    const index = known.get(fn?.url ?? '') ?? null;
    if (fn === undefined || index === null || !isTextKnown(fn)) return -1;
    return fn.moduleBody ? 0 : functionAt(index, fn.line, fn.column, fn.name);
  });
  return (inner, outer) => {
    const url = functions[inner]?.url ?? '';
    const [from, wanted] = [numberOf(inner), numberOf(outer)];
    if (url !== functions[outer]?.url || wanted <= 0) return false;
    const parentOf = (at: number): number => known.get(url)?.functions[at]?.parent ?? -1;
    let at = parentOf(from);
    while (at > wanted) at = parentOf(at);
    return at === wanted;
  };
}

/** What one change reaches: a function, with what is written inside it. */
export interface Reached {
  readonly outer: number;
  readonly us: number;
  readonly has: (functionId: number) => boolean;
}

/**
 * Of the functions with these times in µs, and those `around` them, the one that has most together with what is written
 * inside it; of equal ones the one with most itself.
 */
export function mostReached(
  times: readonly (readonly [functionId: number, us: number])[],
  isInside: IsWrittenInside,
  around: readonly number[] = [],
): Reached {
  const own = new Map(times);
  const reached = [...new Set([...own.keys(), ...around])].map((outer): Reached => {
    const has = (id: number): boolean => id === outer || isInside(id, outer);
    return { outer, has, us: times.reduce((sum, [id, us]) => sum + (has(id) ? us : 0), 0) };
  });
  const ownOf = ({ outer }: Reached): number => own.get(outer) ?? 0;
  const [most] = reached.toSorted((a, b) => firstDifference(b.us - a.us, ownOf(b) - ownOf(a)));
  return most ?? { outer: -1, us: 0, has: () => false };
}
