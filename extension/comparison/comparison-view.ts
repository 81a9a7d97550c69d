import {
  Disposable,
  type Event,
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  window,
} from 'vscode';
import type { ChangeVerdict } from '../../protocol/comparison.ts';
import { colors, internalCommands, views } from '../../protocol/ids.ts';
import { type ComparisonGroup, comparisonGroups, type ComparisonRow } from '../../words/editor/row-texts.ts';
import { comparisonNotes, comparisonSummary, machineText, sidesText } from '../../words/formats/change-texts.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import type { ShownComparison } from './shown-comparison.ts';

type Node =
  | { readonly type: 'sides'; readonly shown: ShownComparison }
  | { readonly type: 'note'; readonly text: string; readonly isOfMachine: boolean }
  | { readonly type: 'group'; readonly group: ComparisonGroup }
  | { readonly type: 'row'; readonly row: ComparisonRow };

/** The comparison on screen, if any. */
interface OnScreen {
  readonly shown: ShownComparison | null;
  readonly onDidChange: Event<void>;
}

/** The tree of what became slower and faster. It is there only while there is a comparison. */
export function activateComparisonView(comparisons: OnScreen): Disposable {
  const changed = new EventEmitter<void>();
  const view = window.createTreeView<Node>(views.comparison, {
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
  return Disposable.from(view, changed, comparisons.onDidChange(update));
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
  return comparisonNotes(comparison).map((text) => ({ type: 'note', text, isOfMachine: text === machine }));
}

function getTreeItem(node: Node): TreeItem {
  switch (node.type) {
    case 'sides':
      return sidesItem(node.shown);
    case 'note': {
      const item = new TreeItem(visible(node.text));
      item.tooltip = visible(node.text); // The sentence is longer than the view is wide.
      item.iconPath = new ThemeIcon(node.isOfMachine ? 'warning' : 'info');
      return item;
    }
    case 'group':
      return groupItem(node.group);
    case 'row': {
      const item = new TreeItem(node.row.label);
      item.description = node.row.description;
      item.tooltip = node.row.tooltip;
      item.contextValue = 'compared';
      item.command = { command: internalCommands.openCompared, title: 'Open', arguments: [node.row.index] };
      return item;
    }
  }
}

/** The row over all others: what was compared with what. Below it is what a person has to know of the runs. */
function sidesItem(shown: ShownComparison): TreeItem {
  const { Expanded, None } = TreeItemCollapsibleState;
  const item = new TreeItem(visible(sidesText(shown.comparison)), notesOf(shown).length === 0 ? None : Expanded);
  item.tooltip = visible(sidesText(shown.comparison));
  item.iconPath = new ThemeIcon('git-compare');
  return item;
}

function groupItem({ verdict, title, description, isOpen }: ComparisonGroup): TreeItem {
  const { Expanded, Collapsed } = TreeItemCollapsibleState;
  const item = new TreeItem(title, isOpen ? Expanded : Collapsed);
  item.description = description;
  const [icon, color] = icons[verdict];
  item.iconPath = new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
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
