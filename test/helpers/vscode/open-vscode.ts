import { existsSync } from 'node:fs';
import { after } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { VscodeOptions, VscodeServer } from '../../../scripts/vscode-server.mjs';
import { vsixFile } from '../../../scripts/setup.mjs';
import { extensionHostStarted } from './extension-host-log.ts';
import { recordForeignRequests } from './foreign-requests.ts';
import { keepScreenshots } from './screenshot.ts';
import { launchBrowser, serverForTests } from './shared-vscode.ts';

export interface Vscode {
  readonly page: Page;
  readonly server: VscodeServer;
  /** Hosts that the page asked for anything, other than this machine. */
  readonly foreignHosts: ReadonlySet<string>;
  readonly close: () => Promise<void>;
}

export interface OpenOptions extends VscodeOptions {
  /** The folder to open, or the file of a workspace (`.code-workspace`), absolute; null for a window without a folder. */
  readonly folder: string | null;
  readonly viewport?: BrowserContextOptions['viewport'];
}

/** A step that takes longer hangs. Never a judgement: a machine may be busy. */
const stepLimitMs = 240_000;

/** As `openVscode`, for a file of tests: closed after them, with a picture of each test that fails. */
export async function vscodeForTests(options: OpenOptions): Promise<Vscode> {
  const vscode = await openVscode(options);
  after(() => vscode.close());
  keepScreenshots(vscode.page);
  return vscode;
}

/**
 * A window of a real VS Code with the packaged extension, on a folder, in a headless browser, as on the first day: without
 * storage and recordings of earlier windows. Closing it ends its extension host.
 */
export async function openVscode(options: OpenOptions): Promise<Vscode> {
  if (!existsSync(vsixFile)) throw new Error(`${vsixFile} is missing: run "npm run package".`);
  const server = await serverForTests(options);
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: options.viewport ?? { width: 1600, height: 1200 } });
  const page = await context.newPage();
  const close = async (): Promise<void> => {
    // So the workbench says goodbye, and its extension host ends.
    for (const one of context.pages()) await one.goto('about:blank').catch(() => undefined); // It hangs or has crashed.
    await browser.close();
    await server.stop();
  };
  try {
    context.setDefaultTimeout(stepLimitMs);
    const foreignHosts = recordForeignRequests(page);
    await page.goto(`${server.url}/?${windowQuery(options)}`);
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    await extensionHostStarted(server, stepLimitMs);
    if (options.folder?.endsWith('.code-workspace') === true) await showFolders(page);
    return { page, server, foreignHosts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** On a busy machine VS Code may show a workspace file before it can read it, and then without folders. */
async function showFolders(page: Page): Promise<void> {
  const folders = page.locator('.explorer-folders-view .monaco-list-row').first();
  const none = page.getByText('You have not yet added a folder');
  await folders.or(none).first().waitFor();
  if (!(await none.isVisible())) return;
  await page.reload();
  await showFolders(page);
}

/** What the window is to open, as VS Code's own links say it. */
function windowQuery({ folder }: OpenOptions): string {
  if (folder === null) return 'ew=true';
  return `${folder.endsWith('.code-workspace') ? 'workspace' : 'folder'}=${encodeURIComponent(folder)}`;
}
