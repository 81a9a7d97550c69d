/**
 * The name of a run's folder, from its begin or end: sorts by age, valid on every system. The editor uses
 * `2026-01-31T12-00-00-000Z`, and `.ended` after the end; `hotspan record` has its process id in place of the `Z`.
 */
export function nameOfRun(time: Date): string {
  return time.toISOString().replaceAll(/[:.]/g, '-');
}

export function isNameOfRun(name: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}(?:-\d+|Z(?:\.ended)?)$/.test(name);
}

/** Suffix of a folder with the runs of both sides of a comparison. */
export const comparisonSuffix = '-compare';

export function isNameOfComparison(name: string): boolean {
  return name.endsWith(comparisonSuffix) && isNameOfRun(name.slice(0, -comparisonSuffix.length));
}

/** A run in such a folder: `base-1`, `head-3`, `run-2`; with a second number if it has several commands. */
export function isNameOfComparedRun(name: string): boolean {
  return /^(?:base|head|run)-\d+(?:-\d+)?$/.test(name);
}

/** Prefix of the temporary folder in which a comparison runs its base; a random part follows. */
export const basePrefix = 'hotspan-base-';

/** Whether a path leads into such a folder, which is deleted after the comparison. */
export function isInBase(path: string): boolean {
  return path.split(/[\\/]/).some((part) => part.startsWith(basePrefix));
}

/** A folder with the runs of a target in the editor's storage: a hash. */
export function isNameOfTarget(name: string): boolean {
  return /^[0-9a-f]{16}$/.test(name);
}

/** A baseline's name is used for a folder and a git ref. */
export function isBaselineName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_-]{0,63}$/u.test(name);
}
