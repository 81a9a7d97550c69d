import type { ClockMarker } from './v8-log.ts';

/**
 * What is to be added to the times of a log to have those of the recorder's clock, in µs; null where it has no marker.
 * Each marker was logged after its own time was taken and before the next one's: all of these bounds hold at once.
 */
export function clockOfLog(markers: readonly ClockMarker[]): number | null {
  if (markers.length === 0) return null;
  const earliest = Math.max(...markers.map(({ clock, time }) => clock - time));
  const latest = Math.min(...markers.slice(1).map(({ clock }, before) => clock - (markers[before]?.time ?? 0)));
  return latest >= earliest && Number.isFinite(latest) ? (earliest + latest) / 2 : earliest;
}
