import type { HotspotGroup, HotspotItem, Hotspots } from './list-rows.ts';
import { byWeight } from './summary.ts';

/** The way of *Go to Next Hotspot*, the same in VS Code and in other editors. */

/** The rows in groups of these kinds, worst first over all results. A single list stays in its order. */
export function worstFirst(
  all: Hotspots,
  kinds: readonly HotspotGroup['kind'][],
): readonly (HotspotItem & { readonly recording: string })[] {
  const lists = all.flatMap(({ recording, groups }) =>
    groups.filter(({ kind }) => kinds.includes(kind)).map(({ items }) => items.map((item) => ({ ...item, recording }))),
  );
  if (lists.length === 1) return lists.flat();
  return lists.flat().toSorted((a, b) => byWeight({ us: a.worstUs, tone: a.tone }, { us: b.worstUs, tone: b.tone }));
}

export type Direction = 'next' | 'previous';

export interface Spot {
  readonly uri: string;
  readonly line: number;
}

/** The spot after (or before) the cursor's, in a circle; else the first. Several spots on one line count as one. */
export function stepFrom<S extends Spot>(here: Spot | null, all: readonly S[], direction: Direction): S | null {
  const byPlace = new Map(all.toReversed().map((spot) => [`${spot.line} ${spot.uri}`, spot]));
  const spots = all.filter((spot) => byPlace.get(`${spot.line} ${spot.uri}`) === spot);
  const at = here === null ? -1 : spots.findIndex(({ uri, line }) => uri === here.uri && line === here.line);
  if (at === -1) return spots[0] ?? null;
  const step = direction === 'next' ? 1 : spots.length - 1;
  return spots[(at + step) % spots.length] ?? null;
}
