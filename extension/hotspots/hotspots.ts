import { Disposable, EventEmitter, type ExtensionContext, type TreeDataProvider, type TreeView, window } from 'vscode';
import { views } from '../../protocol/ids.ts';
import { hotspotsRequest } from '../../protocol/requests.ts';
import { shortVerdictOfAll } from '../../words/editor/several-results.ts';
import type { Services } from '../results/services.ts';
import { childrenOf, type HotspotNode, rowsOf, treeItemOf } from './hotspot-rows.ts';
import { type LastRunRow, lastRunItem, lastRunRows, waysBelow } from './last-run-rows.ts';
import { type ResultRow, resultItem, resultRows } from './result-rows.ts';
import { hotspotsView } from './view-options.ts';

type Row = HotspotNode | ResultRow<HotspotNode> | LastRunRow;

/** The tree of everything over the threshold. */
export function activateHotspots(context: ExtensionContext, { server, results, lastRun, log }: Services): Disposable {
  const changed = new EventEmitter<void>();
  const options = hotspotsView(context, log);

  const roots = async (): Promise<readonly Row[]> => {
    const said = lastRunRows(lastRun);
    if (results.all.length === 0) return said;
    const hotspots = await server.ask(hotspotsRequest, options.read());
    const rows = resultRows<HotspotNode>(results.all, hotspots, ({ recording, groups }, { verdict, warnings }) => {
      const found = rowsOf(groups, recording);
      const none: readonly HotspotNode[] = found.length === 0 ? [{ type: 'note', text: verdict }] : [];
      return [...none, ...found, { type: 'notes', notes: [verdict, ...warnings] }];
    });
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
  );
}

/** A tree with one line over it. While it is empty, it has no button that collapses its rows. */
class ResultView<Node> implements Disposable {
  readonly #id: string;
  readonly #treeDataProvider: TreeDataProvider<Node>;
  #view: TreeView<Node>;
  #hasRows = false;

  constructor(id: string, treeDataProvider: TreeDataProvider<Node>) {
    this.#id = id;
    this.#treeDataProvider = treeDataProvider;
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
  }

  dispose(): void {
    this.#view.dispose();
  }

  #create(): TreeView<Node> {
    return window.createTreeView(this.#id, {
      showCollapseAll: this.#hasRows,
      treeDataProvider: this.#treeDataProvider,
    });
  }
}
