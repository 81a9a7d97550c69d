import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Base } from './base.ts';
import { gitOnFiles, type Repository } from './git.ts';
import { isRecord, parseJson, textOf } from '../../../protocol/json-value.ts';
import { eventsFile, keptTextSuffix, textsSuffix } from '../../../protocol/recording.ts';
import { parseEvents } from '../../../protocol/formats/parse-events.ts';
import { fileURLToPath } from 'node:url';

/**
 * Finds files of the user's work tree that change while both sides are run: a branch that is checked out, a file that is
 * saved. Only code and data that programs load count, also untracked ones. What the command itself writes does not count:
 * it is also written in the base. `before`: stamps of the files when the runs began. Gives a function that resolves with
 * the path of a changed file below the root, or null.
 */
export async function watchCode(
  repository: Repository,
  base: Pick<Base, 'root'>,
  before: Stamps,
): Promise<() => Promise<string | null>> {
  const { root } = repository;
  const staged = await linesOf(root, ['ls-files', '--stage']);
  const dirty = new Set(await linesOf(root, ['diff-files', '--name-only']));
  /** Git's name of the content of each file that was unchanged against the index. */
  const blobs = new Map<string, string>();
  for (const line of staged) {
    const [, blob = '', file = ''] = /^\d+ (\S+) 0\t(.*)$/s.exec(line) ?? [];
    if (file !== '' && !dirty.has(file)) blobs.set(file, blob);
  }
  /** Whether a file that was written has the content that it had. */
  const isSame = async (file: string): Promise<boolean> => {
    const found = blobs.has(file) ? await gitOnFiles(root, ['hash-object', '--', file]) : null;
    return found?.type === 'done' && found.text === blobs.get(file);
  };
  return async () => {
    const touched = differing(before, await stampsIn(repository));
    if (touched.length === 0) return null;
    const written = new Set([
      ...(await linesOf(base.root, ['diff-files', '--name-only'])),
      ...(await linesOf(base.root, ['ls-files', '--others'])),
    ]);
    for (const file of touched) if (!written.has(file) && !(await isSame(file))) return file;
    return null;
  };
}

/** By path below the root. */
export type Stamps = ReadonlyMap<string, string>;

/** A file of code that was written since these stamps, below the root; null where none was. */
export async function changedSince(before: Stamps, repository: Repository): Promise<string | null> {
  return differing(before, await stampsIn(repository))[0] ?? null;
}

function differing(before: Stamps, now: Stamps): readonly string[] {
  const files = [...new Set([...before.keys(), ...now.keys()])];
  return files.filter((file) => before.get(file) !== now.get(file));
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
