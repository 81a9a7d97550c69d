import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { internalCommands } from '../../protocol/ids.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import type { LastRun } from '../results/last-run.ts';

/** A row that says what came of the last run, where no result says it; below it a row for each way on. */
export type LastRunRow =
  | { readonly type: 'lastRun'; readonly message: string; readonly severity: string; readonly ways: readonly string[] }
  | { readonly type: 'way'; readonly label: string };

export function lastRunRows({ state, ways }: Pick<LastRun, 'state' | 'ways'>): readonly LastRunRow[] {
  if (state === null) return [];
  const { message, severity } = state;
  return [{ type: 'lastRun', message, severity, ways }];
}

export function waysBelow(row: LastRunRow): readonly LastRunRow[] {
  return row.type === 'way' ? [] : row.ways.map((label) => ({ type: 'way', label }));
}

/** The sentence is longer than the view is wide, so the tooltip has all of it. */
export function lastRunItem(row: LastRunRow): TreeItem {
  if (row.type === 'lastRun') {
    const tree = new TreeItem(visible(row.message), TreeItemCollapsibleState.Expanded);
    tree.tooltip = visible(row.message);
    tree.iconPath = new ThemeIcon(row.severity);
    return tree;
  }
  const tree = new TreeItem(row.label);
  tree.iconPath = new ThemeIcon('arrow-right');
  tree.command = { command: internalCommands.goOnFromLastRun, title: row.label, arguments: [row.label] };
  return tree;
}
