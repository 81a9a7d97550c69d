import { numberOf } from '../../../protocol/json-value.ts';

/** A hundred years in µs. A clock that is further from its zero is broken. */
const latest = 3e15;

/** A time in µs; `otherwise` where the value is not a number, or not one that a clock can show. */
export function plausibleTime(time: unknown, otherwise: number): number {
  const given = numberOf(time, otherwise);
  return Math.abs(given) < latest ? given : otherwise;
}

/** Three years in µs. A time that is further from the start of a profile is not part of it. So all sums stay exact. */
export const longestProfile = 1e14;
