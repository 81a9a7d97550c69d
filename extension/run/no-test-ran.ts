import { window } from 'vscode';
import { emptyRunMessage, type EmptyRun } from '../../words/editor/run-messages.ts';
import { otherWays } from './other-ways.ts';

/** Says that no test was seen: a runner may not have told. `show` shows this run all the same; null: it is on screen. */
export async function sayNoTestRan(run: EmptyRun, show: (() => Promise<unknown>) | null): Promise<void> {
  const ways = otherWays(run.file);
  const showRun = 'Show This Run';
  const labels = [...ways.keys(), ...(show === null ? [] : [showRun])];
  const choice = await window.showWarningMessage(emptyRunMessage(run), ...labels);
  if (choice === showRun) await show?.();
  else if (choice !== undefined) await ways.get(choice)?.();
}
