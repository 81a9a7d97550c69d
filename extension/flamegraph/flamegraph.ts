import {
  type CustomDocument,
  Disposable,
  type ExtensionContext,
  ViewColumn,
  type WebviewPanel,
  l10n,
  window,
} from 'vscode';
import { viewTypes } from '../../protocol/ids.ts';
import { isPageState } from '../../protocol/webview-guard.ts';
import type { Services } from '../services.ts';
import { type Page, createPage } from './page.ts';

/** The flamegraph in a panel for recordings, and as an editor of `.cpuprofile` files. */
export interface Flamegraph extends Disposable {
  /** Opens the panel, or takes the one there is, and shows the recording there. */
  readonly open: (recording: string, functionId?: number) => Promise<void>;
}

export function activateFlamegraph(context: ExtensionContext, services: Services): Flamegraph {
  const state: { page: Page | undefined } = { page: undefined };

  const adopt = (panel: WebviewPanel): Page => {
    const page = createPage(panel, context, services);
    panel.onDidDispose(() => {
      page.dispose();
      if (state.page === page) state.page = undefined;
    });
    return page;
  };
  const panelPage = (): Page => {
    state.page ??= adopt(window.createWebviewPanel(viewTypes.flamegraph, l10n.t('Flamegraph'), ViewColumn.Beside));
    return state.page;
  };

  const registered = Disposable.from(
    window.registerWebviewPanelSerializer(viewTypes.flamegraph, {
      deserializeWebviewPanel: async (panel, kept: unknown) => {
        if (!isPageState(kept)) return panel.dispose();
        state.page = adopt(panel);
        return state.page.show(kept.recording);
      },
    }),
    window.registerCustomEditorProvider(
      viewTypes.profile,
      {
        openCustomDocument: (uri): CustomDocument => ({ uri, dispose: () => undefined }),
        resolveCustomEditor: async ({ uri }, panel) => adopt(panel).show(uri.fsPath),
      },
      { supportsMultipleEditorsPerDocument: true },
    ),
  );
  return {
    open: async (recording, functionId) => {
      const page = panelPage();
      page.panel.reveal(undefined, false);
      await page.show(recording, functionId);
    },
    dispose: () => {
      registered.dispose();
      state.page?.panel.dispose();
    },
  };
}
