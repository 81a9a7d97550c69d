import type { Analysis } from '../../engine/analysis.ts';
import type { Operation } from '../../engine/operations/operation.ts';
import type { Compared } from './compare.ts';
import { type Stretch, stretchesIn } from './presence.ts';
import { total } from './statistics.ts';
import type { TruePresence, Truth } from './truth.ts';
import type { NodeVersion } from '../../test/helpers/node-versions.ts';

/**
 * One line of JSON for each figure of a run: what was compared, and each operation that the function was in, with its
 * samples: `[µs by the clock, µs held, 1 where the function is on the stack]`.
 */
export function dumped(
  { version, spinners }: Setting,
  run: number,
  analysis: Analysis,
  truth: Truth,
  all: readonly Compared[],
): readonly string[] {
  return all.map((compared) => {
    const operations = (truth.get(compared.name) ?? []).map((presence) =>
      operationOf(analysis, presence, compared.functionId),
    );
    return JSON.stringify({ node: version, spinners, run, ...compared, operations });
  });
}

function operationOf(analysis: Analysis, { at, ms }: TruePresence, functionId: number): object {
  // At the same moment, another thread may be in an operation of its own.
  const found = analysis.operations
    .filter(({ start, end }) => start <= at && at < end)
    .map((operation) => ({ operation, samples: stretchesIn(analysis, operation, functionId) }))
    .toSorted((a, b) => heldIn(b.samples) - heldIn(a.samples))[0];
  if (found === undefined) return { truth: ms, operation: null };
  const { operation, samples } = found;
  const compact = samples.map(({ clock, held, has }) => [Math.round(clock), Math.round(held), Number(has)]);
  return { truth: ms, operation: factsOf(operation), samples: compact };
}

function heldIn(samples: readonly Stretch[]): number {
  return total(samples.map(({ held, has }) => (has ? held : 0)));
}

function factsOf({ start, end, held, thread, asleep, doubt }: Operation): object {
  return { start, end, held, ...thread, asleep, doubt };
}

export interface Setting extends NodeVersion {
  readonly spinners: number;
}
