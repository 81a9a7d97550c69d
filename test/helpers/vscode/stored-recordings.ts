import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ShownComparison } from '../../../extension/comparison/shown-comparison.ts';
import { nameOfRun } from '../../../protocol/formats/folder-names.ts';
import { shortHash } from '../../../recordings/recording-folders.ts';
import type { VscodeServer } from '../../../scripts/vscode-server.mjs';
import { comparisonOf } from '../drawn-sides.ts';
import { copyFixture, type FixtureName } from '../recording-fixtures.ts';
import { waitUntil } from '../wait-until.ts';

/**
 * Puts recordings of one target where VS Code keeps those of the workspace, as if it had made them in this order, and the
 * sources of the last one into `project`. A workspace has to be open. The folders of the recordings.
 */
export function storeFixtures(
  { folder }: Pick<VscodeServer, 'folder'>,
  project: string,
  names: readonly FixtureName[],
): readonly string[] {
  const target = path.join(storageOf(folder), shortHash(`${project} npm test`));
  return names.map((name, number) => {
    const recording = path.join(target, `${nameOfRun(new Date(Date.UTC(2026, 0, 31, 12, number)))}.ended`);
    return copyFixture(name, { project, recording }).recording;
  });
}

/** Puts recordings of the workspace's own folder there, too, each as that of another target. */
export function storeDrawn({ folder }: Pick<VscodeServer, 'folder'>, project: string, names: readonly string[]): void {
  for (const name of names)
    cpSync(path.join(project, name), path.join(storageOf(folder), name, 'run.ended'), { recursive: true });
}

/** Puts a comparison there that the workspace seems to have shown last: of `main` with the work tree. */
export function storeComparison({ folder }: Pick<VscodeServer, 'folder'>): void {
  const shown: ShownComparison = {
    asked: { type: 'commit', ref: 'main', recording: folder },
    comparison: comparisonOf({ quote: { runs: [70, 71, 72] } }, { quote: { runs: [15, 16, 17] } }),
    lines: [null],
  };
  writeFileSync(path.join(storageOf(folder), 'comparison.json'), JSON.stringify(shown));
}

/** Where Hotspan keeps what belongs to the workspace that is open. */
function storageOf(folder: string): string {
  const storage = path.join(folder, 'user-data/User/workspaceStorage');
  const [workspace = ''] = readdirSync(storage);
  return path.join(storage, workspace, 'hotspan.hotspan');
}

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

/** A folder that is renamed while it is read counts as "not yet". */
export async function recordingsHaveEnded(server: Pick<VscodeServer, 'folder'>, count: number): Promise<void> {
  await waitUntil(() => endedRecordings(server) >= count);
}

function storedFiles({ folder }: Pick<VscodeServer, 'folder'>): readonly string[] {
  const storage = path.join(folder, 'user-data/User/workspaceStorage');
  return readdirSync(storage, { recursive: true, encoding: 'utf8' }).map((file) => path.join(storage, file));
}
