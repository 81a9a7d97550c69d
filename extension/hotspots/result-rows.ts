import * as vscode from 'vscode';
import type { HotspotsOfTarget } from '../../protocol/list-rows.ts';
import type { Summary } from '../../protocol/summary.ts';
import { rowLabel } from '../../words/editor/row-texts.ts';
import { byWorst, resultRowText } from '../../words/editor/several-results.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { resultLabel } from '../../words/formats/result-label.ts';
import type { ShownResult } from '../results/results.ts';
import { internalCommands } from '../../protocol/ids.ts';
import type { LastRun } from '../results/last-run.ts';

/** The row of a result with its hotspots below, if there are several results. */
export interface ResultRow<Node> {
  readonly type: 'result';
  /** Commands of the row take it from here. */
  readonly target: string;
  readonly result: ShownResult;
  readonly text: ReturnType<typeof resultRowText>;
  readonly rows: readonly Node[];
}

export type ResultItem = Omit<ResultRow<unknown>, 'type' | 'rows'>;

/** A row for each result, worst first. */
export function resultItems(results: readonly ShownResult[]): readonly ResultItem[] {
  const sorted = results.toSorted((a, b) => byWorst(a.summary, b.summary));
  const all = sorted.map(({ summary }) => summary);
  return sorted.map((result) => ({ target: result.target, result, text: resultRowText(result.summary, all) }));
}

/** The rows of a single result; of several, a row for each, worst first. */
export function resultRows<Node>(
  results: readonly ShownResult[],
  hotspots: readonly HotspotsOfTarget[],
  rowsOf: (one: HotspotsOfTarget, summary: Summary) => readonly Node[],
): readonly (Node | ResultRow<Node>)[] {
  const rows = resultItems(results).flatMap((item): readonly ResultRow<Node>[] => {
    const found = hotspots.find(({ target }) => target === item.target);
    return found === undefined ? [] : [{ type: 'result', ...item, rows: rowsOf(found, item.result.summary) }];
  });
  return results.length === 1 ? rows.flatMap((one) => one.rows) : rows;
}

/** The worst figure of the result, its name, and when it ran. */
export function resultItem({ result: { target, summary }, text }: ResultItem): vscode.TreeItem {
  const { startedAt, verdict } = summary;
  const tree = new vscode.TreeItem(
    rowLabel(text.figure, visible(text.label, 300)),
    vscode.TreeItemCollapsibleState.Expanded,
  );
  const began = startedAt === null ? null : new Date(startedAt);
  const when = began === null ? '' : timeText(began, new Date());
  tree.id = target;
  tree.description = [when, visible(text.description, 300)].filter((part) => part !== '').join(' · ');
  const recorded = began === null ? [] : [`recorded ${began.toLocaleString()}`];
  tree.tooltip = [visible(resultLabel(summary), 300), visible(verdict), ...recorded].join('\n');
  tree.iconPath = new vscode.ThemeIcon('target');
  tree.contextValue = 'result';
  return tree;
}

/** The time on the same day, else the date. */
function timeText(then: Date, now: Date): string {
  const isToday = then.toDateString() === now.toDateString();
  return isToday ? then.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : then.toLocaleDateString();
}

/** Why the last run has no result, with a row for each way out below. */
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

/** The tooltip has the whole sentence, which is longer than the view is wide. */
export function lastRunItem(row: LastRunRow): vscode.TreeItem {
  if (row.type === 'lastRun') {
    const tree = new vscode.TreeItem(visible(row.message), vscode.TreeItemCollapsibleState.Expanded);
    tree.tooltip = visible(row.message);
    tree.iconPath = new vscode.ThemeIcon(row.severity);
    return tree;
  }
  const tree = new vscode.TreeItem(row.label);
  tree.iconPath = new vscode.ThemeIcon('arrow-right');
  tree.command = { command: internalCommands.goOnFromLastRun, title: row.label, arguments: [row.label] };
  return tree;
}
