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
import { diffNamed } from '../../protocol/diff.ts';
import type { DiffReference } from '../../protocol/requests.ts';
import type { HostMessage, TakenForm } from '../../protocol/webview.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { ShownResult } from '../results/results.ts';
import type { Services } from '../results/services.ts';
import { inLog } from '../ui/failures.ts';
import { pathOf } from '../ui/active-file.ts';
import type { FlamePage, FlamePlace, isPageState } from './flame-page.ts';
import { randomBytes } from 'node:crypto';
import { TextsBefore } from '../ui/open-source.ts';

export function activateFlamegraph(context: ExtensionContext, services: Services): Flamegraph {
  return new Flamegraph(context, services);
}

/** The flamegraph: one panel for all recordings, one for diffs, and editors for `.cpuprofile` and `.cpuprofile.gz` files. */
export class Flamegraph implements Disposable {
  readonly #context: ExtensionContext;
  readonly #services: Services;
  readonly #registered: Disposable;
  /** The page in the panel for recordings. */
  #page: FlamePage | undefined;
  /** The page in the panel for diffs, which stays when another recording is shown. */
  #diffPage: FlamePage | undefined;
  /** All pages, also those in editors of profiles. */
  readonly #pages = new Set<FlamePage>();
  readonly #texts = new TextsBefore();
  /** The results when they changed last. */
  #followed: readonly ShownResult[] = [];

  constructor(context: ExtensionContext, services: Services) {
    this.#context = context;
    this.#services = services;
    const provider = {
      openCustomDocument: (uri: Uri): CustomDocument => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: async ({ uri }: CustomDocument, panel: WebviewPanel) => {
        const page = this.#adopt(panel, await pageCode());
        return page.show(pathOf(uri));
      },
    };
    this.#registered = Disposable.from(
      window.registerWebviewPanelSerializer(viewTypes.flamegraph, {
        deserializeWebviewPanel: async (panel, kept: unknown) => this.#restore(panel, kept),
      }),
      ...[viewTypes.profile, viewTypes.gzippedProfile].map((type) =>
        window.registerCustomEditorProvider(type, provider, { supportsMultipleEditorsPerDocument: true }),
      ),
      services.results.onDidChange(() => this.#follow(services.results.all)),
    );
  }

  /**
   * Shows a recording in the panel, which opens beside the editor where there is none yet; at a function, if one is
   * given.
   */
  async open(recording: string, place?: FlamePlace): Promise<void> {
    const code = await pageCode();
    this.#page ??= this.#newPage(code);
    this.#page.panel.reveal(undefined, false);
    await this.#page.show(recording, place);
  }

  /**
   * Shows a recording that is still being read. A panel that is not there yet opens at once, because its page takes as long
   * to load as a profile of some 50 MB to be read; it closes again where nothing comes of it.
   */
  async openOnceRead(reading: Promise<Summary | null>): Promise<void> {
    const code = await pageCode();
    const opened = this.#page === undefined ? this.#newPage(code) : null;
    this.#page ??= opened ?? undefined;
    const summary = await reading.catch((error: unknown) => {
      opened?.panel.dispose();
      throw error;
    });
    if (summary === null) opened?.panel.dispose();
    else if (opened === null) await this.open(summary.recording);
    else if (this.#page === opened) await opened.show(summary.recording); // Else the person has closed it.
  }

  /** Shows a diff in a panel of its own. */
  async openDiff(diff: DiffReference): Promise<void> {
    const code = await pageCode();
    this.#diffPage ??= this.#adopt(window.createWebviewPanel(viewTypes.flamegraph, 'Diff', ViewColumn.Beside), code);
    this.#diffPage.panel.reveal(undefined, false);
    await this.#diffPage.showDiff(diff);
  }

  /** Called when V8's tiers were recorded: the pages that asked for them show them. */
  async takeTiers(recording: string): Promise<void> {
    await Promise.all([...this.#pages].map(async (page) => page.takeTiers(recording)));
  }

  /** Copies or saves what the page in sight shows. False where there is no page. */
  takeAway(form: TakenForm): boolean {
    const pages = [...this.#pages];
    const page = pages.find(({ panel }) => panel.active) ?? pages.find(({ panel }) => panel.visible);
    if (page === undefined) return false;
    inLog(page.panel.webview.postMessage({ type: 'takeAway', form } satisfies HostMessage), this.#services.log);
    return true;
  }

  dispose(): void {
    this.#registered.dispose();
    this.#texts.dispose();
    this.#page?.panel.dispose();
    this.#diffPage?.panel.dispose();
  }

  /**
   * Called after a run, or with another threshold: what the panel shows of a target is always that target's result. If
   * it is the same result, it may have tiers now.
   */
  #follow(all: readonly ShownResult[]): void {
    const before = this.#followed.find(({ summary }) => summary.recording === this.#page?.result);
    const now = all.find(({ target }) => target === before?.target);
    this.#followed = all;
    if (now === undefined || now.summary === before?.summary) this.#page?.refresh();
    else this.#page?.follow(now.summary);
  }

  /** Fills the panel again after a reload of the window. */
  async #restore(panel: WebviewPanel, kept: unknown): Promise<void> {
    const code = await pageCode();
    if (!code.isPageState(kept)) {
      panel.dispose();
      return undefined;
    }
    const page = this.#adopt(panel, code);
    if (diffNamed(kept.recording) !== null) {
      this.#diffPage = page;
      return page.show(kept.recording);
    }
    this.#page = page;
    await this.#services.results.restored(kept.recording); // So it is read once.
    return page.show(kept.recording);
  }

  #newPage(code: PageCode): FlamePage {
    return this.#adopt(window.createWebviewPanel(viewTypes.flamegraph, 'Flamegraph', ViewColumn.Beside), code);
  }

  #adopt(panel: WebviewPanel, code: PageCode): FlamePage {
    const page = new code.FlamePage(panel, this.#services, this.#texts);
    page.panel.iconPath = Uri.joinPath(this.#context.extensionUri, 'media', 'icon.png');
    const { webview } = panel;
    webview.options = pageOptions(this.#context);
    webview.html = pageDocument(webview, this.#context);
    this.#pages.add(page);
    panel.onDidDispose(() => {
      page.dispose();
      this.#pages.delete(page);
      if (this.#page === page) this.#page = undefined;
      if (this.#diffPage === page) this.#diffPage = undefined;
    });
    return page;
  }
}

interface PageCode {
  readonly FlamePage: typeof FlamePage;
  readonly isPageState: typeof isPageState;
}

/**
 * What answers pages, which is loaded with the first one: the editor starts sooner. Loading takes no turn of the event
 * loop, so nothing that VS Code tells comes in between.
 */
async function pageCode(): Promise<PageCode> {
  return import('./flame-page.ts');
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

/** What goes into the page's document. Uris are as the webview gives them. */
export interface PageParts {
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly cspSource: string;
  /** Fresh for every page, from a cryptographic source. */
  readonly nonce: string;
  readonly title: string;
  /** Language of the editor, as in `<html lang>`. */
  readonly language: string;
}

/**
 * The page's document. It loads one script and one style sheet of ours and nothing else. It contains no data of a
 * profile. Inline styles are allowed because d3 sets the widths and colours of frames in this way.
 */
export function pageHtml({ scriptUri, styleUri, cspSource, nonce, title, language }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `style-src ${cspSource} 'unsafe-inline'`,
    `script-src 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(styleUri)}">
<title>${escapeHtml(title)}</title>
</head>
<body>
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(scriptUri)}"></script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
