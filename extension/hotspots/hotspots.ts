import {
  Disposable,
  EventEmitter,
  type ExtensionContext,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
} from 'vscode';
import { colors, internalCommands, views } from '../../protocol/ids.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { type HotspotGroup, type HotspotItem, hotspotsRequest } from '../../protocol/requests.ts';
import type { Services } from '../results/services.ts';
import { hotspotsView } from './view-options.ts';

/** A row of the tree. A row with functions names the recording that they are in. */
export type HotspotNode =
  | { readonly type: 'group'; readonly group: HotspotGroup; readonly recording: string }
  | { readonly type: 'item'; readonly item: HotspotItem; readonly recording: string }
  | { readonly type: 'more'; readonly group: HotspotGroup; readonly count: number; readonly recording: string }
  | { readonly type: 'notes'; readonly notes: readonly string[] }
  | { readonly type: 'note'; readonly text: string };

/** The tree of everything over the threshold. */
export function activateHotspots(context: ExtensionContext, { server, results, log }: Services): Disposable {
  const changed = new EventEmitter<void>();
  const options = hotspotsView(context, log);

  const roots = async (): Promise<readonly HotspotNode[]> => {
    if (results.summary === null) return [];
    const hotspots = await server.ask(hotspotsRequest, options.read());
    if (hotspots === null) return [];
    const { recording, groups } = hotspots;
    const rows = groups.flatMap((group): readonly HotspotNode[] =>
      group.kind === 'functions' ? itemsOf(group, recording) : [{ type: 'group', group, recording }],
    );
    const notes = results.summary.warnings;
    return notes.length === 0 ? rows : [...rows, { type: 'notes', notes }];
  };
  const view = window.createTreeView(views.hotspots, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node?: HotspotNode): Promise<HotspotNode[]> => {
        if (node === undefined) return [...(await roots())];
        if (node.type === 'group') return [...itemsOf(node.group, node.recording)];
        if (node.type === 'notes') return node.notes.map((text) => ({ type: 'note', text }));
        return node.type === 'more' ? leftItems(node) : [];
      },
      getTreeItem,
    },
  });
  const update = (): void => {
    view.message = results.summary?.verdict ?? '';
    changed.fire();
  };
  return Disposable.from(view, changed, options, results.onDidChange(update), options.onDidChange(update));
}

function itemsOf(group: HotspotGroup, recording: string): readonly HotspotNode[] {
  const { shown, more } = shownItems(group.items);
  const items = shown.map((item): HotspotNode => ({ type: 'item', item, recording }));
  return more === 0 ? items : [...items, { type: 'more', group, count: more, recording }];
}

function leftItems({ group, recording }: { readonly group: HotspotGroup; readonly recording: string }): HotspotNode[] {
  return group.items.filter((_, index) => isLeft(index)).map((item) => ({ type: 'item', item, recording }));
}

/** Most rows of a group; one row stands for all others. A file has at most as many marked lines. */
const mostRows = 20;

export function shownItems<Item>(items: readonly Item[]): { readonly shown: readonly Item[]; readonly more: number } {
  return { shown: items.slice(0, mostRows), more: Math.max(0, items.length - mostRows) };
}

/** Whether the item with this number is one of the others. */
export function isLeft(index: number): boolean {
  return index >= mostRows;
}

function getTreeItem(node: HotspotNode): TreeItem {
  if (node.type === 'group') return groupItem(node.group);
  if (node.type === 'more') return new TreeItem(`+${node.count} more`, TreeItemCollapsibleState.Collapsed);
  if (node.type === 'notes') return notesItem(node.notes);
  if (node.type === 'note') return noteItem(node.text);
  const { item } = node;
  const tree = new TreeItem(visible(item.label));
  tree.description = visible(item.description);
  tree.tooltip = item.tooltip
    .split('\n')
    .map((line) => visible(line))
    .join('\n');
  tree.iconPath = new ThemeIcon(
    'flame',
    new ThemeColor(item.tone === 'background' ? colors.background : colors[item.class]),
  );
  tree.contextValue = item.functionId >= 0 ? 'function' : 'other';
  if (item.location !== null)
    tree.command = { command: internalCommands.openHotspot, title: 'Open', arguments: [node] };
  return tree;
}

const groupIcons: Readonly<Record<HotspotGroup['kind'], string>> = {
  file: 'package',
  functions: 'package',
  package: 'package',
  loading: 'cloud-download',
  leftOut: 'circle-slash',
};

function groupItem(group: HotspotGroup): TreeItem {
  const tree = new TreeItem(visible(group.label), TreeItemCollapsibleState.Expanded);
  tree.description = visible(group.description);
  tree.contextValue = group.kind;
  if (group.kind !== 'file' || group.uri === null) {
    tree.iconPath = new ThemeIcon(groupIcons[group.kind]);
    if (group.kind === 'loading' || group.kind === 'leftOut')
      tree.collapsibleState = TreeItemCollapsibleState.Collapsed;
    return tree;
  }
  tree.resourceUri = Uri.parse(group.uri);
  tree.iconPath = ThemeIcon.File;
  return tree;
}

/**
 * The row over the notes: why figures are uncertain, and what was not seen. The terminal says the same below its table.
 */
function notesItem({ length }: readonly string[]): TreeItem {
  const tree = new TreeItem('About these figures', TreeItemCollapsibleState.Collapsed);
  tree.description = length === 1 ? '1 note' : `${length} notes`;
  tree.iconPath = new ThemeIcon('info');
  return tree;
}

/** The row of a note. The sentence is longer than the view is wide, so the tooltip has all of it. */
function noteItem(text: string): TreeItem {
  const tree = new TreeItem(visible(text));
  tree.tooltip = visible(text);
  return tree;
}
