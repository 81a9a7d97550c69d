import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Base } from './base.ts';
import { gitOnFiles, type Repository } from './git.ts';
import { isRecord, parseJson, textOf } from '../../../protocol/json-value.ts';
import { eventsFile, keptTextSuffix, textsSuffix } from '../../../protocol/recording.ts';
import { parseEvents } from '../../../protocol/formats/parse-events.ts';
import { fileURLToPath } from 'node:url';

/** The files of code and data in a work tree at one time that programs load, also untracked ones. */
export interface CodeThen {
  readonly stamps: Stamps;
  /** Git's name of the content of each file. */
  readonly blobs: ReadonlyMap<string, string>;
}

/** By path below the root. */
export type Stamps = ReadonlyMap<string, string>;

/** Those below the root as they are now. */
export async function codeIn(repository: Repository): Promise<CodeThen> {
  const { root } = repository;
  const stamps = await stampsIn(repository);
  const dirty = new Set(await linesOf(root, ['diff-files', '--name-only']));
  const blobs = new Map<string, string>();
  for (const line of await linesOf(root, ['ls-files', '--stage'])) {
    const [, blob = '', file = ''] = /^\d+ (\S+) 0\t(.*)$/s.exec(line) ?? [];
    if (stamps.has(file) && !dirty.has(file)) blobs.set(file, blob);
  }
  const others = [...stamps.keys()].filter((file) => !blobs.has(file));
  return { stamps, blobs: new Map([...blobs, ...(await blobsOf(root, others))]) };
}

/**
 * A file that changed while both sides were run, below the root; null where none did: a branch that is checked out, a file
 * that is saved. What the command itself writes does not count: it is also written in the base.
 */
export async function changedBeside(
  before: CodeThen,
  repository: Repository,
  base: Pick<Base, 'root'>,
): Promise<string | null> {
  const changed = await changesSince(before, repository);
  if (changed.length === 0) return null;
  const written = new Set([
    ...(await linesOf(base.root, ['diff-files', '--name-only'])),
    ...(await linesOf(base.root, ['ls-files', '--others'])),
  ]);
  return changed.find((file) => !written.has(file)) ?? null;
}

/** A file that changed while these runs were made, and that they ran; what they only write, such as a report, does not count. */
export async function changedOfRuns(
  before: CodeThen,
  repository: Repository,
  recordings: readonly string[],
): Promise<string | null> {
  const changed = await changesSince(before, repository);
  if (changed.length === 0) return null;
  const ran = new Set((await Promise.all(recordings.map(filesOfRun))).flat());
  const roots = [repository.root, await realpath(repository.root)];
  return changed.find((file) => roots.some((root) => ran.has(path.join(root, file)))) ?? null;
}

/** The files that have another content than they had, below the root. */
export async function changesSince({ stamps, blobs }: CodeThen, repository: Repository): Promise<readonly string[]> {
  const now = await stampsIn(repository);
  const files = [...new Set([...stamps.keys(), ...now.keys()])];
  const written = files.filter((file) => stamps.get(file) !== now.get(file));
  const found = await blobsOf(repository.root, written);
  return written.filter((file) => !found.has(file) || found.get(file) !== blobs.get(file));
}

/** Git's names of the present contents of files below the root, but of links and folders. */
async function blobsOf(root: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const facts = await Promise.all(files.map(async (file) => lstat(path.join(root, file)).catch(() => null)));
  const plain = files.filter((_, index) => facts[index]?.isFile() === true);
  if (plain.length === 0) return new Map();
  const input = plain.map((file) => `${JSON.stringify(file)}\n`).join('');
  const result = await gitOnFiles(root, ['hash-object', '--stdin-paths'], {}, { input });
  const names = result.type === 'done' ? result.text.split('\n') : [];
  return new Map(plain.flatMap((file, index) => (names[index] === undefined ? [] : [[file, names[index]] as const])));
}

/** A stamp of each file of code below the root, which changes when the file is written. */
export async function stampsIn({ root }: Repository): Promise<Stamps> {
  const files = await linesOf(root, ['ls-files', '--cached', '--others', '--exclude-standard']);
  const stamps = await Promise.all(
    [...new Set(files)].filter((file) => isLoaded.test(file)).map(async (file) => stampOf(root, file)),
  );
  return new Map(stamps.flat());
}

async function stampOf(root: string, file: string): Promise<readonly (readonly [string, string])[]> {
  const stats = await lstat(path.join(root, file)).catch(() => null);
  return stats === null ? [] : [[file, `${stats.size} ${stats.mtimeMs} ${stats.ino}`]];
}

/** Names of what programs load: a note or a picture does not change a run. */
export const isLoaded =
  /\.(?:[cm]?[jt]sx?|json5?|vue|svelte|astro|wasm|node|coffee|gql|graphql|html?|ejs|pug|hbs|sql|ya?ml)$/i;

async function linesOf(root: string, [command = '', ...args]: readonly string[]): Promise<readonly string[]> {
  const result = await gitOnFiles(root, [command, '-z', ...args]);
  return result.type === 'done' ? result.text.split('\0').filter((line) => line !== '') : [];
}

/** The programs and the sampled files outside of `node_modules` of a recorded run, as absolute paths. */
export async function filesOfRun(recording: string): Promise<readonly string[]> {
  const { events } = parseEvents(await readFile(path.join(recording, eventsFile), 'utf8').catch(() => ''));
  const programs = events.flatMap((event) => (event.type === 'start' ? (event.argv[1] ?? []) : []));
  const sampled = (await textsOfRun(recording)).map(({ file }) => file);
  return [...programs.filter((file) => path.isAbsolute(file)), ...sampled];
}

/** A text of a file that ran. */
export interface RanText {
  /** Absolute path of the file. */
  readonly file: string;
  /** Path of the text, packed. */
  readonly packed: string;
}

/** The texts that the sampled files outside of `node_modules` had in a recorded run. */
export async function textsOfRun(recording: string): Promise<readonly RanText[]> {
  const read = async (name: string): Promise<string> => readFile(path.join(recording, name), 'utf8').catch(() => '');
  const names = (await readdir(recording).catch(() => [])).filter((name) => name.endsWith(textsSuffix));
  const lists = await Promise.all(names.map(read));
  const lines = lists.flatMap((list) => list.split('\n').map(parseJson)).filter(isRecord);
  return lines.flatMap(({ url, text }) => {
    const packed = path.join(recording, `${textOf(text)}${keptTextSuffix}`);
    return fileIn(textOf(url)).map((file) => ({ file, packed }));
  });
}

function fileIn(url: string): readonly string[] {
  try {
    return url.startsWith('file:') ? [fileURLToPath(url)] : [];
  } catch {
    return []; // A file of another host.
  }
}
