import * as vscode from 'vscode';
import { colors, internalCommands } from '../../protocol/ids.ts';
import type { FindingItem, HotspotGroup, HotspotItem, Verdict, HotspotsOfTarget } from '../../protocol/list-rows.ts';
import {
  alignedFigures,
  allHotspots,
  fixedRow,
  leftRow,
  makeSureTooltip,
  rowLabel,
  spokenRow,
} from '../../words/editor/row-texts.ts';
import type { Summary } from '../../protocol/summary.ts';
import { byWorst, resultRowText } from '../../words/editor/status-text.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { resultLabel } from '../../words/formats/command-text.ts';
import type { ShownResult } from '../results/results.ts';
import type { LastRun } from '../results/last-run.ts';

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
      readonly kind: 'fixed' | 'left' | 'all';
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

/** The verdict: two rows for each finding (the second says why), then what was left out, then all hotspots. */
export function verdictRows(
  { findings, fixed, closed, left, makeSure, nothing }: Verdict,
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
  if (fixed.length > 0) {
    const id = `${recording}#fixed`;
    rows.push({ type: 'closed', kind: 'fixed', ...fixedRow(fixed), isOpen: false, id, below: fixed.map(card) });
  }
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
  tree.contextValue = contextOf(item);
  if (item.location !== null)
    tree.command = { command: internalCommands.openHotspot, title: 'Open', arguments: [node] };
  return tree;
}

/** The menu of a row depends on it. */
function contextOf({ functionId, recheck }: HotspotItem): string {
  if (functionId < 0) return 'other';
  if (recheck === undefined) return 'function';
  return recheck.isFaster ? 'functionFaster' : 'functionRechecked';
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
  tree.iconPath = closedIcons[kind];
  return tree;
}

const closedIcons = {
  fixed: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  left: new vscode.ThemeIcon('circle-slash'),
  all: new vscode.ThemeIcon('list-tree'),
};

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
