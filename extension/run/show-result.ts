import { commands as registry, l10n, window } from 'vscode';
import { commands } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/requests.ts';
import { plainText } from '../plain-text.ts';
import type { Services } from '../services.ts';
import { resultMessage } from './result-message.ts';

/** Analyses a recording, shows its figures, and says what was found where no line shows it. */
export async function showResult({ results }: Services, recording: string): Promise<Summary | null> {
  const summary = await results.open(recording);
  if (summary !== null) void sayNothingFound(summary);
  return summary;
}

async function sayNothingFound(summary: Summary): Promise<void> {
  const message = resultMessage(summary, l10n);
  if (message === null) return;
  const lower = l10n.t('Lower the threshold');
  const total = l10n.t('Show by total time');
  const flamegraph = l10n.t('Open Flamegraph');
  const actions = summary.isForeign || summary.isUnseen ? [flamegraph] : [lower, total];
  const choice = await window.showInformationMessage(plainText(message), ...actions);
  if (choice === flamegraph) await registry.executeCommand(commands.openFlamegraph);
  if (choice === lower) await registry.executeCommand(commands.lowerThreshold);
  if (choice === total) await registry.executeCommand(commands.toggleMetric);
}
