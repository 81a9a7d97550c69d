import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { diffNamed } from '../../protocol/diff.ts';
import { viewTypes } from '../../protocol/ids.ts';
import type { DiffReference } from '../../protocol/rechecks.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { HostMessage, TakenForm } from '../../protocol/webview.ts';
import { isOfReading, type ShownResult, type Services } from '../results/results.ts';
import { pathOf, TextsBefore } from '../ui/open-source.ts';
import { inLog, on } from '../ui/failures.ts';
import type { FlamePage, FlamePlace } from './flame-page.ts';

/** One panel for recordings, one for diffs, and editors for `.cpuprofile` and `.cpuprofile.gz` files. */
export class Flamegraph implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #services: Services;
  readonly #registered: vscode.Disposable;
  #page: FlamePage | undefined;
  /** Stays when the other panel shows another recording. */
  #diffPage: FlamePage | undefined;
  /** All pages, with those in editors of profiles. */
  readonly #pages = new Set<FlamePage>();
  readonly #texts = new TextsBefore();
  /** The results when they changed last. */
  #followed: readonly ShownResult[] = [];

  constructor(context: vscode.ExtensionContext, services: Services) {
    this.#context = context;
    this.#services = services;
    const provider = {
      openCustomDocument: (uri: vscode.Uri): vscode.CustomDocument => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: async ({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel) => {
        const page = this.#adopt(panel, await pageCode());
        return page.show(pathOf(uri));
      },
    };
    this.#registered = vscode.Disposable.from(
      vscode.window.registerWebviewPanelSerializer(viewTypes.flamegraph, {
        deserializeWebviewPanel: async (panel, kept: unknown) => this.#restore(panel, kept),
      }),
      ...[viewTypes.profile, viewTypes.gzippedProfile].map((type) =>
        vscode.window.registerCustomEditorProvider(type, provider, { supportsMultipleEditorsPerDocument: true }),
      ),
      services.results.onDidChange(() => this.#follow(services.results.all)),
      on(
        vscode.workspace.onDidChangeConfiguration,
        async (event) => (isOfReading(event) ? this.#readAgain() : undefined),
        services.log,
      ),
    );
  }

  /** Shows a recording in the panel, at a function if one is given. A new panel opens beside the editor. */
  async open(recording: string, place?: FlamePlace): Promise<void> {
    const code = await pageCode();
    this.#page ??= this.#newPage(code, 'Flamegraph');
    this.#page.panel.reveal(undefined, false);
    await this.#page.show(recording, place);
  }

  /**
   * Shows a recording that is still being read. A new panel opens at once, because its page needs as long as a profile
   * of 50 MB. It closes again if there is nothing to show.
   */
  async openOnceRead(reading: Promise<Summary | null>): Promise<void> {
    const code = await pageCode();
    const opened = this.#page === undefined ? this.#newPage(code, 'Flamegraph') : null;
    this.#page ??= opened ?? undefined;
    const summary = await reading.catch((error: unknown) => {
      opened?.panel.dispose();
      throw error;
    });
    if (summary === null) opened?.panel.dispose();
    else if (opened === null) await this.open(summary.recording);
    else if (this.#page === opened) await opened.show(summary.recording); // Else the person has closed it.
  }

  async openDiff(diff: DiffReference): Promise<void> {
    const code = await pageCode();
    this.#diffPage ??= this.#newPage(code, 'Diff');
    this.#diffPage.panel.reveal(undefined, false);
    await this.#diffPage.showDiff(diff);
  }

  async takeTiers(recording: string): Promise<void> {
    await Promise.all([...this.#pages].map(async (page) => page.takeTiers(recording)));
  }

  /** Copies or saves what the visible page shows. False where there is no such page. */
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

  /** Shows the new result of the panel's target, after a run or a new threshold. The same result may have tiers now. */
  #follow(all: readonly ShownResult[]): void {
    for (const page of this.#pages) {
      const before = this.#followed.find(({ summary }) => summary.recording === page.result);
      const isNow = ({ target, summary }: ShownResult): boolean =>
        page === this.#page ? target === before?.target : summary.recording === page.result; // An editor is of one file.
      const now = all.find(isNow);
      if (now !== undefined && now.summary !== before?.summary) page.follow(now.summary);
      else if (page === this.#page) page.refresh();
    }
    this.#followed = all;
  }

  /** Reads what the visible pages show and `Results` does not read. Others are read when they become visible. */
  async #readAgain(): Promise<void> {
    const { results } = this.#services;
    for (const page of this.#pages) {
      const isRead = results.all.some(({ summary }) => summary.recording === page.result);
      if (page.panel.visible && !isRead) await page.readAgain();
    }
  }

  async #restore(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const code = await pageCode();
    if (!code.isPageState(kept)) {
      panel.dispose();
      return;
    }
    const page = this.#adopt(panel, code);
    if (diffNamed(kept.recording) !== null) this.#diffPage = page;
    else {
      this.#page = page;
      await this.#services.results.restored(kept.recording); // So it is read once.
    }
    await page.show(kept.recording);
  }

  #newPage(code: PageCode, title: string): FlamePage {
    const panel = vscode.window.createWebviewPanel(viewTypes.flamegraph, title, vscode.ViewColumn.Beside);
    return this.#adopt(panel, code);
  }

  #adopt(panel: vscode.WebviewPanel, code: PageCode): FlamePage {
    const { extensionUri } = this.#context;
    const { webview } = panel;
    const page = new code.FlamePage(panel, this.#services, this.#texts);
    page.panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
    webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
    webview.html = documentFor(webview, extensionUri);
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

type PageCode = Awaited<ReturnType<typeof pageCode>>;

/** Loads the code for pages on demand. It takes no turn of the event loop, so no event comes in between. */
async function pageCode() {
  return import('./flame-page.ts');
}

function documentFor(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const bundled = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString();
  return pageHtml({
    scriptUri: bundled('flamegraph.js'),
    styleUri: bundled('flamegraph.css'),
    cspSource: webview.cspSource,
    nonce: randomBytes(18).toString('base64url'),
    language: vscode.env.language,
  });
}

interface PageParts {
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly cspSource: string;
  /** Fresh for every page, from a cryptographic source. */
  readonly nonce: string;
  /** Language of the editor, as in `<html lang>`. */
  readonly language: string;
}

/** The page's document, without data of a profile. Inline styles are allowed: d3 sets widths and colours with them. */
export function pageHtml({ scriptUri, styleUri, cspSource, nonce, language }: PageParts): string {
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
<title>Flamegraph</title>
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
