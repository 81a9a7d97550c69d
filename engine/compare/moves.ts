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
  const judged = functions.map((fn, number): ComparedFunction => {
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
    const isOpposite = (other: ComparedFunction): boolean =>
      other !== fn && Math.sign(moveOf(other)) === -Math.sign(own) && Math.abs(moveOf(other) + own) < Math.abs(own) / 2;
    const partner = nearest(functions.filter(isOpposite), -own);
    const movedTo = partner?.is ?? partner?.was ?? null;
    return { ...fn, verdict: 'moved', ...(movedTo === null ? {} : { movedTo }) };
  });
  return judged.map((fn) => (fn.verdict === 'gone' ? withTaker(fn, judged) : fn));
}

/**
 * Code that is gone may be in an edited function now, inlined or rewritten: one of its file, or one that called it, which
 * takes more by at least half of its time. Unless that has only moved, the change of the time is not known.
 */
function withTaker(gone: ComparedFunction, functions: readonly ComparedFunction[]): ComparedFunction {
  const us = -moveOf(gone);
  const mayHaveIt = (other: ComparedFunction): boolean =>
    other.textChanged !== false &&
    moveOf(other) >= us / 2 &&
    (other.is?.file === gone.was?.file || median(other.presence.wasUs) >= us / 2);
  const { is: movedTo = null, verdict } = nearest(functions.filter(mayHaveIt), us) ?? {};
  return movedTo === null ? gone : { ...gone, verdict: verdict === 'moved' ? 'moved' : 'notReached', movedTo };
}

/** The function whose worst changed by about this much; null where there is none, or two changed equally. */
function nearest(functions: readonly ComparedFunction[], us: number): ComparedFunction | null {
  const restOf = (fn: ComparedFunction): number => Math.abs(moveOf(fn) - us);
  const [first, second] = functions.toSorted((a, b) => restOf(a) - restOf(b));
  return first === undefined || (second !== undefined && restOf(second) === restOf(first)) ? null : first;
}

const moving: ReadonlySet<ChangeVerdict> = new Set<ChangeVerdict>(['faster', 'slower', 'gone', 'new']);

/** By how much its worst changed, in µs. */
export function moveOf({ worst }: ComparedFunction): number {
  return median(worst.isUs) - median(worst.wasUs);
}
