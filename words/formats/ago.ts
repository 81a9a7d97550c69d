/** `2 minutes ago`, `just now`, `3 hours ago`, `5 days ago`: how long before `now` something was. Both in ms since the epoch. */
export function ago(then: number, now: number): string {
  const [unit, length] = units.find(([, ms]) => now - then >= ms) ?? ['', 0];
  if (length === 0) return 'just now';
  const count = Math.floor((now - then) / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** In ms, longest first. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
