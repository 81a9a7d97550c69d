import type { Target } from '../target.ts';
import { isInside } from '../packages/packages.ts';

/** What the person used last, and which file is open. */
export interface Preference {
  /** Absolute path; null where no file is open. */
  readonly activeFile: string | null;
  /** Ids of the targets that were used, the latest first. */
  readonly remembered: readonly string[];
}

/**
 * Orders targets for a quick pick: tests of the open file, tests of its package, targets that were used before, the
 * rest, and last what runs every package. Otherwise the order stays as it was.
 */
export function orderTargets(targets: readonly Target[], preference: Preference): readonly Target[] {
  const nearest = nearestFolder(targets, preference.activeFile);
  const rank = (target: Target): number => {
    if (target.kind === 'fileTests') return 0;
    if (target.isOrchestrator) return 4;
    if (target.folder === nearest) return 1;
    return preference.remembered.includes(target.id) ? 2 : 3;
  };
  const age = (target: Target): number => {
    const index = preference.remembered.indexOf(target.id);
    return index < 0 ? preference.remembered.length : index;
  };
  return targets.toSorted((a, b) => (rank(a) === rank(b) ? age(a) - age(b) : rank(a) - rank(b)));
}

function nearestFolder(targets: readonly Target[], file: string | null): string | null {
  if (file === null) return null;
  const around = targets.map((target) => target.folder).filter((folder) => isInside(file, folder));
  return around.toSorted((a, b) => b.length - a.length)[0] ?? null;
}
