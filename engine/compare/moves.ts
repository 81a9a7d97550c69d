import type { ChangeVerdict, ComparedFunction } from '../../protocol/comparison.ts';
import { median } from '../../protocol/figures.ts';
import { changeOfTimes, type Direction, firstRule } from './change-rules.ts';

/**
 * A function that was split has less own time, and its callees have the rest: then its presence did not change with its
 * own part, and the verdict is `moved`. `movedTo` is the function with about the opposite difference. Where the presence
 * changed, too, that is the verdict. `presenceChange`: the direction of this change, by the number of the function, if it
 * is certain.
 */
export function withMoves(
  functions: readonly ComparedFunction[],
  presenceChange: (number: number) => Direction | null,
): readonly ComparedFunction[] {
  return functions.map((fn, number) => {
    if (!moving.has(fn.verdict) || fn.was === null || fn.is === null) return fn;
    const own = moveOf(fn);
    const whole = median(fn.presence.isUs) - median(fn.presence.wasUs);
    // The presence changed with the own part: nothing moved within it.
    if (Math.sign(whole) === Math.sign(own) && Math.abs(whole) > Math.abs(own) / 2) return fn;
    // Code that is the same was not split: V8 may inline its callees at another moment.
    if (fn.textChanged !== true || fn.worst.wasUs.length !== fn.worst.isUs.length)
      return { ...fn, verdict: 'tooNoisy' };
    if (changeOfTimes(firstRule, fn.presence.wasUs, fn.presence.isUs) !== null)
      return { ...fn, verdict: presenceChange(number) ?? 'tooNoisy', worst: fn.presence, withCallees: true };
    const restOf = (other: ComparedFunction): number => Math.abs(moveOf(other) + own);
    const [partner, second] = functions
      .filter((other) => other !== fn && Math.sign(moveOf(other)) === -Math.sign(own))
      .toSorted((a, b) => restOf(a) - restOf(b));
    const isLikely = partner !== undefined && restOf(partner) < Math.abs(own) / 2;
    // Of two that fit equally well, either may be it.
    const isOneOfTwo = isLikely && second !== undefined && restOf(second) === restOf(partner);
    const movedTo = isLikely && !isOneOfTwo ? (partner.is ?? partner.was) : null;
    return { ...fn, verdict: 'moved' as const, ...(movedTo === null ? {} : { movedTo }) };
  });
}

const moving: ReadonlySet<ChangeVerdict> = new Set<ChangeVerdict>(['faster', 'slower', 'gone', 'new']);

/** By how much its worst changed, in µs. */
export function moveOf({ worst }: ComparedFunction): number {
  return median(worst.isUs) - median(worst.wasUs);
}
