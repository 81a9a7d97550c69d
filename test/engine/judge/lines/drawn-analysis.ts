import type { Analysis } from '../../../../engine/analysis.ts';
import { milliseconds } from '../../../../protocol/units.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { analyzedIn } from '../../../helpers/analyzed.ts';
import { type PlacedFunctions, placedProfile } from '../../../helpers/placed-profile.ts';

interface Surroundings extends PlacedFunctions {
  /** Texts by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly thresholdMs?: number;
  /** The text of `/app/src/f.js`. */
  readonly text?: string;
}

/** Analyses a profile that is drawn (`placedProfile`). A blank line starts the next process. */
export async function analysisOf(drawing: string, surroundings: Surroundings = {}): Promise<Analysis> {
  const { files = {}, text, thresholdMs = 10 } = surroundings;
  const profiles = drawing.split(/\n\s*\n/).filter((rows) => rows.trim() !== '');
  const drawn = profiles.map((rows, index) => {
    return [`/rec/CPU.20260101.000000.${100 + index}.0.001.cpuprofile`, placedProfile(rows, surroundings)] as const;
  });
  const own = text === undefined ? {} : { '/app/src/f.js': text };
  const world = memoryWorld({ ...files, ...own, ...Object.fromEntries(drawn) });
  return (await analyzedIn(world, { thresholdUs: milliseconds(thresholdMs) })).analysis;
}
