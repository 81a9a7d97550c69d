import { commands as registry, window, Uri } from 'vscode';
import { commands } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/requests.ts';
import { inLog } from '../ui/failures.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import type { Services } from '../results/services.ts';
import { type EmptyRun, resultMessage, emptyRunMessage } from '../../words/editor/notifications.ts';

/**
 * Analyses a recording and shows its figures. Says what was found where no line shows it. `empty` says that no test was
 * seen.
 */
export async function showResult(
  { results, log }: Services,
  recording: string,
  empty: EmptyRun | null = null,
): Promise<Summary | null> {
  const summary = await results.open(recording);
  if (summary?.worst === null && empty !== null) inLog(sayNoTestRan(empty, null), log);
  else if (summary !== null) inLog(sayNothingFound(summary), log);
  return summary;
}

async function sayNothingFound(summary: Summary): Promise<void> {
  const message = resultMessage(summary);
  if (message === null) return;
  const lower = 'Lower the threshold';
  const total = 'Show by total time';
  const flamegraph = 'Open Flamegraph';
  const ways = otherWays(null);
  const unseen = summary.isForeign ? [flamegraph] : [...ways.keys(), flamegraph];
  const actions = summary.isForeign || summary.isUnseen ? unseen : [lower, total];
  const choice = await window.showInformationMessage(escapeNotification(message), ...actions);
  if (choice === flamegraph) await registry.executeCommand(commands.openFlamegraph);
  if (choice === lower) await registry.executeCommand(commands.lowerThreshold);
  if (choice === total) await registry.executeCommand(commands.toggleMetric);
  if (choice !== undefined) await ways.get(choice)?.();
}

/**
 * Says that no test was seen, which may be because the runner did not tell. `show` shows this run nevertheless; it is
 * null where the run is on screen already.
 */
export async function sayNoTestRan(run: EmptyRun, show: (() => Promise<unknown>) | null): Promise<void> {
  const ways = otherWays(run.file);
  const showRun = 'Show This Run';
  const labels = [...ways.keys(), ...(show === null ? [] : [showRun])];
  const choice = await window.showWarningMessage(escapeNotification(emptyRunMessage(run)), ...labels);
  if (choice === showRun) await show?.();
  else if (choice !== undefined) await ways.get(choice)?.();
}

/**
 * What can be profiled where there are no tests, or none were seen: labels of buttons, and what each does. `file` is an
 * absolute path; null stands for the file that is open when the button is pressed.
 */
export function otherWays(file: string | null): ReadonlyMap<string, () => Thenable<unknown>> {
  const profileFile = (): Thenable<unknown> =>
    registry.executeCommand(commands.profileFile, ...(file === null ? [] : [Uri.file(file)]));
  return new Map([
    ['Profile File', profileFile],
    ['Profile npm Script', () => registry.executeCommand(commands.profileScript)],
  ]);
}
