import { trimEnd } from '../basics/trim-end.ts';
import { recordingFile, v8LogSuffix } from '../../protocol/recording.ts';
import type { RecordingFacts } from '../recording-files/isolate-source.ts';
import { isNameOfTarget } from '../../recordings/formats/folder-names.ts';
import { parseManifest } from '../../recordings/formats/parse-manifest.ts';
import type { SecondRun } from './tiers.ts';
import type { World } from '../files/world.ts';
import { fileNameOf } from '../recording-files/profile-names.ts';
import { readText } from '../files/read-text.ts';

/** A recording's folder, and when the recording began. */
export type FoundRun = Pick<SecondRun, 'path' | 'startedAt'>;

/**
 * The newest finished recording of tiers of the same command in the same folder, among the recordings beside one; null
 * where there is none.
 */
export async function findTierRecording(
  recording: string,
  { command, cwd }: RecordingFacts,
  world: World,
): Promise<FoundRun | null> {
  if (command === null || cwd === null) return null;
  const found: FoundRun[] = [];
  for (const path of await foldersBeside(recording, world)) {
    const run = await tierRecordingIn(path, { command, cwd }, world);
    if (run !== null) found.push(run);
  }
  return found.toSorted((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1))[0] ?? null;
}

async function tierRecordingIn(
  path: string,
  target: Required<Pick<RecordingFacts, 'command' | 'cwd'>>,
  world: World,
): Promise<FoundRun | null> {
  const manifest = parseManifest((await readText(`${path}/${recordingFile}`, world)) ?? '');
  if (manifest === null || !manifest.isOfTiers || manifest.endedAt === null) return null;
  const { command, cwd, startedAt } = manifest;
  if (cwd !== target.cwd || JSON.stringify(command ?? []) !== JSON.stringify(target.command)) return null;
  const files = (await world.listFiles(path)) ?? [];
  return files.some(({ name }) => name.endsWith(v8LogSuffix)) ? { path, startedAt } : null;
}

/** Folders beside a recording, as `hotspan record` leaves recordings. The editor has a folder for each target. */
async function foldersBeside(recording: string, world: World): Promise<readonly string[]> {
  const parent = folderOf(recording.slice(0, 1) + trimEnd(recording.slice(1)));
  if (!isNameOfTarget(fileNameOf(parent))) return foldersIn(parent, world);
  const targets = (await foldersIn(folderOf(parent), world)).filter((path) => isNameOfTarget(fileNameOf(path)));
  const all: string[] = [];
  for (const target of targets) for (const folder of await foldersIn(target, world)) all.push(folder);
  return all;
}

async function foldersIn(folder: string, world: World): Promise<readonly string[]> {
  const names = (await world.listFolders?.(folder)) ?? [];
  return names.map((name) => `${folder}/${name}`);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.length - fileNameOf(path).length - 1));
}
