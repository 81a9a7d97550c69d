/**
 * The name of a run's folder, by a time of it: sorts by age, and is a file name everywhere. The editor names a recording
 * `2026-01-31T12-00-00-000Z`, and when it has ended `….ended`; `hotspan record` puts its process in place of the `Z`.
 */
export function nameOfRun(time: Date): string {
  return time.toISOString().replaceAll(/[:.]/g, '-');
}

export function isNameOfRun(name: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}(?:-\d+|Z(?:\.ended)?)$/.test(name);
}

/** In the editor's storage the runs of each target lie in one folder, which has a hash for its name. */
export function isNameOfTarget(name: string): boolean {
  return /^[0-9a-f]{16}$/.test(name);
}
