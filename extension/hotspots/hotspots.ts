import {
  Disposable,
  EventEmitter,
  type ExtensionContext,
  type Memento,
  type TreeDataProvider,
  type TreeView,
  type ViewBadge,
  window,
} from 'vscode';
import { views } from '../../protocol/ids.ts';
import type { HotspotsOfTarget, HotspotsParams } from '../../protocol/list-rows.ts';
import type { Summary } from '../../protocol/summary.ts';
import { hotspotsRequest } from '../../protocol/requests.ts';
import { badgeOf, shortVerdictOfAll } from '../../words/editor/status-text.ts';
import type { Services } from '../results/services.ts';
import { on } from '../ui/failures.ts';
import { childrenOf, type HotspotNode, rowsOf, treeItemOf, verdictRows } from './hotspot-rows.ts';
import {
  type LastRunRow,
  lastRunItem,
  lastRunRows,
  waysBelow,
  type ResultRow,
  resultItem,
  resultRows,
} from './result-rows.ts';
import { hotspotsView } from './view-options.ts';

type Row = HotspotNode | ResultRow<HotspotNode> | LastRunRow;

/** The tree of everything over the threshold. */
export function activateHotspots(context: ExtensionContext, { server, results, lastRun, log }: Services): Disposable {
  const changed = new EventEmitter<void>();
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
  return Disposable.from(
    view,
    changed,
    options,
    options.onDidChange(() => changed.fire()),
    results.onDidChange(update),
    lastRun.onDidChange(() => changed.fire()),
    on(lastRun.onDidShow, async (summary) => announce(view, summary, context.workspaceState), log),
  );
}

/** The rows of a result: its verdict, then what the person has grouped and sorted, then notes. */
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

/** At the end of a run the view has a badge until it is looked at. The first run of a workspace opens it, without the focus. */
async function announce(view: ResultView<Row>, summary: Summary, state: Memento): Promise<void> {
  view.announce(badgeOf(summary));
  if (state.get(openedKey, false)) return;
  await state.update(openedKey, true);
  await view.open();
}

/** A tree with one line over it. While it is empty, it has no button that collapses its rows. */
class ResultView<Node> implements Disposable {
  readonly #id: string;
  readonly #treeDataProvider: TreeDataProvider<Node>;
  #view: TreeView<Node>;
  #hasRows = false;
  #badge: ViewBadge | undefined;
  /** Its first row. */
  #first: Node | undefined;

  constructor(id: string, treeDataProvider: TreeDataProvider<Node>) {
    this.#id = id;
    this.#treeDataProvider = {
      ...treeDataProvider,
      getParent: () => undefined, // Only first rows are revealed.
      getChildren: async (node) => {
        const rows = (await treeDataProvider.getChildren(node)) ?? [];
        if (node === undefined) [this.#first] = rows;
        return rows;
      },
    };
    this.#view = this.#create();
  }

  /** Shows a line over the rows; null where there are none. */
  show(line: string | null): void {
    if (this.#hasRows !== (line !== null)) {
      // VS Code asks about the button only when a view is made.
      this.#hasRows = line !== null;
      this.#view.dispose();
      this.#view = this.#create();
    }
    this.#view.message = line ?? '';
    if (line === null) this.announce(undefined);
  }

  /** Shows a badge on the icon of the view until it is in sight. */
  announce(badge: ViewBadge | undefined): void {
    this.#badge = this.#view.visible ? undefined : badge;
    this.#view.badge = this.#badge;
  }

  /** Opens the view; the focus stays where it is. */
  async open(): Promise<void> {
    const [first] = this.#first === undefined ? ((await this.#treeDataProvider.getChildren()) ?? []) : [this.#first];
    if (first !== undefined) await this.#view.reveal(first, { select: false, focus: false });
  }

  dispose(): void {
    this.#view.dispose();
  }

  #create(): TreeView<Node> {
    const view = window.createTreeView(this.#id, {
      showCollapseAll: this.#hasRows,
      treeDataProvider: this.#treeDataProvider,
    });
    view.badge = this.#badge;
    view.onDidChangeVisibility(({ visible }) => (visible ? this.announce(undefined) : undefined));
    return view;
  }
}
