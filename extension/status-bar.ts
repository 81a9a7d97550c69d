import { Disposable, MarkdownString, StatusBarAlignment, window } from 'vscode';
import { commands, internalCommands } from '../protocol/ids.ts';
import type { Summary } from '../protocol/summary.ts';
import { byWorst, lastRunText, spokenStatus, statusText, statusTooltip } from '../words/editor/status-text.ts';
import type { Runs } from './run/runs.ts';
import type { LastRunState } from './results/last-run.ts';
import type { Services } from './results/services.ts';

/**
 * Shows `number 961 ms` on the right of the status bar, once there is a result: the worst of all results. Where the last run
 * has no result, it says that, too, and a click leads on from there.
 */
export function activateStatusBar({ results, lastRun }: Services, runs: Runs): Disposable {
  const item = window.createStatusBarItem('hotspan.status', StatusBarAlignment.Right, 90);
  item.name = 'Hotspan';
  const update = (): void => {
    const summaries = results.all.map(({ summary }) => summary).toSorted(byWorst);
    const [worst] = summaries;
    const { state } = lastRun;
    if (worst === undefined && state === null) {
      item.hide();
      return;
    }
    item.text = [
      ...(state === null ? [] : [lastRunText(state)]),
      ...(worst === undefined ? [] : [statusText(worst)]),
    ].join(' ');
    item.tooltip = tooltipOf(summaries, runs.lastTarget?.label ?? worst?.title ?? '', state);
    item.accessibilityInformation = { label: spokenStatus(summaries, state?.message ?? null), role: 'button' };
    item.command = state === null ? commandAt(worst) : internalCommands.goOnFromLastRun;
    item.show();
  };
  return Disposable.from(item, results.onDidChange(update), lastRun.onDidChange(update), runs.onDidChange(update));
}

/** What a click does, where a result tells of the last run. */
function commandAt(worst: Summary | undefined): string {
  return worst?.worst === null ? commands.profileAgain : commands.nextFinding;
}

function tooltipOf(summaries: readonly Summary[], target: string, state: LastRunState | null): MarkdownString {
  const markdown = new MarkdownString(statusTooltip(summaries, target, state?.message ?? null), true);
  markdown.isTrusted = { enabledCommands: [commands.profileTests] };
  return markdown;
}
