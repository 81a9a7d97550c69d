import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { culpritFigures } from './culprit-figures.ts';
import type { FunctionFigures } from './function-figures.ts';
import { type LoadTally, createLoadTally } from './module-load.ts';
import type { OwnPart } from './own-part.ts';
import { type PathFinder, createPathFinder } from './path-table.ts';
import { type PresenceTally, createPresenceTally } from './presence-tally.ts';
import { type TimeTally, createTimeTally } from './time-tally.ts';

/** What is added up over all operations and isolates. */
export interface FigureTally {
  readonly times: TimeTally;
  readonly presences: PresenceTally;
  readonly background: PresenceTally;
  readonly load: LoadTally;
  readonly paths: PathFinder;
  /** The figures of each function, by id. `isOnLoop` tells for each operation whether somebody waits on its loop. */
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
