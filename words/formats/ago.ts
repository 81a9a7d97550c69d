/** `just now`, `2 minutes ago`, `3 hours ago`, `5 days ago`. Both times are in ms since the epoch. */
export function ago(then: number, now: number): string {
  const [unit, length] = units.find(([, ms]) => now - then >= ms) ?? ['', 0];
  if (length === 0) return 'just now';
  const count = Math.floor((now - then) / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** In ms. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
