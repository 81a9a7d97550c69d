import { Disposable, MarkdownString, StatusBarAlignment, window } from 'vscode';
import { commands } from '../protocol/ids.ts';
import type { Summary } from '../protocol/requests.ts';
import { statusText, statusTooltip } from '../words/editor/status-text.ts';
import type { Runs } from './run/runs.ts';
import type { Services } from './results/services.ts';

/** Shows `worst 312 ms` on the right of the status bar, once there is a result. */
export function activateStatusBar({ results }: Services, runs: Runs): Disposable {
  const item = window.createStatusBarItem('hotspan.status', StatusBarAlignment.Right, 90);
  item.name = 'Hotspan';
  const update = (): void => {
    const summary = results.summary;
    if (summary === null) {
      item.hide();
      return;
    }
    item.text = statusText(summary);
    item.tooltip = tooltipOf(summary, runs.lastTarget?.label ?? summary.title);
    item.command = summary.worst === null ? commands.profileAgain : commands.nextHotspot;
    item.show();
  };
  return Disposable.from(item, results.onDidChange(update), runs.onDidChange(update));
}

function tooltipOf(summary: Summary, target: string): MarkdownString {
  const markdown = new MarkdownString(statusTooltip(summary, target), true);
  markdown.isTrusted = { enabledCommands: [commands.profileTests] };
  return markdown;
}
