import type { WorstFigure } from '../../protocol/figures.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { functionFigures, type ShownFigures } from './figures.ts';

/** What a line says of the functions whose time is on it. */

/** Whether two of them read alike. It does not matter whether it is certain that one is on its line. */
export function saysTheSame(one: ShownFigures, other: ShownFigures, thresholdUs: Microseconds): boolean {
  return functionFigures(certain(one), thresholdUs) === functionFigures(certain(other), thresholdUs);
}

/**
 * Whether a line has all of its function's time but a twentieth, which may as well be an error of sampling. Then it shows
 * the function's figures, so that nobody looks for the rest.
 */
export function hasAllOf(fn: WorstFigure, line: WorstFigure): boolean {
  return line.worstUs * 20 >= fn.worstUs * 19;
}

function certain<Shown extends WorstFigure>(figures: Shown): Shown {
  return { ...figures, estimated: false };
}

/** Said where several lines may hold the time, and nothing tells which of them does. */
export const oneOfSeveral = 'one of several lines';
