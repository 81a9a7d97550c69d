import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { mayBeMore } from './margin.ts';
import type { CulpritFigures } from './function-figures.ts';
import type { OwnPart } from './own-part.ts';

/** Figures by function of these own parts: of all, of one process, of one test. */
export function culpritFigures(ownParts: readonly OwnPart[]): ReadonlyMap<number, CulpritFigures> {
  const byFunction = new Map<number, OwnPart[]>();
  for (const part of ownParts) {
    const parts = byFunction.get(part.functionId);
    if (parts === undefined) byFunction.set(part.functionId, [part]);
    else parts.push(part);
  }
  return new Map([...byFunction].flatMap(([id, parts]) => figuresOf(parts).map((figures) => [id, figures] as const)));
}

/** Own parts are over the threshold, all of them: each counts. None for no parts. */
function figuresOf(parts: readonly OwnPart[]): readonly CulpritFigures[] {
  const [first] = parts;
  if (first === undefined) return [];
  const worst = parts.reduce((found, part) => (part.weight > found.weight ? part : found), first);
  return [
    {
      worst: worst.weight,
      worstWarm: largest(parts.filter((part) => !part.cold)),
      samples: worst.samples,
      estimated: worst.estimated || parts.some(({ most }) => mayBeMore(worst.weight, most)),
      longCount: parts.length,
      waited: worst.waited,
      loaded: parts.every(({ cold, loaded }) => cold && loaded !== null) ? worst.loaded : null,
      distinctStacks: new Set(parts.flatMap((part) => part.places.map((place) => place.path))).size,
    },
  ];
}

function largest(parts: readonly OwnPart[]): Microseconds {
  return parts.reduce((most, { weight }) => (weight > most ? weight : most), microseconds(0));
}
