import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { VscodeServer } from '../../../scripts/vscode-server.mjs';

/** The extensions that the extension host has activated so far: what each was activated by, by id. */
export function activatedExtensions(server: VscodeServer): ReadonlyMap<string, string> {
  const lines = hostLog(server).matchAll(/_doActivateExtension ([^\s,]+),.*?activationEvent: '([^']*)'/g);
  return new Map([...lines].map(([, id = '', event = '']) => [id, event]));
}

/** Waits until the extension host runs: before that, commands are not offered. Throws after `limitMs`. */
export async function extensionHostStarted(server: VscodeServer, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!hostLog(server).includes('Eager extensions activated')) {
    if (Date.now() > deadline) throw new Error(`The extension host did not start:\n${hostLog(server)}`);
    await wait(100);
  }
}

/** What all extension hosts of the server have logged. */
function hostLog(server: VscodeServer): string {
  const folder = path.join(server.folder, 'user-data/logs');
  if (!existsSync(folder)) return '';
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('remoteexthost.log'),
  );
  return logs.map((log) => readFileSync(path.join(folder, log), 'utf8')).join('');
}
