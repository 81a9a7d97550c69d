import type { Analysis } from '../analysis.ts';
import type { Operation } from '../operations/operation.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Waited } from '../function-figures/function-figures.ts';
import type { ReportWait } from '../../protocol/report-code.ts';

/** The name of the call in which a function's thread slept while it held the loop. */
export function waitOf(
  waited: Waited | null,
  functionId: number,
  { functions: { functions }, atomicsWaiters }: Pick<Analysis, 'functions' | 'atomicsWaiters'>,
): ReportWait | null {
  if (waited === null) return null;
  const name = waited.in === null ? undefined : functions[waited.in]?.name;
  return { us: waited.us, in: name ?? (atomicsWaiters.has(functionId) ? 'Atomics.wait' : null) };
}

/** Clock time of an operation in which others had the processor for a good part; else null. */
export function stretchedTime({ start, end, thread: { wait } }: Operation): Microseconds | null {
  return wait !== null && wait > leastStretch && wait * 10 > end - start ? microseconds(end - start) : null;
}

/** Least difference in µs that is reported. */
const leastStretch = 3000;
