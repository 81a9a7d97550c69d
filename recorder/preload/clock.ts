import type { Microseconds } from '../../protocol/units.ts';
import { microseconds } from '../../protocol/units.ts';
import { host } from './host.ts';

/** `process.hrtime` (CLOCK_MONOTONIC, the clock of V8's profiles) less `performance.now()`, in µs: constant. */
const offset = Number(host.hrtime()) / 1000 - host.performanceNow() * 1000;

/** Now, in whole µs of the recording's clock. `performance.now()` costs a tenth of `hrtime.bigint()`. */
export function now(): Microseconds {
  return microseconds(Math.round(host.performanceNow() * 1000 + offset));
}

/** When this thread's event loop began to turn; 0 or less while the entry script has not ended. */
export function loopStart(): Microseconds {
  const { loopStart: start } = host.nodeTiming;
  return microseconds(start > 0 ? Math.round(start * 1000 + offset) : 0);
}
