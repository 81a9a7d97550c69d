import type { Localizer } from '../ui/localizer.ts';
import type { EmptyRun } from './no-test-ran.ts';

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
