import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { host } from './host.ts';

/**
 * The difference between `process.hrtime` (CLOCK_MONOTONIC, the clock of V8's profiles) and `performance.now()`, in µs.
 * It is constant.
 */
const offset = Number(host.hrtime()) / 1000 - host.performanceNow() * 1000;

/** The current time in whole µs on the recording's clock. */
export function now(): Microseconds {
  return onRecordingClock(host.performanceNow());
}

/**
 * A time of `performance.now()`, in ms, on the recording's clock. `performance.now()` costs a tenth of
 * `hrtime.bigint()`.
 */
export function onRecordingClock(ms: number): Microseconds {
  return microseconds(Math.round(ms * 1000 + offset));
}

/** When this process began, on the clock of the file system, in ms since the epoch. */
export const beganAt = host.wallClock() - host.performanceNow();
