import { commands as registry, window } from 'vscode';
import { commands } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/requests.ts';
import { inLog } from '../ui/on.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import type { Services } from '../results/services.ts';
import { sayNoTestRan } from './no-test-ran.ts';
import { otherWays } from './other-ways.ts';
import { type EmptyRun, resultMessage } from '../../words/editor/run-messages.ts';

/**
 * Analyses a recording, shows its figures, and says what was found where no line shows it; `empty`: that no test was seen.
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
