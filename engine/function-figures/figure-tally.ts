import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import type { FunctionFigures, CulpritFigures } from './function-figures.ts';
import { type LoadTally, createLoadTally } from './module-load.ts';
import type { OwnPart } from './own-part.ts';
import { type PathFinder, createPathFinder } from './distinct-stacks.ts';
import { type PresenceTally, createPresenceTally } from './presence-tally.ts';
import { type TimeTally, createTimeTally } from './time-tally.ts';
import { mayBeMore } from './error-margin.ts';

/** Sums over all operations and isolates. */
export interface FigureTally {
  readonly times: TimeTally;
  readonly presences: PresenceTally;
  readonly background: PresenceTally;
  readonly load: LoadTally;
  readonly paths: PathFinder;
  /** The figures of each function, by id. `isOnLoop` tells for each operation whether somebody waits for its loop. */
  readonly figures: (ownParts: readonly OwnPart[], isOnLoop: readonly boolean[]) => readonly FunctionFigures[];
}

export function createFigureTally(functions: readonly FunctionInfo[], threshold: Microseconds): FigureTally {
  const times = createTimeTally(functions);
  const paths = createPathFinder(functions);
  const presences = createPresenceTally(functions.length, paths.lastOf, threshold);
  const background = createPresenceTally(functions.length, paths.lastOf, threshold);
  return {
    times,
    presences,
    background,
    load: createLoadTally(functions),
    paths,
    figures: (ownParts, isOnLoop) => {
      const culprits = culpritFigures(ownParts.filter((part) => isOnLoop[part.operation] === true));
      const grey = culpritFigures(ownParts.filter((part) => isOnLoop[part.operation] !== true));
      const { self, total, gc, load } = times.times;
      return functions.map(({ id }) => ({
        self: microseconds(self[id] ?? 0),
        total: microseconds(total[id] ?? 0),
        gc: microseconds(gc[id] ?? 0),
        load: microseconds(load[id] ?? 0),
        presence: presences.figuresOf(id),
        background: background.figuresOf(id),
        culprit: culprits.get(id) ?? null,
        backgroundCulprit: grey.get(id) ?? null,
      }));
    },
  };
}

/** Figures by function of these own parts: all of them, those of one process, or those of one test. */
function culpritFigures(ownParts: readonly OwnPart[]): ReadonlyMap<number, CulpritFigures> {
  const byFunction = new Map<number, OwnPart[]>();
  for (const part of ownParts) {
    const parts = byFunction.get(part.functionId);
    if (parts === undefined) byFunction.set(part.functionId, [part]);
    else parts.push(part);
  }
  return new Map([...byFunction].flatMap(([id, parts]) => figuresOf(parts).map((figures) => [id, figures] as const)));
}

/** Figures of own parts. All own parts are over the threshold, so each counts. Empty for no parts. */
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
