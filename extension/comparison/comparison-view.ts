import * as vscode from 'vscode';
import type { ChangeVerdict } from '../../protocol/comparison.ts';
import { colors, internalCommands, views } from '../../protocol/ids.ts';
import { type ComparisonGroup, comparisonGroups, type ComparisonRow } from '../../words/editor/row-texts.ts';
import { comparisonSummary, requestTexts, comparisonMarkdown } from '../../words/formats/change-texts.ts';
import { comparisonNotes, machineText, sidesText } from '../../words/formats/comparison-notes.ts';
import { visible, escapeNotification } from '../../words/formats/foreign-text.ts';
import { type Line0, line0 } from '../../protocol/units.ts';
import { type ErrorLog, inLog } from '../ui/failures.ts';
import { openSourceAt, workspaceFile } from '../ui/open-source.ts';
import { type ShownComparison, lineNow } from './shown-comparison.ts';

type Node =
  | { readonly type: 'sides'; readonly shown: ShownComparison }
  | { readonly type: 'note'; readonly text: string; readonly isOfMachine: boolean }
  | { readonly type: 'group'; readonly group: ComparisonGroup }
  | { readonly type: 'row'; readonly row: ComparisonRow };

interface OnScreen {
  readonly shown: ShownComparison | null;
  readonly onDidChange: vscode.Event<void>;
}

/** The tree of what became slower and faster. It exists only while there is a comparison. */
export function activateComparisonView(comparisons: OnScreen): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<Node>(views.comparison, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node?: Node): Node[] => [...childrenOf(node, comparisons.shown)],
      getTreeItem,
    },
  });
  const update = (): void => {
    view.message = comparisons.shown === null ? '' : comparisonSummary(comparisons.shown.comparison);
    changed.fire();
  };
  update();
  return vscode.Disposable.from(view, changed, comparisons.onDidChange(update));
}

function childrenOf(node: Node | undefined, shown: ShownComparison | null): readonly Node[] {
  if (shown === null) return [];
  if (node === undefined)
    return [
      { type: 'sides', shown },
      ...comparisonGroups(shown.comparison).map((group): Node => ({ type: 'group', group })),
    ];
  if (node.type === 'sides') return notesOf(node.shown);
  return node.type === 'group' ? node.group.rows.map((row) => ({ type: 'row', row })) : [];
}

function notesOf({ comparison }: ShownComparison): readonly Node[] {
  const machine = machineText(comparison.machine);
  const texts = [...requestTexts(comparison), ...comparisonNotes(comparison)];
  return texts.map((text) => ({ type: 'note', text, isOfMachine: text === machine }));
}

function getTreeItem(node: Node): vscode.TreeItem {
  switch (node.type) {
    case 'sides':
      return sidesItem(node.shown);
    case 'note': {
      const item = new vscode.TreeItem(visible(node.text));
      item.tooltip = visible(node.text); // The sentence is longer than the view is wide.
      item.iconPath = new vscode.ThemeIcon(node.isOfMachine ? 'warning' : 'info');
      return item;
    }
    case 'group':
      return groupItem(node.group);
    case 'row': {
      const item = new vscode.TreeItem(node.row.label);
      item.description = node.row.description;
      item.tooltip = node.row.tooltip;
      item.contextValue = 'compared';
      item.command = { command: internalCommands.openCompared, title: 'Open', arguments: [node.row.index] };
      return item;
    }
  }
}

/** The top row: what was compared with what, with notes about the runs below it. */
function sidesItem(shown: ShownComparison): vscode.TreeItem {
  const { Expanded, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(visible(sidesText(shown.comparison)), notesOf(shown).length === 0 ? None : Expanded);
  item.tooltip = visible(sidesText(shown.comparison));
  item.iconPath = new vscode.ThemeIcon('git-compare');
  return item;
}

function groupItem({ verdict, title, description, isOpen }: ComparisonGroup): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(title, isOpen ? Expanded : Collapsed);
  item.description = description;
  const [icon, color] = icons[verdict];
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  return item;
}

const [worse, better] = [colors.monster, 'testing.iconPassed'];

const icons: Readonly<Record<ChangeVerdict, readonly [icon: string, color?: string]>> = {
  slower: ['arrow-up', worse],
  new: ['add', worse],
  moreOften: ['fold-up', worse],
  faster: ['arrow-down', better],
  gone: ['remove', better],
  lessOften: ['fold-down', better],
  moved: ['arrow-swap'],
  tooNoisy: ['question'],
  notReached: ['circle-slash'],
  noChangeSeen: ['dash'],
};

/** Opens the source of a compared function where it begins now, or says why it cannot. */
export async function openCompared(shown: ShownComparison, index: number, log: ErrorLog): Promise<void> {
  const { comparison, lines } = shown;
  const fn = comparison.functions[index];
  if (fn === undefined) return;
  const say = (text: string): void => inLog(vscode.window.showInformationMessage(escapeNotification(text)), log);
  const { was } = fn;
  if (fn.is === null) {
    say(
      `${was?.label ?? 'It'} is gone: your files have no such function any more. It was in ${was?.file ?? 'a file'}.`,
    );
    return;
  }
  const { url, line, label, file } = fn.is;
  const open = async (uri: vscode.Uri, at: Line0, isInside: boolean): Promise<void> =>
    openSourceAt({ uri: uri.toString(), line: at, character: 0, inside: isInside }, log);
  const inside = workspaceFile(url);
  if (inside === null) return open(vscode.Uri.parse(url), line0(Math.max(0, line - 1)), false);
  const text = await vscode.workspace.openTextDocument(inside).then(
    (document) => document.getText(),
    () => null, // It has gone since: opening it says so.
  );
  const now = text === null ? line0(0) : lineNow(text, line, lines[index] ?? null);
  await open(inside, now ?? line0(0), true);
  if (now === null)
    say(`${file} has changed since these runs, so where ${label} begins now is not certain. Compare again to know it.`);
}

export async function copyComparison({ comparison }: ShownComparison): Promise<void> {
  await vscode.env.clipboard.writeText(comparisonMarkdown(comparison));
  vscode.window.setStatusBarMessage('Copied', 2_000);
}
