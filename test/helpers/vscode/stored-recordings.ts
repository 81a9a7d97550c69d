import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { VscodeServer } from '../../../scripts/vscode-server.mjs';

/** Folders of the recordings that a server's workspaces have, in the storage of VS Code; also of runs that go on. */
export function storedRecordings(server: Pick<VscodeServer, 'folder'>): readonly string[] {
  return storedFiles(server)
    .filter((file) => path.basename(file) === 'recording.json')
    .map((file) => path.dirname(file));
}

/** How many runs are over, and kept under the name that they have then. */
export function endedRecordings(server: Pick<VscodeServer, 'folder'>): number {
  return storedFiles(server).filter((file) => file.endsWith('.ended')).length;
}

export async function recordingsHaveEnded(server: Pick<VscodeServer, 'folder'>, count: number): Promise<void> {
  while (endedRecordings(server) < count) await wait(100);
}

function storedFiles({ folder }: Pick<VscodeServer, 'folder'>): readonly string[] {
  const storage = path.join(folder, 'user-data/User/workspaceStorage');
  return readdirSync(storage, { recursive: true, encoding: 'utf8' }).map((file) => path.join(storage, file));
}
