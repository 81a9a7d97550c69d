import { builtFileShort, changedSince, firstTimeFigures, lensFigures } from '../../words/formats/figures.ts';
import type { Metric } from '../../protocol/requests.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { AnnotatedFunction } from '../answers/file-annotations.ts';
import type { Placed, PlacedLine } from '../placement/placed-file.ts';

/** The figures of a function; only what can be done where the function's one mark, on its first line, says them already. */
export function lensTitle(
  fn: Placed<AnnotatedFunction>,
  lines: readonly PlacedLine[],
  metric: Metric,
  thresholdUs: Microseconds,
): string {
  const { item, place } = fn;
  const marked = lines.filter(({ owner }) => owner?.item === item);
  const notes = [...(item.optimized === null ? [] : [item.optimized]), ...(item.isBuilt ? [builtFileShort] : [])];
  if (metric === 'total' || item.kept || marked.every(({ line }) => line === place.line))
    return ['flamegraph', ...notes].join(' · ');
  const figures = item.firstTime === null ? lensFigures(item, thresholdUs) : firstTimeFigures(item, item.firstTime);
  return [figures, ...notes, ...(place.stale ? [changedSince] : [])].join(' · ');
}
