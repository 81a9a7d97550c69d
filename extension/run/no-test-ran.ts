import { Uri, commands as registry, l10n, window } from 'vscode';
import { commands } from '../../protocol/ids.ts';

/** A run of one test in which none was seen. */
interface EmptyRun {
  /** Of the task. */
  readonly name: string;
  /** Absolute path of the test's file. */
  readonly file: string;
  /** Undefined where nobody told. */
  readonly exitCode: number | undefined;
  readonly show: () => Promise<unknown>;
}

/**
 * Says that no test was seen: a runner may not have told. What the editor shows stays as it is, unless the person wants to
 * see this run all the same.
 */
export async function sayNoTestRan({ name, file, exitCode, show }: EmptyRun): Promise<void> {
  const message =
    exitCode === 0
      ? l10n.t(
          'No test was seen to run ({0}): its name may be made only while tests run. Profile the whole file instead.',
          name,
        )
      : l10n.t('No test was seen to run ({0}). The terminal says why.', name);
  const profileFile = l10n.t('Profile File');
  const showRun = l10n.t('Show This Run');
  const choice = await window.showWarningMessage(message, profileFile, showRun);
  if (choice === profileFile) await registry.executeCommand(commands.profileFile, Uri.file(file));
  if (choice === showRun) await show();
}
