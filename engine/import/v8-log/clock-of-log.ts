import type { ClockMarker } from './v8-log.ts';

/**
 * What is to be added to the times of a log to have those of the recorder's clock, in µs; null where it has no marker.
 * Each marker was logged after its own time was taken and before the next one's: all of these bounds hold at once.
 */
export function clockOfLog(markers: readonly ClockMarker[]): number | null {
  let earliest = -Infinity;
  let latest = Infinity;
  for (const [index, { clock, time }] of markers.entries()) {
    earliest = Math.max(earliest, clock - time);
    latest = Math.min(latest, clock - (markers[index - 1]?.time ?? -Infinity));
  }
  if (markers.length === 0) return null;
  return latest >= earliest && Number.isFinite(latest) ? (earliest + latest) / 2 : earliest;
}
