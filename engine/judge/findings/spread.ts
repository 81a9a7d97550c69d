import { firstDifference } from '../../basics/lists.ts';
import type { FunctionFlags } from '../../read/functions/function-table.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import { OwnPresences } from './presences.ts';
import { compareIds, MIN_SHARE } from './together.ts';

/** An own function that covers operations in which no function has a part of its own over the threshold. */
export interface SpreadCause {
  readonly functionId: number;
  /** Numbers of operations, ascending, and its presence in each in µs. */
  readonly operations: readonly number[];
  readonly us: readonly number[];
}

/**
 * Finds the lowest own functions that cover operations whose time is spread over many short calls of own code
 * (docs/definition.md, rule 18). `numbers` are those of the operations, ascending.
 */
export function spreadCauses(run: JudgedRun, numbers: readonly number[], flags: FunctionFlags): readonly SpreadCause[] {
  const presences = new OwnPresences(run, flags.own);
  let left = numbers.map((number) => ({ number, us: presences.in(number) }));
  const found: SpreadCause[] = [];
  while (left.length > 0) {
    const functionId = covering(run, left);
    if (functionId === null) break;
    const isCovered = ({ number, us }: InOperation): boolean =>
      (us.get(functionId) ?? 0) * 2 >= (run.verdicts[number]?.blame?.us ?? 0);
    const its = left.filter(isCovered);
    if (its.length === 0) break;
    const us = its.map((one) => one.us.get(functionId) ?? 0);
    found.push({ functionId, operations: its.map(({ number }) => number), us });
    left = left.filter((one) => !isCovered(one));
  }
  return found;
}

interface InOperation {
  readonly number: number;
  /** Presence in µs by function id. */
  readonly us: ReadonlyMap<number, number>;
}

/**
 * The own function that explains most of these operations, and of all that explain at least 80 % as much the lowest:
 * the one with the least presence. Test code is taken only where no other own function is. Null where there is none.
 */
function covering({ functions: { functions }, verdicts }: JudgedRun, left: readonly InOperation[]): number | null {
  const sums = new Map<number, number>();
  for (const { number, us } of left) {
    const own = verdicts[number]?.blame?.us ?? 0;
    for (const [fn, presence] of us) if (presence * 2 >= own) sums.set(fn, (sums.get(fn) ?? 0) + presence);
  }
  const most = [...sums.values()].reduce((largest, us) => Math.max(largest, us), 0);
  const enough = [...sums].filter(([, us]) => us > 0 && us >= MIN_SHARE * most);
  const isTest = (id: number): number => Number(functions[id]?.role === 'test' || functions[id]?.moduleBody === true);
  const [lowest] = enough.toSorted(([a, x], [b, y]) =>
    firstDifference(isTest(a) - isTest(b), x - y, compareIds(functions, a, b)),
  );
  return lowest?.[0] ?? null;
}
