import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findBrowser } from '../../../scripts/browser.mjs';
import { startVscode, type VscodeOptions, type VscodeServer } from '../../../scripts/vscode-server.mjs';
import { vsixFile } from '../../../scripts/vsix.mjs';
import { extensionHostStarted } from './extension-host-log.ts';
import { recordForeignRequests } from './foreign-requests.ts';

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

/** Starting may meet a slow spell of the machine; what is asserted afterwards never depends on luck. */
const startLimitMs = 120_000;
const stepLimitMs = 30_000;

/**
 * A real VS Code with the packaged extension, on a folder, in a headless browser. The start alone is tried twice.
 * Close it in `after`: it holds a server and a browser.
 */
export async function openVscode(options: OpenOptions): Promise<Vscode> {
  if (!existsSync(vsixFile)) throw new Error(`${vsixFile} is missing: run "npm run package".`);
  try {
    return await start(options);
  } catch (error) {
    console.error('VS Code did not start, trying once more:', error);
    return start(options);
  }
}

async function start(options: OpenOptions): Promise<Vscode> {
  const server = await startVscode({ extensions: [vsixFile], ...options });
  const browser = await launchBrowser();
  const close = async (): Promise<void> => {
    await browser.close();
    await server.stop();
  };
  try {
    const context = await browser.newContext({ viewport: options.viewport ?? { width: 1600, height: 1200 } });
    const page = await context.newPage();
    page.setDefaultTimeout(stepLimitMs);
    const foreignHosts = recordForeignRequests(page);
    await page.goto(`${server.url}/?${windowQuery(options)}`, { timeout: startLimitMs });
    await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: startLimitMs });
    await extensionHostStarted(server, startLimitMs);
    return { page, server, foreignHosts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the window is to open, as VS Code's own links say it. */
function windowQuery({ folder }: OpenOptions): string {
  if (folder === null) return 'ew=true';
  return `${folder.endsWith('.code-workspace') ? 'workspace' : 'folder'}=${encodeURIComponent(folder)}`;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('No browser: install Chromium or set CHROME_PATH.');
  const quiet = ['networking', 'timer-throttling'].map((what) => `--disable-background-${what}`);
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update'];
  return chromium.launch({ executablePath, args: [...args, ...quiet, '--disable-sync', '--disable-dev-shm-usage'] });
}
