import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { dateOrNull, isList, isRecord, parseJson, textOf, textOrNull } from '../protocol/json-value.ts';
import { isAlive } from './run-processes.ts';
import { hideFromGit } from './default-folder.ts';
import { isBaselineName } from '../protocol/formats/folder-names.ts';
import { bytesBelow } from './recording-folders.ts';
import { writeWhole } from './private-files.ts';

/** Runs from before a change, with the sources that ran. Only the user deletes them. */
export interface Baseline {
  readonly name: string;
  /** Absolute path of its folder. */
  readonly folder: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Without what looks like a secret. */
  readonly command: readonly string[];
  /** The commit of the sources; null without git. */
  readonly commit: string | null;
  /** Absolute folder of its git objects; null where the user's repository has them (older versions). */
  readonly objects: string | null;
  /** Absolute paths of its recordings, in their order. */
  readonly recordings: readonly string[];
  readonly bytes: number;
}

/**
 * Makes the folder for the runs of a new baseline of the project in `cwd`, and deletes what stopped or killed runs have
 * left of baselines of this name.
 */
export async function openBaseline(cwd: string, name: string): Promise<string> {
  const home = baselinesFolder(cwd);
  await hideFromGit(path.join(cwd, '.hotspan'));
  const prefix = `${name}${unfinished}`;
  for (const entry of await readdir(home).catch(() => [])) {
    const pid = Number(entry.slice(prefix.length));
    if (entry.startsWith(prefix) && (pid === process.pid || !isAlive(pid)))
      await rm(path.join(home, entry), { recursive: true });
  }
  const folder = path.join(home, `${prefix}${process.pid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** In the folder's name until the baseline is complete; no name of a baseline contains it. */
const unfinished = '.new-';

/** Ends the folder's name of the baseline that is being replaced, which counts until the new one has its place. */
const replaced = '.old';

/** The folder for the sources of a baseline, in its folder. */
export function sourcesIn(folder: string): string {
  return path.join(folder, 'sources');
}

/**
 * Completes the baseline of such a folder, and replaces the one of the same name. `recordings` are in the folder; gives
 * where they are then.
 */
export async function closeBaseline(baseline: Omit<Baseline, 'bytes' | 'objects'>): Promise<readonly string[]> {
  const { folder, name, createdAt, command, commit, recordings } = baseline;
  const names = recordings.map((recording) => path.relative(folder, recording));
  const text = JSON.stringify({ version: 1, createdAt, command, commit, recordings: names }, null, 2);
  await writeWhole(path.join(folder, baselineFile), `${text}\n`);
  const target = path.join(path.dirname(folder), name);
  if (existsSync(target)) {
    await remove(`${target}${replaced}`);
    await rename(target, `${target}${replaced}`);
  }
  await rename(folder, target);
  await remove(`${target}${replaced}`);
  return names.map((one) => path.join(target, one));
}

const baselineFile = 'baseline.json';

/** The baselines of the project in `cwd` without damaged ones, the newest first. */
export async function listBaselines(cwd: string): Promise<readonly Baseline[]> {
  const home = baselinesFolder(cwd);
  const names = (await readdir(home).catch(() => [])).map((entry) => path.basename(entry, replaced));
  const folders = [...new Set(names)].filter(isBaselineName).map((name) => path.join(home, name));
  const found = await Promise.all(
    folders.map(async (folder) => (await readBaseline(folder)) ?? readBaseline(`${folder}${replaced}`)),
  );
  return found.filter((one) => one !== null).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

async function readBaseline(folder: string): Promise<Baseline | null> {
  const json = parseJson(await readFile(path.join(folder, baselineFile), 'utf8').catch(() => ''));
  if (!isRecord(json) || !isList(json['command']) || !isList(json['recordings'])) return null;
  const createdAt = dateOrNull(json['createdAt']);
  if (createdAt === null) return null;
  // Hotspan writes no file that names folders elsewhere.
  const names = json['recordings'].map(textOf).filter((name) => /^[\w-]+$/.test(name));
  const commit = textOrNull(json['commit']);
  const objects = path.join(sourcesIn(folder), 'objects');
  return {
    ...{ name: path.basename(folder, replaced), folder, createdAt },
    command: json['command'].map(textOf),
    commit: commit !== null && /^[0-9a-f]{40,64}$/.test(commit) ? commit : null,
    objects: existsSync(objects) ? objects : null,
    recordings: names.map((name) => path.join(folder, name)),
    bytes: await bytesBelow(folder),
  };
}

export async function deleteBaseline({ folder }: Baseline): Promise<void> {
  await remove(`${folder}${replaced}`);
  await remove(folder);
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Where the project in `cwd` has its baselines. */
export function baselinesFolder(cwd: string): string {
  return path.join(cwd, '.hotspan', 'baselines');
}
