import * as vscode from 'vscode';
import { colors, internalCommands } from '../../protocol/ids.ts';
import type { FindingItem, HotspotGroup, HotspotItem, Verdict } from '../../protocol/list-rows.ts';
import {
  alignedFigures,
  allHotspots,
  leftRow,
  makeSureTooltip,
  rowLabel,
  spokenRow,
} from '../../words/editor/row-texts.ts';
import { visible } from '../../words/formats/hidden-characters.ts';

/** `lead` is the aligned figure of the row. */
export type HotspotNode =
  | {
      readonly type: 'group';
      readonly group: HotspotGroup;
      readonly lead: string;
      readonly below: readonly HotspotNode[];
    }
  | { readonly type: 'item'; readonly item: HotspotItem; readonly lead: string; readonly recording: string }
  | {
      readonly type: 'finding';
      readonly item: FindingItem;
      readonly lead: string;
      readonly recording: string;
      readonly below: readonly HotspotNode[];
    }
  /** Rows behind the verdict. Long ones are closed. */
  | {
      readonly type: 'closed';
      readonly kind: 'left' | 'all';
      readonly text: string;
      readonly description: string;
      readonly isOpen: boolean;
      /** A new id makes VS Code forget whether the row was open. */
      readonly id: string;
      readonly below: readonly HotspotNode[];
    }
  /** Runs the tests of uncertain findings again. */
  | { readonly type: 'makeSure'; readonly text: string; readonly description: string; readonly recording: string }
  | { readonly type: 'more'; readonly count: number; readonly below: readonly HotspotNode[] }
  | { readonly type: 'notes'; readonly notes: readonly string[] }
  | { readonly type: 'note'; readonly text: string };

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

/**
 * The verdict: two rows for each finding (the second says why it is slow), then what was left out, and all hotspots.
 */
export function verdictRows(
  { findings, closed, left, makeSure, nothing }: Verdict,
  all: readonly HotspotNode[],
  { recording, chosen }: AllOptions,
): readonly HotspotNode[] {
  const align = alignedFigures([...findings, ...closed].map(({ figure }) => figure));
  const card = (item: FindingItem): HotspotNode => {
    const below = item.sentences.slice(0, 1).map((text): HotspotNode => ({ type: 'note', text }));
    return { type: 'finding', item, lead: align(item.figure), recording, below };
  };
  const rows: HotspotNode[] = findings.map(card);
  if (nothing !== null) rows.push({ type: 'note', text: nothing });
  if (left !== null) {
    const id = `${recording}#left`;
    rows.push({ type: 'closed', kind: 'left', ...leftRow(left), isOpen: false, id, below: closed.map(card) });
  }
  if (makeSure !== null) rows.push({ type: 'makeSure', ...makeSure, recording });
  if (all.length > 0) {
    const [isOpen, id] = [chosen !== null || countOf(all) <= MAX_OPEN_ROWS, `${recording} ${chosen ?? ''}`];
    rows.push({ type: 'closed', kind: 'all', ...allHotspots, isOpen, id, below: all });
  }
  return rows;
}

interface AllOptions {
  readonly recording: string;
  /** How the person grouped and sorted all hotspots; null for the default. */
  readonly chosen: string | null;
}

/** About as many rows as a side bar shows: longer lists are closed. */
const MAX_OPEN_ROWS = 40;

function countOf(rows: readonly HotspotNode[]): number {
  return rows.reduce((sum, row) => sum + 1 + countOf(childrenOf(row)), 0);
}

/** Limit of rows of a group, before one for the rest. A file has as many marks at most. */
const MAX_ROWS = 20;

function withRest(rows: readonly HotspotNode[]): readonly HotspotNode[] {
  const rest = rows.slice(MAX_ROWS);
  return rest.length === 0 ? rows : [...rows.slice(0, MAX_ROWS), { type: 'more', count: rest.length, below: rest }];
}

export function childrenOf(node: HotspotNode): readonly HotspotNode[] {
  if (node.type === 'notes') return node.notes.map((text) => ({ type: 'note', text }));
  return node.type === 'item' || node.type === 'note' || node.type === 'makeSure' ? [] : node.below;
}

