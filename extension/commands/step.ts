export type Direction = 'next' | 'previous';

interface Spot {
  readonly uri: string;
  readonly line: number;
}

/**
 * The spot after (or before) the one that the cursor is on, round at the ends; the first one from anywhere else. Several at
 * one place are one: the cursor cannot tell which of them it is on.
 */
export function stepFrom<S extends Spot>(here: Spot | null, all: readonly S[], direction: Direction): S | null {
  const byPlace = new Map(all.toReversed().map((spot) => [`${spot.line} ${spot.uri}`, spot]));
  const spots = all.filter((spot) => byPlace.get(`${spot.line} ${spot.uri}`) === spot);
  const at = here === null ? -1 : spots.findIndex(({ uri, line }) => uri === here.uri && line === here.line);
  if (at === -1) return spots[0] ?? null;
  const step = direction === 'next' ? 1 : spots.length - 1;
  return spots[(at + step) % spots.length] ?? null;
}
