import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser } from 'playwright-core';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { type UserFiles, writeUserFiles, type VscodeServer } from '../../../scripts/vscode-server.mjs';
import { startBrowser } from '../../../scripts/vscode-worker.mjs';
import { extensionHost, killProcess, processesOf } from './processes.ts';

/** What scripts/vscode-worker.mjs has started for this file and others; undefined where a file is run alone. */
function shared(): Readonly<Record<string, string>> | undefined {
  const given = parseJson(process.env['HOTSPAN_SHARED_VSCODE'] ?? 'null');
  if (!isRecord(given)) return undefined;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}

/** The worker's browser, or one of this file's own. `close` closes the pages of this file, and a browser of its own. */
export async function launchBrowser(): Promise<Browser> {
  const endpoint = shared()?.['browser'];
  if (endpoint !== undefined) return chromium.connect(endpoint);
  const server = await startBrowser();
  const browser = await chromium.connect(server.wsEndpoint());
  browser.on('disconnected', () => void server.close());
  return browser;
}

/** The worker's server, as new: without what an earlier file left. `stop` ends its extension hosts alone. */
export function sharedServer(files: UserFiles): VscodeServer | undefined {
  const { url, folder } = shared() ?? {};
  if (url === undefined || folder === undefined) return undefined;
  const user = path.join(folder, 'user-data/User');
  for (const name of ['workspaceStorage', 'globalStorage', 'History'])
    rmSync(path.join(user, name), { recursive: true, force: true });
  const logs = path.join(folder, 'user-data/logs');
  for (const name of existsSync(logs) ? readdirSync(logs, { recursive: true, encoding: 'utf8' }) : [])
    if (/^exthost\d+$/.test(path.basename(name))) rmSync(path.join(logs, name), { recursive: true });
  writeUserFiles(folder, files);
  return { url, folder, readLog: () => '', stop: async () => endExtensionHosts(folder) };
}

/**
 * An extension host ends some time after its window has said goodbye, and writes into the storage until then. Where the
 * window closed while the host still started, VS Code keeps it for a window that may come back.
 */
async function endExtensionHosts(folder: string): Promise<void> {
  for (;;) {
    const hosts = processesOf({ folder }, extensionHost);
    if (hosts.length === 0) return;
    for (const host of hosts) killProcess(host);
    await wait(50);
  }
}
