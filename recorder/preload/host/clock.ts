import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { host } from './host.ts';

/** `process.hrtime` (CLOCK_MONOTONIC, the clock of V8's profiles) less `performance.now()`, in µs: constant. */
const offset = Number(host.hrtime()) / 1000 - host.performanceNow() * 1000;

/** Now, in whole µs of the recording's clock. */
export function now(): Microseconds {
  return onRecordingClock(host.performanceNow());
}

/** What `performance.now()` said, in ms, on the recording's clock. Asking it costs a tenth of `hrtime.bigint()`. */
export function onRecordingClock(ms: number): Microseconds {
  return microseconds(Math.round(ms * 1000 + offset));
}

/** On the clock of files, in ms since the epoch. */
export const beganAt = host.wallClock() - host.performanceNow();
