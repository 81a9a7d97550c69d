import * as vscode from 'vscode';
import { views, commands as ids } from '../../protocol/ids.ts';
import type { HotspotsOfTarget, HotspotsParams, HotspotGrouping, HotspotOrder } from '../../protocol/list-rows.ts';
import type { Summary } from '../../protocol/summary.ts';
import { hotspotsRequest } from '../../protocol/requests.ts';
import { badgeOf, shortVerdictOfAll } from '../../words/editor/status-text.ts';
import type { Services } from '../results/results.ts';
import { on, registerCommand } from '../ui/failures.ts';
import type { HotspotNode, LastRunRow, ResultRow } from './hotspot-rows.ts';
import {
  childrenOf,
  rowsOf,
  treeItemOf,
  verdictRows,
  lastRunItem,
  lastRunRows,
  waysBelow,
  resultItem,
  resultRows,
} from './hotspot-rows.ts';

type Row = HotspotNode | ResultRow<HotspotNode> | LastRunRow;

export function activateHotspots(
  context: vscode.ExtensionContext,
  { server, results, lastRun, log }: Services,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const options = hotspotsView(context, log);

  const roots = async (): Promise<readonly Row[]> => {
    const said = lastRunRows(lastRun);
    if (results.all.length === 0) return said;
    const params = options.read();
    const hotspots = await server.ask(hotspotsRequest, params);
    const rows = resultRows<HotspotNode>(results.all, hotspots, (of, summary) => rowsOfResult(of, summary, params));
    return [...said, ...rows];
  };
  const view = new ResultView<Row>(views.hotspots, {
    onDidChangeTreeData: changed.event,
    getChildren: async (node) => {
      if (node === undefined) return [...(await roots())];
      if (node.type === 'lastRun' || node.type === 'way') return [...waysBelow(node)];
      return [...(node.type === 'result' ? node.rows : childrenOf(node))];
    },
    getTreeItem: (node) => {
      if (node.type === 'lastRun' || node.type === 'way') return lastRunItem(node);
      return node.type === 'result' ? resultItem(node) : treeItemOf(node);
    },
  });
  const update = (): void => {
    view.show(shortVerdictOfAll(results.all.map(({ summary }) => summary)));
    changed.fire();
  };
  return vscode.Disposable.from(
    ...[view, changed, options.registered],
    options.onDidChange(() => changed.fire()),
    results.onDidChange(update),
    lastRun.onDidChange(() => changed.fire()),
    on(lastRun.onDidShow, async (summary) => announce(view, summary, context.workspaceState), log),
  );
}

/** The verdict, then the hotspots as the person grouped them, then notes. */
function rowsOfResult(
  { recording, groups, verdict: first }: HotspotsOfTarget,
  { verdict, warnings }: Summary,
  { groupBy, sortBy }: HotspotsParams,
): readonly HotspotNode[] {
  const chosen = groupBy === 'file' && sortBy === 'worst' ? null : `${groupBy} ${sortBy}`;
  const found = verdictRows(first, rowsOf(groups, recording), { recording, chosen });
  const none: readonly HotspotNode[] = found.length === 0 ? [{ type: 'note', text: verdict }] : [];
  return [...none, ...found, { type: 'notes', notes: [verdict, ...warnings] }];
}

const openedKey = 'hotspots.opened';

/** The view has a badge until it is visible. The first run of a workspace opens it, without the focus. */
async function announce(view: ResultView<Row>, summary: Summary, state: vscode.Memento): Promise<void> {
  view.announce(badgeOf(summary));
  if (state.get(openedKey, false)) return;
  await state.update(openedKey, true);
  await view.open();
}

/** A tree with one line over it. */
class ResultView<Node> implements vscode.Disposable {
  readonly #treeDataProvider: vscode.TreeDataProvider<Node>;
  readonly #view: vscode.TreeView<Node>;
  #first: Node | undefined;

  constructor(id: string, treeDataProvider: vscode.TreeDataProvider<Node>) {
    this.#treeDataProvider = {
      ...treeDataProvider,
      getParent: () => undefined, // Only first rows are revealed.
      getChildren: async (node) => {
        const rows = (await treeDataProvider.getChildren(node)) ?? [];
        if (node === undefined) [this.#first] = rows;
        return rows;
      },
    };
    this.#view = vscode.window.createTreeView(id, {
      showCollapseAll: true,
      treeDataProvider: this.#treeDataProvider,
    });
    this.#view.onDidChangeVisibility(({ visible }) => (visible ? this.announce(undefined) : undefined));
  }

  /** Null where there are no rows. */
  show(line: string | null): void {
    this.#view.message = line ?? '';
    if (line === null) this.announce(undefined);
  }

  /** Shows a badge until the view is visible. */
  announce(badge: vscode.ViewBadge | undefined): void {
    this.#view.badge = this.#view.visible ? undefined : badge;
  }

  async open(): Promise<void> {
    const [first] = this.#first === undefined ? ((await this.#treeDataProvider.getChildren()) ?? []) : [this.#first];
    if (first !== undefined) await this.#view.reveal(first, { select: false, focus: false });
  }

  dispose(): void {
    this.#view.dispose();
  }
}

const key = 'hotspots.options';

/** The grouping and the order of the tree, kept for the workspace, with the commands that change them. */
export function hotspotsView(
  { workspaceState }: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): {
  readonly read: () => HotspotsParams;
  readonly onDidChange: vscode.Event<void>;
  readonly registered: vscode.Disposable;
} {
  const changed = new vscode.EventEmitter<void>();
  const read = (): HotspotsParams => workspaceState.get<HotspotsParams>(key, { groupBy: 'file', sortBy: 'worst' });
  const write = async (options: Partial<HotspotsParams>): Promise<void> => {
    await workspaceState.update(key, { ...read(), ...options });
    changed.fire();
  };
  const group = registerCommand(ids.groupHotspots, log, async () => {
    const choice = await pick<HotspotGrouping>(read().groupBy, [
      ['file', 'File'],
      ['function', 'Function'],
      ['package', 'Package blamed'],
      ['test', 'Test'],
      ['process', 'Process'],
      ['route', 'Route'],
    ]);
    if (choice !== undefined) await write({ groupBy: choice });
  });
  const sort = registerCommand(ids.sortHotspots, log, async () => {
    const choice = await pick<HotspotOrder>(read().sortBy, [
      ['worst', 'Worst'],
      ['count', 'Count'],
      ['stacks', 'Stacks'],
      ['total', 'Total time'],
      ['notOptimized', 'Time not optimized by V8'],
    ]);
    if (choice !== undefined) await write({ sortBy: choice });
  });
  return { read, onDidChange: changed.event, registered: vscode.Disposable.from(group, sort, changed) };
}

async function pick<Value>(
  current: Value,
  choices: readonly (readonly [value: Value, label: string])[],
): Promise<Value | undefined> {
  const items = choices.map(([value, label]): vscode.QuickPickItem & { readonly value: Value } => ({
    label,
    value,
    ...(value === current ? { description: 'now' } : {}),
  }));
  return (await vscode.window.showQuickPick(items))?.value;
}