export function treeItemOf(node: HotspotNode): vscode.TreeItem {
  if (node.type === 'group') return groupItem(node.group, node.lead);
  if (node.type === 'more')
    return new vscode.TreeItem(`+${node.count} more`, vscode.TreeItemCollapsibleState.Collapsed);
  if (node.type === 'notes') return notesItem(node.notes);
  if (node.type === 'note') return noteItem(node.text);
  if (node.type === 'closed') return closedItem(node);
  if (node.type === 'makeSure') return makeSureItem(node);
  const { item, lead } = node;
  const tree = rowItem(lead, item);
  tree.iconPath = new vscode.ThemeIcon('flame', new vscode.ThemeColor(colorOf(item)));
  if (node.type === 'finding') tree.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  tree.contextValue = item.functionId >= 0 ? 'function' : 'other';
  if (item.location !== null)
    tree.command = { command: internalCommands.openHotspot, title: 'Open', arguments: [node] };
  return tree;
}

function closedItem({
  kind,
  text,
  description,
  isOpen,
  id,
}: Extract<HotspotNode, { readonly type: 'closed' }>): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const tree = new vscode.TreeItem(text, isOpen ? Expanded : Collapsed);
  tree.id = id;
  tree.description = description;
  tree.tooltip = description;
  tree.accessibilityInformation = { label: spokenRow([text, description]) };
  tree.iconPath = new vscode.ThemeIcon(kind === 'left' ? 'circle-slash' : 'list-tree');
  return tree;
}

function makeSureItem(node: Extract<HotspotNode, { readonly type: 'makeSure' }>): vscode.TreeItem {
  const { text, description } = node;
  const tree = new vscode.TreeItem(text);
  tree.description = description;
  tree.tooltip = makeSureTooltip;
  tree.accessibilityInformation = { label: spokenRow([text, description]) };
  tree.iconPath = new vscode.ThemeIcon('run-all');
  tree.command = { command: internalCommands.makeSure, title: text, arguments: [{ recording: node.recording }] };
  return tree;
}

/** As in the editor, test code and first times are dimmed. */
function colorOf({ tone, class: durationClass }: HotspotItem): string {
  if (tone === 'dim') return 'descriptionForeground';
  return tone === 'background' ? colors.background : colors[durationClass];
}

/** A row that begins with its aligned figure. Screen readers get a sentence; the tooltip has the whole text. */
export function rowItem(lead: string, { figure, label, description, tooltip }: RowTexts): vscode.TreeItem {
  const tree = new vscode.TreeItem(rowLabel(lead, visible(label)));
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

function groupItem(group: HotspotGroup, lead: string): vscode.TreeItem {
  const { kind, uri } = group;
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const tree = rowItem(lead, group);
  tree.collapsibleState = kind === 'loading' || kind === 'leftOut' ? Collapsed : Expanded;
  tree.contextValue = kind;
  tree.iconPath = new vscode.ThemeIcon(groupIcons[kind]);
  if (kind !== 'file' || uri === null) return tree;
  tree.resourceUri = vscode.Uri.parse(uri);
  tree.iconPath = vscode.ThemeIcon.File;
  return tree;
}

/** The row over the notes, which the terminal prints below its table: the verdict, doubts, and what was not seen. */
function notesItem(notes: readonly string[]): vscode.TreeItem {
  const { length } = notes;
  const tree = new vscode.TreeItem('About these figures', vscode.TreeItemCollapsibleState.Collapsed);
  tree.tooltip = notes.map((note) => visible(note)).join('\n');
  tree.description = length === 1 ? '1 note' : `${length} notes`;
  tree.iconPath = new vscode.ThemeIcon('info');
  return tree;
}

/** The tooltip has the whole sentence, which is longer than the view is wide. */
function noteItem(text: string): vscode.TreeItem {
  const tree = new vscode.TreeItem(visible(text));
  tree.tooltip = visible(text);
  return tree;
}
