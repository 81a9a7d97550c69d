import { Disposable, MarkdownString, StatusBarAlignment, window } from 'vscode';
import { commands } from '../protocol/ids.ts';
import type { Summary } from '../protocol/summary.ts';
import { byWorst } from '../words/editor/several-results.ts';
import { statusText, statusTooltip } from '../words/editor/status-text.ts';
import type { Runs } from './run/runs.ts';
import type { Services } from './results/services.ts';

/** Shows `312 ms worst` on the right of the status bar, once there is a result: the worst of all results. */
export function activateStatusBar({ results }: Services, runs: Runs): Disposable {
  const item = window.createStatusBarItem('hotspan.status', StatusBarAlignment.Right, 90);
  item.name = 'Hotspan';
  const update = (): void => {
    const summaries = results.all.map(({ summary }) => summary).toSorted(byWorst);
    const [worst] = summaries;
    if (worst === undefined) {
      item.hide();
      return;
    }
    item.text = statusText(worst);
    item.tooltip = tooltipOf(summaries, runs.lastTarget?.label ?? worst.title);
    item.command = worst.worst === null ? commands.profileAgain : commands.nextHotspot;
    item.show();
  };
  return Disposable.from(item, results.onDidChange(update), runs.onDidChange(update));
}

function tooltipOf(summaries: readonly Summary[], target: string): MarkdownString {
  const markdown = new MarkdownString(statusTooltip(summaries, target), true);
  markdown.isTrusted = { enabledCommands: [commands.profileTests] };
  return markdown;
}
