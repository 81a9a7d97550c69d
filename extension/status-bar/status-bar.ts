import { Disposable, MarkdownString, StatusBarAlignment, window } from 'vscode';
import { duration } from '../../words/formats/figures.ts';
import { commands } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/requests.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import type { Runs } from '../run/runs.ts';
import type { Services } from '../results/services.ts';
import { statusText } from './status-text.ts';

/** `worst 312 ms`, on the right; not there before there is a result. */
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
  const lines = [
    escapeMarkdown(summary.verdict),
    ...summary.warnings.slice(0, mostNotes).map((note) => `$(info) ${escapeMarkdown(note)}`),
    `Threshold: ${duration(summary.thresholdUs)}`,
    `Last target: ${escapeMarkdown(target)} · [Change…](command:${commands.profileTests}?%5Btrue%5D)`,
  ];
  const markdown = new MarkdownString(lines.join('\n\n'), true);
  markdown.isTrusted = { enabledCommands: [commands.profileTests] };
  return markdown;
}

/** In the tooltip; all of them are in the view. */
const mostNotes = 2;
