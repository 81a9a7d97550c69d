import * as vscode from 'vscode';
import { colors, internalCommands, views } from '../../protocol/ids.ts';
import type { DetailRow, OperationsParams } from '../../protocol/list-rows.ts';
import { alignedFigures } from '../../words/editor/row-texts.ts';
import type { Services } from '../results/results.ts';
import { rowItem, type ResultItem, resultItem, resultItems } from './hotspot-rows.ts';

interface DetailNode {
  readonly row: DetailRow;
  readonly lead: string;
  readonly recording: string;
  /** For commands: what the row leads to. */
  readonly functionId: number;
  readonly operation: number | null;
}

type Node = DetailNode | ResultItem;
type RowsOf = (recording: string) => Promise<readonly DetailRow[]>;

/** The views of long operations and of who waited. They ask only while they are visible. */
export function activateDetailViews({ server, results }: Services): vscode.Disposable {
  const operations = async (recording: string, asked: OperationsParams): Promise<readonly DetailRow[]> =>
    server.about(recording, 'operations', asked);
  const firsts: RowsOf = async (recording) => operations(recording, { from: 0, count: MAX_ROWS });
  const waits: RowsOf = async (recording) => server.about(recording, 'waits', null);
  const changed = new vscode.EventEmitter<void>();
  const viewOf = (id: string, rowsOf: RowsOf): vscode.Disposable => {
    const belowResult = async (recording: string): Promise<DetailNode[]> => nodesOf(recording, await rowsOf(recording));
    const treeDataProvider: vscode.TreeDataProvider<Node> = {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => {
        const [first, ...others] = results.all;
        if (first === undefined) return [];
        if (node === undefined)
          return others.length === 0 ? belowResult(first.summary.recording) : [...resultItems(results.all)];
        if ('result' in node) return belowResult(node.result.summary.recording);
        const { row, recording } = node;
        return nodesOf(recording, row.later === undefined ? row.below : await operations(recording, row.later));
      },
      getTreeItem: (node) => ('result' in node ? resultItem(node) : getTreeItem(node)),
    };
    return vscode.window.createTreeView(id, { treeDataProvider });
  };
  return vscode.Disposable.from(
    changed,
    viewOf(views.operations, firsts),
    viewOf(views.waits, waits),
    results.onDidChange(() => changed.fire()),
  );
}

/** Limit of long operations shown at once; rows below lead to the others. */
const MAX_ROWS = 300;

function nodesOf(recording: string, rows: readonly DetailRow[]): DetailNode[] {
  const align = alignedFigures(rows.map(({ figure }) => figure));
  return rows.map((row) => {
    const { functionId, operation } = row;
    return { row, lead: align(row.figure), recording, functionId, operation };
  });
}

const icons: Readonly<Record<DetailRow['kind'], string>> = {
  operation: 'flame',
  route: 'globe',
  function: 'flame',
  loop: 'sync',
  thread: 'server-process',
  fact: 'dash',
  more: 'ellipsis',
  note: 'info',
};

function getTreeItem(node: DetailNode): vscode.TreeItem {
  const { row, lead } = node;
  const { figure, kind, tone, opens } = row;
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const tree = rowItem(lead, row);
  const isClosed = row.later !== undefined || kind === 'thread';
  tree.collapsibleState = isClosed ? Collapsed : row.below.length > 0 ? Expanded : None;
  const color =
    figure === '' || kind === 'more' ? undefined : tone === 'background' ? colors.background : colors[row.class];
  tree.iconPath = new vscode.ThemeIcon(icons[kind], color === undefined ? undefined : new vscode.ThemeColor(color));
  tree.contextValue = [row.operation === null ? '' : 'operation', row.functionId < 0 ? '' : 'line'].join(' ').trim();
  const command = opens === 'line' ? internalCommands.openCulprit : internalCommands.openOperation;
  if (opens !== null) tree.command = { command, title: 'Open', arguments: [node] };
  return tree;
}
