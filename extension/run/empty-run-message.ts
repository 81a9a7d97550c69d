import type { Localizer } from '../ui/localizer.ts';

/** What is said of a run of tests in which none was seen. */
export function emptyRunMessage({ name, file, exitCode }: EmptyRun, l10n: Localizer): string {
  if (exitCode !== 0) return l10n.t('No test was seen to run ({0}). The terminal says why.', name);
  return file === null
    ? l10n.t('No test was seen to run ({0}). Profile a file or another npm script instead.', name)
    : l10n.t(
        'No test was seen to run ({0}): its name may be made only while tests run. Profile the whole file instead.',
        name,
      );
}

/** A run of tests in which none was seen. */
export interface EmptyRun {
  /** Of the task. */
  readonly name: string;
  /** Absolute path of the test's file, where one test was to run; null: more than one. */
  readonly file: string | null;
  /** Undefined where nobody told. */
  readonly exitCode: number | undefined;
}
