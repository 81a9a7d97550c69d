import { isList } from '../basics/json-value.ts';
import type { WaitCurve } from '../samples/wait-curve.ts';
import { plausibleTime } from '../samples/plausible-time.ts';

/** The lines of a `.waits.jsonl`: those that go back in time, or in what was waited, are left out. */
export function readWaits(lines: readonly unknown[]): WaitCurve {
  const kept: { readonly before: number; readonly at: number; readonly wait: number }[] = [];
  for (const line of lines.filter(isList)) {
    const [before, at, wait] = line.map((value) => plausibleTime(value, Number.NaN));
    const last = kept.at(-1) ?? { at: 0, wait: 0 };
    if (before === undefined || at === undefined || wait === undefined) continue;
    if (at >= Math.max(before, last.at) && wait >= last.wait) kept.push({ before, at, wait });
  }
  return {
    before: Float64Array.from(kept, ({ before }) => before),
    at: Float64Array.from(kept, ({ at }) => at),
    wait: Float64Array.from(kept, ({ wait }) => wait),
  };
}
