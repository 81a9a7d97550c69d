import { numberOf } from '../../protocol/json-value.ts';

/** In µs, a hundred years: a clock that shows more, before or after its zero, is broken. */
const latest = 3e15;

/** In µs; the other one where it is no number, or none that a clock can show. */
export function plausibleTime(time: unknown, otherwise: number): number {
  const given = numberOf(time, otherwise);
  return Math.abs(given) < latest ? given : otherwise;
}

/** In µs, three years: what is further from the start of a profile is none of it. So all sums stay whole numbers. */
export const longestProfile = 1e14;
