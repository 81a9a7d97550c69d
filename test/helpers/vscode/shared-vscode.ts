import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser } from 'playwright-core';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import {
  type VscodeOptions,
  type VscodeServer,
  writeUserFiles,
  startBrowser,
  startTestVscode,
} from '../../../scripts/vscode-server.mjs';
import { extensionHost, killProcess, processesOf } from './processes.ts';

/** What scripts/vscode-server.mjs has started for this file and others; undefined where a file is run alone. */
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

/**
 * The worker's server, as new: without what an earlier file left. `stop` then ends its extension hosts alone. It is a server
 * of this file's own where the file is run alone, and where `options` has what a server is started with.
 */
export async function serverForTests(options: VscodeOptions): Promise<VscodeServer> {
  const { url, folder } = shared() ?? {};
  const { extensions, builtins, flags, environment } = options;
  const isShared = [extensions, builtins, flags, environment].every((option) => option === undefined);
  if (!isShared || url === undefined || folder === undefined) return startTestVscode(options);
  const user = path.join(folder, 'user-data/User');
  for (const name of ['workspaceStorage', 'globalStorage', 'History'])
    rmSync(path.join(user, name), { recursive: true, force: true });
  const logs = path.join(folder, 'user-data/logs');
  for (const name of existsSync(logs) ? readdirSync(logs, { recursive: true, encoding: 'utf8' }) : [])
    if (/^exthost\d+$/.test(path.basename(name))) rmSync(path.join(logs, name), { recursive: true });
  writeUserFiles(folder, options);
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
