import { l10n, window } from 'vscode';
import { emptyRunMessage } from './empty-run-message.ts';
import { otherWays } from './other-ways.ts';

/** A run of tests in which none was seen. */
export interface EmptyRun {
  /** Of the task. */
  readonly name: string;
  /** Absolute path of the test's file, where one test was to run; null: more than one. */
  readonly file: string | null;
  /** Undefined where nobody told. */
  readonly exitCode: number | undefined;
}

/** Says that no test was seen: a runner may not have told. `show` shows this run all the same; null: it is on screen. */
export async function sayNoTestRan(run: EmptyRun, show: (() => Promise<unknown>) | null): Promise<void> {
  const ways = otherWays(run.file);
  const showRun = l10n.t('Show This Run');
  const labels = [...ways.keys(), ...(show === null ? [] : [showRun])];
  const choice = await window.showWarningMessage(emptyRunMessage(run, l10n), ...labels);
  if (choice === showRun) await show?.();
  else if (choice !== undefined) await ways.get(choice)?.();
}
