import { numberOf } from '../../protocol/json-value.ts';

/** A hundred years in µs: a clock that shows more, before or after its zero, is broken. */
const latest = 3e15;

/** A time in µs; `otherwise` where the value is no number, or none that a clock can show. */
export function plausibleTime(time: unknown, otherwise: number): number {
  const given = numberOf(time, otherwise);
  return Math.abs(given) < latest ? given : otherwise;
}

/** Three years in µs: what is further from the start of a profile is no part of it. So all sums stay whole numbers. */
export const longestProfile = 1e14;
