import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { VscodeServer } from '../../../scripts/vscode-server.mjs';

/** VS Code writes its logs some time after a line was logged. */
const writeLimitMs = 30_000;

/** Waits until the log has a line with this text in it. */
export async function logSays(server: Pick<VscodeServer, 'folder'>, text: RegExp): Promise<void> {
  const deadline = Date.now() + writeLimitMs;
  while (!text.test(logText(server)) && Date.now() < deadline) await wait(100);
  assert.match(logText(server), text);
}

/** What *Show Log* shows, of all windows so far. */
function logText({ folder }: Pick<VscodeServer, 'folder'>): string {
  const logs = path.join(folder, 'user-data/logs');
  const files = readdirSync(logs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('Hotspan.log'));
  return files.map((name) => readFileSync(path.join(logs, name), 'utf8')).join('');
}
