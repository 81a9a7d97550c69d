import type { Figures } from '../../../protocol/figures.ts';
import { microseconds } from '../../../protocol/units.ts';
import { groupBy } from '../../basics/lists.ts';
import type { FunctionFlags } from '../../read/functions/function-table.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { Cause } from './causes.ts';
import { functionsAbove, heaviestPlace } from './together.ts';

type FindingFigures = Pick<Figures, 'worstUs' | 'longCount' | 'distinctStacks' | 'estimated'>;

/**
 * The figures of a finding. A function that is one by itself has those of its own parts, as every surface shows them.
 * Functions that take turns have the sum of their parts in each operation, and a function that only covers spread time has
 * its presence.
 */
export function figuresOfCause(run: JudgedRun, cause: Cause): FindingFigures {
  const { subject, members, parts, isSpread } = cause;
  if (subject.type !== 'function') return figuresOfTimes(run, cause);
  const figures = run.figures[subject.functionId];
  const culprit = figures?.culprit ?? null;
  if (members.length === 0 && culprit !== null) {
    const { worst, longCount, distinctStacks, estimated } = culprit;
    return { worstUs: worst, longCount, distinctStacks, estimated };
  }
  const { distinctStacks = 0, estimated = true } = figures?.presence ?? {};
  if (isSpread) {
    const { worst = microseconds(0), longCount = 0 } = figures?.presence ?? {};
    return { worstUs: worst, longCount, distinctStacks, estimated };
  }
  const sums = [...groupBy(parts, (part) => run.ownParts.operationOf(part)).values()].map((its) =>
    its.reduce((sum, part) => sum + run.ownParts.weightOf(part), 0),
  );
  return { worstUs: microseconds(Math.max(...sums)), longCount: sums.length, distinctStacks, estimated };
}

function figuresOfTimes({ operations, thresholdUs }: JudgedRun, { operations: numbers, us }: Cause): FindingFigures {
  const worst = us.reduce((most, one) => Math.max(most, one), 0);
  const estimated = numbers.some((number) => operations[number]?.measured !== true);
  const longCount = us.filter((one) => one > thresholdUs).length;
  return { worstUs: microseconds(Math.round(worst)), longCount, distinctStacks: 0, estimated };
}

/** Ids of the nearest two own functions above the heaviest place of a cause, the nearest first. */
export function callersOf(run: JudgedRun, { subject, parts, members }: Cause, flags: FunctionFlags): readonly number[] {
  const [first] = parts;
  if (first === undefined || subject.type !== 'function') return [];
  const heaviest = parts.reduce(
    (most, part) => (run.ownParts.weightOf(part) > run.ownParts.weightOf(most) ? part : most),
    first,
  );
  const path = functionsAbove(run, heaviestPlace(run, heaviest), flags);
  const inside = new Set([subject.functionId, ...members.map(({ functionId }) => functionId)]);
  const outermost = path.lastIndexOf(subject.functionId);
  return [...new Set(path.slice(outermost + 1))].filter((fn) => !inside.has(fn)).slice(0, 2);
}
