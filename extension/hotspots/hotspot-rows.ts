import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import { colors, internalCommands } from '../../protocol/ids.ts';
import type { HotspotGroup, HotspotItem } from '../../protocol/list-rows.ts';
import { alignedFigures, rowLabel, spokenRow } from '../../words/editor/row-texts.ts';
import { visible } from '../../words/formats/hidden-characters.ts';

/** A row of the tree. A row with functions names the recording that they are in. `lead` is its aligned figure. */
export type HotspotNode =
  | {
      readonly type: 'group';
      readonly group: HotspotGroup;
      readonly lead: string;
      readonly below: readonly HotspotNode[];
    }
  | { readonly type: 'item'; readonly item: HotspotItem; readonly lead: string; readonly recording: string }
  | { readonly type: 'more'; readonly count: number; readonly below: readonly HotspotNode[] }
  | { readonly type: 'notes'; readonly notes: readonly string[] }
  | { readonly type: 'note'; readonly text: string };

/** Makes the rows of groups. The figures of all rows are aligned. */
export function rowsOf(groups: readonly HotspotGroup[], recording: string): readonly HotspotNode[] {
  const align = alignedFigures(groups.flatMap(({ figure, items }) => [figure, ...items.map((item) => item.figure)]));
  const below = ({ items }: HotspotGroup): readonly HotspotNode[] =>
    withRest(items.map((item) => ({ type: 'item', item, lead: align(item.figure), recording })));
  return groups.flatMap((group): readonly HotspotNode[] => {
    if (group.kind === 'functions') return below(group);
    if (group.kind === 'note') return [{ type: 'note', text: group.label }];
    return [{ type: 'group', group, lead: align(group.figure), below: below(group) }];
  });
}

/** Most rows of a group; one row stands for all others. A file has at most as many marked lines. */
const mostRows = 20;

function withRest(rows: readonly HotspotNode[]): readonly HotspotNode[] {
  const rest = rows.slice(mostRows);
  return rest.length === 0 ? rows : [...rows.slice(0, mostRows), { type: 'more', count: rest.length, below: rest }];
}

export function childrenOf(node: HotspotNode): readonly HotspotNode[] {
  if (node.type === 'notes') return node.notes.map((text) => ({ type: 'note', text }));
  return node.type === 'group' || node.type === 'more' ? node.below : [];
}

export function treeItemOf(node: HotspotNode): TreeItem {
  if (node.type === 'group') return groupItem(node.group, node.lead);
  if (node.type === 'more') return new TreeItem(`+${node.count} more`, TreeItemCollapsibleState.Collapsed);
  if (node.type === 'notes') return notesItem(node.notes);
  if (node.type === 'note') return noteItem(node.text);
  const { item, lead } = node;
  const tree = rowItem(lead, item);
  tree.iconPath = new ThemeIcon('flame', new ThemeColor(colorOf(item)));
  tree.contextValue = item.functionId >= 0 ? 'function' : 'other';
  if (item.location !== null)
    tree.command = { command: internalCommands.openHotspot, title: 'Open', arguments: [node] };
  return tree;
}

/** As in the editor, test code and first times are dimmed: they stand behind what may be far shorter. */
function colorOf({ tone, class: durationClass }: HotspotItem): string {
  if (tone === 'dim') return 'descriptionForeground';
  return tone === 'background' ? colors.background : colors[durationClass];
}

/** A row that begins with its aligned figure. It is heard as a sentence, and the tooltip has all of it. */
function rowItem(lead: string, { figure, label, description, tooltip }: RowTexts): TreeItem {
  const tree = new TreeItem(rowLabel(lead, visible(label)));
  tree.description = visible(description);
  tree.tooltip = tooltip
    .split('\n')
    .map((line) => visible(line))
    .join('\n');
  const spoken = spokenRow([label, figure, description].map((text) => visible(text)));
  tree.accessibilityInformation = { label: spoken };
  return tree;
}

type RowTexts = Pick<HotspotItem, 'figure' | 'label' | 'description' | 'tooltip'>;

const groupIcons: Readonly<Record<HotspotGroup['kind'], string>> = {
  file: 'package',
  functions: 'package',
  package: 'package',
  test: 'beaker',
  process: 'server-process',
  route: 'globe',
  loading: 'cloud-download',
  leftOut: 'circle-slash',
  note: 'info',
};

function groupItem(group: HotspotGroup, lead: string): TreeItem {
  const { kind, uri } = group;
  const { Collapsed, Expanded } = TreeItemCollapsibleState;
  const tree = rowItem(lead, group);
  tree.collapsibleState = kind === 'loading' || kind === 'leftOut' ? Collapsed : Expanded;
  tree.contextValue = kind;
  tree.iconPath = new ThemeIcon(groupIcons[kind]);
  if (kind !== 'file' || uri === null) return tree;
  tree.resourceUri = Uri.parse(uri);
  tree.iconPath = ThemeIcon.File;
  return tree;
}

/**
 * The row over the notes: the whole verdict, why figures are uncertain, and what was not seen. The terminal says the same below its table.
 */
function notesItem(notes: readonly string[]): TreeItem {
  const { length } = notes;
  const tree = new TreeItem('About these figures', TreeItemCollapsibleState.Collapsed);
  tree.tooltip = notes.map((note) => visible(note)).join('\n');
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
