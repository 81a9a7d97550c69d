import {
  type CustomDocument,
  Disposable,
  type ExtensionContext,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  type Webview,
  type WebviewOptions,
  env,
} from 'vscode';
import { viewTypes } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/requests.ts';
import { isPageState } from '../../protocol/webview-guard.ts';
import type { Services } from '../results/services.ts';
import { FlamePage, type FlamePlace } from './answer-page.ts';
import { randomBytes } from 'node:crypto';
import { pageHtml } from './page-html.ts';

export function activateFlamegraph(context: ExtensionContext, services: Services): Flamegraph {
  return new Flamegraph(context, services);
}

/** The flamegraph: one panel for all recordings, and an editor for `.cpuprofile` files. */
export class Flamegraph implements Disposable {
  readonly #context: ExtensionContext;
  readonly #services: Services;
  readonly #registered: Disposable;
  /** The page in the panel for recordings. */
  #page: FlamePage | undefined;
  /** The result that the panel followed last. */
  #followed: Summary | null = null;

  constructor(context: ExtensionContext, services: Services) {
    this.#context = context;
    this.#services = services;
    const provider = {
      openCustomDocument: (uri: Uri): CustomDocument => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: async ({ uri }: CustomDocument, panel: WebviewPanel) => this.#adopt(panel).show(uri.fsPath),
    };
    this.#registered = Disposable.from(
      window.registerWebviewPanelSerializer(viewTypes.flamegraph, {
        deserializeWebviewPanel: async (panel, kept: unknown) => this.#restore(panel, kept),
      }),
      window.registerCustomEditorProvider(viewTypes.profile, provider, { supportsMultipleEditorsPerDocument: true }),
      services.results.onDidChange(() => this.#follow(services.results.summary)),
    );
  }

  /**
   * Shows a recording in the panel, which opens beside the editor where there is none yet; at a function, if one is
   * given.
   */
  async open(recording: string, place?: FlamePlace): Promise<void> {
    this.#page ??= this.#adopt(window.createWebviewPanel(viewTypes.flamegraph, 'Flamegraph', ViewColumn.Beside));
    this.#page.panel.reveal(undefined, false);
    await this.#page.show(recording, place);
  }

  dispose(): void {
    this.#registered.dispose();
    this.#page?.panel.dispose();
  }

  /**
   * Called after another run or with another threshold: the panel never shows other figures than the lines. If it is
   * the same result, it may have tiers now.
   */
  #follow(summary: Summary | null): void {
    const isSame = summary === this.#followed;
    this.#followed = summary;
    if (summary === null) return;
    if (isSame) this.#page?.refresh();
    else this.#page?.follow(summary);
  }

  /** Fills the panel again after a reload of the window. */
  async #restore(panel: WebviewPanel, kept: unknown): Promise<void> {
    if (!isPageState(kept)) {
      panel.dispose();
      return;
    }
    const page = this.#adopt(panel);
    this.#page = page;
    await this.#services.results.restore(); // This is mostly the same recording: it is read once.
    await page.show(kept.recording);
  }

  #adopt(panel: WebviewPanel): FlamePage {
    const page = new FlamePage(panel, this.#services);
    const { webview } = panel;
    webview.options = pageOptions(this.#context);
    webview.html = pageDocument(webview, this.#context);
    panel.onDidDispose(() => {
      page.dispose();
      if (this.#page === page) this.#page = undefined;
    });
    return page;
  }
}

/** Allows scripts, and the files of our bundles alone. */
function pageOptions({ extensionUri }: ExtensionContext): WebviewOptions {
  return { enableScripts: true, localResourceRoots: [Uri.joinPath(extensionUri, 'dist')] };
}

function pageDocument(webview: Webview, { extensionUri }: ExtensionContext): string {
  const bundled = (name: string): string => webview.asWebviewUri(Uri.joinPath(extensionUri, 'dist', name)).toString();
  return pageHtml({
    scriptUri: bundled('flamegraph.js'),
    styleUri: bundled('flamegraph.css'),
    cspSource: webview.cspSource,
    nonce: randomBytes(18).toString('base64url'),
    title: 'Flamegraph',
    language: env.language,
  });
}
